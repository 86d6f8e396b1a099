//! The description of a world for clients.

use serde_json::{Map, Value, json};
use simhost_scene::Pose3;
use simhost_world::{Gui, Lights, Skybox, Vehicle, Visual, World};

use crate::assets::name_of;

/// Origin of an asset.
#[derive(Clone)]
pub enum Source {
    /// A visual.
    Mesh(Visual),
    /// A side of a skybox, counted from 0.
    Sky(Skybox, usize),
}

/// Assets by name.
pub type Sources = Vec<(String, Source)>;

/// Returns the description of a world, and what its assets are read from.
pub fn describe(world: &World) -> (Value, Sources) {
    let mut sources = Sources::new();
    let vehicles: Vec<Value> =
        world.vehicles.iter().map(|one| vehicle(one, &mut sources)).collect();
    let mut bodies = Vec::new();
    for block in &world.blocks {
        let scale = block.visual_scale;
        let looks = visuals(&block.visuals, scale, &mut sources);
        bodies.push(json!({
            "label": format!("block/{}", block.name), "visuals": looks,
            "movable": !block.is_static, "size": extent(&block.polygon, block.z_max),
        }));
    }
    for actor in &world.actors {
        let looks = visuals(&actor.visuals, None, &mut sources);
        bodies.push(
            json!({"label": format!("actor/{}", actor.name), "visuals": looks, "movable": false}),
        );
    }
    let sky = world.scenery.skybox.as_ref().map(|skybox| sky(skybox, &mut sources));
    let markers =
        world.scenery.markers.iter().map(|one| json!({"points": one.points, "color": one.color}));
    let grids = world.scenery.ground_grids.iter().map(|grid| {
        json!({"interval": grid.interval, "color": grid.color, "floating": grid.floating, "focus": grid.focus})
    });
    let paths = world.paths().into_iter();
    let paths = paths.map(|(label, points)| json!({"label": label, "points": points}));
    let description = json!({
        "seed": world.settings.seed,
        "velocity_in_world_frame": world.settings.profile.velocity_in_world_frame,
        "duration_s": world.settings.duration,
        "gui": gui(&world.scenery.gui),
        "has_gamepad": !world.scenery.has_no_gamepad,
        "lights": lights(&world.scenery.lights),
        "sky": sky,
        "lines": markers.collect::<Vec<_>>(),
        "ground_grids": grids.collect::<Vec<_>>(),
        "paths": paths.collect::<Vec<_>>(),
        "vehicles": vehicles,
        "bodies": bodies,
        "parameters": parameters(world),
    });
    (description, sources)
}

fn gui(gui: &Gui) -> Value {
    json!({
        "ortho": gui.orthographic,
        "show_forces": gui.show_forces,
        "force_scale": gui.force_scale,
        "show_sensor_points": gui.show_sensor_points,
        "cam_distance": gui.camera_distance,
        "cam_azimuth": gui.camera_azimuth,
        "cam_elevation": gui.camera_elevation,
        "cam_point_to": gui.camera_target,
        "fov": gui.field_of_view,
        "clip": gui.clip,
        "follow_vehicle": gui.follow_vehicle,
        "is_given": *gui != Gui::default(),
    })
}

fn lights(lights: &Lights) -> Value {
    json!({
        "shadows": lights.shadows,
        "azimuth": lights.azimuth,
        "elevation": lights.elevation,
        "color": lights.color,
        "ambient": lights.ambient,
        "is_given": *lights != Lights::default(),
    })
}

fn vehicle(vehicle: &Vehicle, sources: &mut Sources) -> Value {
    let wheels: Vec<Value> = vehicle
        .wheels
        .iter()
        .map(|wheel| {
            json!({
                "name": wheel.name(), "diameter": wheel.diameter, "width": wheel.width,
                "visuals": visuals(&wheel.visuals, None, sources),
            })
        })
        .collect();
    let sensors = vehicle.sensors.iter().map(|sensor| {
        json!({"name": sensor.name, "class": &*sensor.model.model.full_name, "period_s": sensor.period})
    });
    json!({
        "label": vehicle.name,
        "controller": &*vehicle.controller.model.full_name,
        "dynamics": &*vehicle.dynamics.model.full_name,
        "friction": &*vehicle.friction.model.full_name,
        "sensors": sensors.collect::<Vec<_>>(),
        "wheels": wheels,
        "visuals": visuals(&vehicle.visuals, None, sources),
        "size": extent(&vehicle.chassis.polygon, vehicle.chassis.z_max),
    })
}

/// Returns the size of a body along x, y and z in m.
fn extent(outline: &[[f64; 2]], height: f64) -> [f64; 3] {
    let side = |axis: usize| {
        let at = outline.iter().map(|point| point[axis]);
        let (low, high) =
            at.fold((0.0_f64, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
        high - low
    };
    [side(0), side(1), height]
}

fn visuals(visuals: &[Visual], scale: Option<f64>, sources: &mut Sources) -> Vec<Value> {
    let mut found = Vec::new();
    for visual in visuals.iter().filter(|visual| visual.enabled) {
        let Some(path) = &visual.model else { continue };
        let name = name_of(path, "mesh");
        let Pose3 { x, y, z, yaw, pitch, roll } = visual.pose;
        found.push(json!({
            "asset": name, "file": visual.model_uri, "scale": scale.unwrap_or(visual.scale),
            "pose": [x, y, z, yaw, pitch, roll], "color": visual.color,
        }));
        sources.push((name, Source::Mesh(visual.clone())));
    }
    found
}

/// Returns the names of the images of a skybox: front, back, down, up, left, right.
fn sky(skybox: &Skybox, sources: &mut Sources) -> Vec<Option<String>> {
    let mut names = Vec::new();
    for (side, path) in skybox.images.iter().enumerate() {
        names.push(path.as_ref().map(|path| {
            let name = name_of(path, "image");
            sources.push((name.clone(), Source::Sky(skybox.clone(), side)));
            name
        }));
    }
    names
}

/// Describes the parameters of models by name.
fn parameters(world: &World) -> Map<String, Value> {
    let finite = |number: f64| number.is_finite().then_some(number);
    let infos = world.parameter_infos().into_iter().map(|info| {
        let [min, max] = info.range.map(finite);
        let described = json!({
            "unit": info.unit, "doc": info.doc, "min": min, "max": max, "choices": info.choices,
            "default": info.default,
        });
        (info.name, described)
    });
    infos.collect()
}
