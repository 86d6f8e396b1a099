//! The world of a run: surroundings, bodies that can move, and vehicles.

mod fields;

use std::collections::HashMap;
use std::f64::consts::TAU;

use simhost_model::ParamValue;
use simhost_runs::{Marker, RecordedMap, RecordedScene};
use simhost_scene::{OccupancyGrid, Pose2, Pose3};
use simhost_world::{ModelUse, VerticalPlane, World};

use crate::picture::{Shape, ShapeKind};
use crate::text::short;
use fields::{rectangle, roads, shape, solid_cells, terrain};

/// Gravity of a world that is not known, and of one that does not set it, m/s².
pub const STANDARD_GRAVITY: f64 = 9.81;
/// Corners that stand for a circle.
const CIRCLE: usize = 16;

/// The world of a run, at its start.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Surroundings that do not move, in the order in which they are drawn.
    pub shapes: Vec<Shape>,
    /// Blocks and actors that can move.
    pub movers: Vec<Mover>,
    /// Vehicles in the order of the world.
    pub vehicles: Vec<VehicleShape>,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Length of a drawn force, m/N, if the world sets it.
    pub force_scale: Option<f64>,
}

/// A block or an actor that can move.
#[derive(Clone, Debug)]
pub struct Mover {
    /// `block/NAME` or `actor/NAME`.
    pub label: String,
    /// Name of the quantity that is its pose, such as `crate/pose`.
    pub quantity: String,
    /// Corners in its own frame, m.
    pub outline: Vec<[f64; 2]>,
    /// Pose at the start.
    pub start: Pose2,
    /// Pose at the end of the run, where the run says so.
    pub end: Option<Pose2>,
}

/// A vehicle.
#[derive(Clone, Debug, Default)]
pub struct VehicleShape {
    /// Name.
    pub name: String,
    /// Corners in the vehicle frame, m.
    pub outline: Vec<[f64; 2]>,
    /// Pose at the start.
    pub start: Pose2,
    /// Wheels.
    pub wheels: Vec<WheelShape>,
    /// Planar laser scanners.
    pub scanners: Vec<Scanner>,
    /// Description of the springs, dampers and anti-roll bars; empty for rigid wheels.
    pub suspension: String,
    /// Description of the aerodynamic coefficients; empty where the air does not act.
    pub aerodynamics: String,
}

/// A wheel of a vehicle.
#[derive(Clone, Debug)]
pub struct WheelShape {
    /// Name of its element without `_wheel`.
    pub name: String,
    /// Position and heading without steering in the vehicle frame, m and rad.
    pub pose: Pose2,
    /// Radius, m.
    pub radius: f64,
    /// Width, m.
    pub width: f64,
    /// Friction coefficient, if the friction model has one.
    pub mu: Option<f64>,
}

/// A planar laser scanner of a vehicle.
#[derive(Clone, Debug)]
pub struct Scanner {
    /// Name.
    pub name: String,
    /// Pose in the vehicle frame.
    pub pose: Pose2,
    /// Field of view, rad. The first ray points to minus half of it.
    pub field_of_view: f64,
    /// Range without a return, m.
    pub reach: f64,
}

impl Scene {
    /// Returns the scene of a world.
    pub fn new(world: &World) -> Self {
        let gui = &world.scenery.gui;
        Self {
            shapes: surroundings(world),
            movers: movers(world),
            vehicles: vehicles(world),
            gravity: world.settings.gravity,
            force_scale: gui.show_forces.then_some(gui.force_scale),
        }
    }

    /// Moves the wheels to where the models of a run have put them. `position` returns the position of a
    /// wheel, given the names of the vehicle and of the wheel, in the vehicle frame, m.
    #[must_use]
    pub fn with_wheels(mut self, position: impl Fn(&str, &str) -> Option<[f64; 2]>) -> Self {
        for vehicle in &mut self.vehicles {
            for wheel in &mut vehicle.wheels {
                if let Some([x, y]) = position(&vehicle.name, &wheel.name) {
                    wheel.pose = Pose2 { x, y, ..wheel.pose };
                }
            }
        }
        self
    }

    /// Sets where the bodies that can move are at the end of a run: labels with x and y, m, and yaw, rad, in the
    /// order of the world.
    #[must_use]
    pub fn with_ends(mut self, ends: &[(&str, [f64; 3])]) -> Self {
        let mut rest = ends;
        for mover in &mut self.movers {
            // labels may repeat
            let Some(index) = rest.iter().position(|(label, _)| *label == mover.label) else {
                continue;
            };
            let [x, y, yaw] = rest[index].1;
            mover.end = Some(Pose2 { x, y, yaw });
            rest = &rest[index + 1..];
        }
        self
    }

    /// Returns a vehicle by its name.
    pub fn vehicle(&self, name: &str) -> Option<&VehicleShape> {
        self.vehicles.iter().find(|vehicle| vehicle.name == name)
    }

    /// Returns everything but the vehicles, as it is at the start.
    pub fn all_shapes(&self) -> Vec<Shape> {
        let movers = self.movers.iter();
        let movers = movers.map(|mover| shape(ShapeKind::Movable, mover.at(mover.start)));
        self.shapes.iter().cloned().chain(movers).collect()
    }
}

impl Mover {
    /// Returns its outline at a pose, world frame.
    pub fn at(&self, pose: Pose2) -> Vec<[f64; 2]> {
        placed(&self.outline, pose)
    }
}

/// Moves an outline from a body's frame into the world frame.
pub fn placed(outline: &[[f64; 2]], pose: Pose2) -> Vec<[f64; 2]> {
    outline.iter().map(|corner| pose.transform(*corner)).collect()
}

fn surroundings(world: &World) -> Vec<Shape> {
    let mut shapes: Vec<Shape> =
        world.elevation_maps.iter().flat_map(|map| terrain(&map.field)).collect();
    shapes.extend(world.roads.iter().flat_map(|network| roads(&network.surface)));
    let regions = world.regions.iter();
    shapes
        .extend(regions.map(|region| shape(ShapeKind::Region, rectangle(region.min, region.max))));
    let lines = world.scenery.ground_grids.iter().flat_map(simhost_world::GroundGrid::lines);
    shapes.extend(lines.map(|[from, to]| shape(ShapeKind::Grid, thick(from, to, 0.01))));
    for map in &world.grids {
        shapes.extend(solid_cells(&map.grid));
    }
    for wall in &world.walls {
        shapes.push(shape(ShapeKind::Wall, thick(wall.from, wall.to, wall.thickness)));
    }
    for wall in &world.vertical_planes {
        shapes.extend(wall_pieces(wall).map(|piece| shape(ShapeKind::Wall, piece)));
    }
    let blocks = world.blocks.iter().filter(|block| block.is_static && block.animation.is_none());
    shapes.extend(
        blocks
            .map(|block| shape(ShapeKind::Obstacle, placed(&block.polygon, pose_of(&block.pose)))),
    );
    shapes
}

fn movers(world: &World) -> Vec<Mover> {
    let mut names = Names::new(world);
    let mut movers = Vec::new();
    for block in &world.blocks {
        let quantity = names.pose_of(&block.name);
        if block.is_static && block.animation.is_none() {
            continue;
        }
        let label = format!("block/{}", block.name);
        let (outline, start) = (block.polygon.clone(), pose_of(&block.pose));
        movers.push(Mover { label, quantity, outline, start, end: None });
    }
    for actor in &world.actors {
        let (label, quantity) = (format!("actor/{}", actor.name), names.pose_of(&actor.name));
        let (outline, start) = (circle(actor.collision_radius), pose_of(&actor.pose));
        movers.push(Mover { label, quantity, outline, start, end: None });
    }
    movers
}

/// Names of entities in the names of their quantities: one that occurs again has a number.
struct Names(HashMap<String, usize>);

impl Names {
    /// Claims the names that precede the names of blocks.
    fn new(world: &World) -> Self {
        let mut names = Self(HashMap::new());
        names.pose_of("world");
        for vehicle in &world.vehicles {
            names.pose_of(&vehicle.name);
        }
        names
    }

    /// Claims a name, and returns the name of the quantity of its pose.
    fn pose_of(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 { format!("{name}/pose") } else { format!("{name}#{count}/pose") }
    }
}

fn vehicles(world: &World) -> Vec<VehicleShape> {
    let of = |vehicle: &simhost_world::Vehicle| {
        let wheels = vehicle.wheels.iter().map(|wheel| WheelShape {
            name: wheel.tag.replacen("_wheel", "", 1),
            pose: Pose2 { x: wheel.x, y: wheel.y, yaw: wheel.yaw },
            radius: 0.5 * wheel.diameter,
            width: wheel.width,
            mu: number(&vehicle.friction, "mu"),
        });
        let scanners = vehicle.sensors.iter().filter_map(|sensor| {
            let pose = value(&sensor.model, "pose_3d").or_else(|| value(&sensor.model, "pose"));
            Some(Scanner {
                name: sensor.name.clone(),
                pose: pose.map(pose_of_items).unwrap_or_default(),
                field_of_view: number(&sensor.model, "fov_degrees")?,
                reach: number(&sensor.model, "max_range")?,
            })
        });
        VehicleShape {
            name: vehicle.name.clone(),
            outline: vehicle.chassis.polygon.clone(),
            start: pose_of(&vehicle.pose),
            wheels: wheels.collect(),
            scanners: scanners.collect(),
            suspension: vehicle.suspension.as_ref().map(suspension).unwrap_or_default(),
            aerodynamics: aerodynamics(&vehicle.aerodynamics),
        }
    };
    world.vehicles.iter().map(of).collect()
}

fn suspension(suspension: &simhost_world::BodySprings) -> String {
    let simhost_world::BodySprings {
        stiffness, damping, roll_inertia, pitch_inertia, axles, ..
    } = suspension;
    let mut parts =
        vec![format!("springs {} N/m, dampers {} N·s/m", short(*stiffness), short(*damping))];
    for axle in axles.iter() {
        let wheels: Vec<String> = axle.wheels.iter().map(|wheel| (wheel + 1).to_string()).collect();
        parts.push(format!(
            "wheels {}: springs {} N/m, dampers {} N·s/m, bar {} N·m/rad",
            wheels.join(" and "),
            short(axle.stiffness),
            short(axle.damping),
            short(axle.anti_roll_bar)
        ));
    }
    for (name, inertia) in [("roll", roll_inertia), ("pitch", pitch_inertia)] {
        parts.extend(inertia.map(|inertia| format!("{name} inertia {} kg·m²", short(inertia))));
    }
    parts.join("; ")
}

fn aerodynamics(air: &simhost_world::Aerodynamics) -> String {
    if !air.has_force() {
        return String::new();
    }
    let areas =
        [("drag", Some(air.drag_area)), ("lift", Some(air.lift_area)), ("side", air.side_area)];
    let areas = areas.into_iter().filter_map(|(name, area)| Some((name, area?, "m²")));
    let centre = [("pressure x", air.pressure_x), ("pressure z", air.pressure_z)];
    let centre = centre.into_iter().filter_map(|(name, at)| Some((name, at?, "m")));
    let parts: Vec<String> = areas
        .chain(centre)
        .map(|(name, value, unit)| format!("{name} {} {unit}", short(value)))
        .collect();
    parts.join(", ")
}

/// Returns the value of a parameter, if the model has it.
fn value<'a>(model: &'a ModelUse, key: &str) -> Option<&'a ParamValue> {
    let at = model.model.model.params().iter().position(|param| param.key() == key)?;
    model.values.get(at).filter(|value| **value != ParamValue::None)
}

fn number(model: &ModelUse, key: &str) -> Option<f64> {
    match value(model, key)? {
        ParamValue::Number(number) => Some(*number),
        _ => None,
    }
}

/// Returns the pose of a sensor, from three or six numbers, whose angles are in degrees.
fn pose_of_items(value: &ParamValue) -> Pose2 {
    let ParamValue::Items(items) = value else { return Pose2::default() };
    let number = |at: usize| match items.get(at) {
        Some(ParamValue::Number(number)) => *number,
        _ => 0.0,
    };
    let yaw = number(if items.len() > 3 { 3 } else { 2 }).to_radians();
    Pose2 { x: number(0), y: number(1), yaw }
}

fn pose_of(pose: &Pose3) -> Pose2 {
    Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw }
}

fn circle(radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / CIRCLE as f64).sin_cos();
        [radius * cos, radius * sin]
    };
    (0..CIRCLE).map(corner).collect()
}

/// A segment as a rectangle of some thickness.
fn thick(from: [f64; 2], to: [f64; 2], thickness: f64) -> Vec<[f64; 2]> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let scale = 0.5 * thickness / along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
    let aside = [-along[1] * scale, along[0] * scale];
    [(from, -1.0), (to, -1.0), (to, 1.0), (from, 1.0)]
        .map(|([x, y], side)| [x + side * aside[0], y + side * aside[1]])
        .to_vec()
}

/// The parts of a wall between its doors.
fn wall_pieces(wall: &VerticalPlane) -> impl Iterator<Item = Vec<[f64; 2]>> {
    let pose = pose_of(&wall.pose);
    let (from, to) = (pose.transform(wall.from), pose.transform(wall.to));
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let at = move |share: f64| -> [f64; 2] {
        std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
    };
    let thickness = wall.thickness;
    wall.pieces(length).into_iter().map(move |(start, end)| thick(at(start), at(end), thickness))
}

/// Kinds of markers.
const CUBOID: i64 = 1;
const CYLINDER: i64 = 3;
/// Height below which a cuboid is a floor, m.
const FLOOR: f64 = 0.02;
/// Value of a solid cell in a map of the world.
const SOLID: i8 = -100;

impl Scene {
    /// Returns the scene that a recording holds. Terrain is left out.
    pub fn recorded(recorded: &RecordedScene) -> Self {
        let mut scene = Self { gravity: STANDARD_GRAVITY, ..Self::default() };
        for marker in &recorded.markers {
            let outline = outline(marker);
            match marker.label.as_str() {
                "terrain" | "roads" => {}
                "regions" => scene.shapes.push(shape(ShapeKind::Region, outline)),
                "walls" => scene.shapes.push(shape(ShapeKind::Wall, outline)),
                label => match label.split_once('/') {
                    Some(("plane", _)) if marker.size[2] < FLOOR => {}
                    Some(("plane", _)) => scene.shapes.push(shape(ShapeKind::Wall, outline)),
                    Some((_, name)) if marker.frame != "map" => scene.movers.push(Mover {
                        label: label.to_owned(),
                        quantity: format!("{name}/pose"),
                        outline,
                        start: Pose2::default(),
                        end: None,
                    }),
                    Some(("ground_grid", _)) => scene.shapes.push(shape(ShapeKind::Grid, outline)),
                    Some(("block", _)) => scene.shapes.push(shape(ShapeKind::Obstacle, outline)),
                    _ => scene.add_to_vehicle(marker, outline, recorded),
                },
            }
        }
        let maps: Vec<Shape> = recorded.maps.iter().flat_map(map).collect();
        scene.shapes.splice(0..0, maps);
        scene
    }

    /// Adds the chassis or a wheel of a vehicle.
    fn add_to_vehicle(
        &mut self,
        marker: &Marker,
        outline: Vec<[f64; 2]>,
        recorded: &RecordedScene,
    ) {
        let name = &marker.label;
        let Some(vehicle) = self.vehicles.iter_mut().find(|vehicle| vehicle.name == *name) else {
            let name = name.clone();
            self.vehicles.push(VehicleShape { name, outline, ..VehicleShape::default() });
            return;
        };
        let tags = recorded.wheels.iter().find(|(known, _)| known == name);
        let tag = tags.and_then(|(_, tags)| tags.get(vehicle.wheels.len()));
        let [x, y, _, yaw, ..] = marker.pose;
        vehicle.wheels.push(WheelShape {
            name: tag.cloned().unwrap_or_default(),
            pose: Pose2 { x, y, yaw },
            radius: 0.5 * marker.size[0],
            width: marker.size[2],
            mu: None,
        });
    }
}

/// Returns the outline of a shape from above, in its frame.
fn outline(marker: &Marker) -> Vec<[f64; 2]> {
    let [x, y, _, yaw, ..] = marker.pose;
    let [length, width, _] = marker.size;
    let own = match marker.kind {
        CUBOID => [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| [0.5 * length * x, 0.5 * width * y])
            .to_vec(),
        CYLINDER => circle(0.5 * length),
        // the sides of a prism over n corners are 2 n triangles, and its ends 2 (n - 2)
        _ => {
            let corners = marker.points.len() / 12 + 1;
            (0..corners)
                .filter_map(|k| marker.points.get(6 * k))
                .map(|[x, y, _]| [*x, *y])
                .collect()
        }
    };
    placed(&own, Pose2 { x, y, yaw })
}

fn map(map: &RecordedMap) -> Vec<Shape> {
    let cell = |occupancy: &i8| if *occupancy > 50 { SOLID } else { 0 };
    let cells = map.cells.iter().map(cell).collect();
    match OccupancyGrid::new(map.corner, map.resolution, map.size, cells) {
        Ok(grid) => solid_cells(&grid),
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thick_segment_is_as_wide_as_its_thickness() {
        let outline = thick([0.0, 0.0], [2.0, 0.0], 0.4);
        assert_eq!(outline, [[0.0, -0.2], [2.0, -0.2], [2.0, 0.2], [0.0, 0.2]]);
    }
}
