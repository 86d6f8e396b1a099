//! Vehicles and their frames.

use std::collections::BTreeSet;

use simhost_engine::{Quantities, QuantityScope, Simulation};
use simhost_model::ParamValue;
use simhost_streams::source::REPORTS;
use simhost_streams::{Stream, Trigger, types};
use simhost_world::World;

use super::bind::Owners;
use super::draft::{Draft, Fill, Gate};
use super::frame_names::{MAP, base_link, entity, odom, wheel_frame};
use super::transforms::{Place, Transforms};
use super::{images, sensors};

/// Returns the streams of transforms: `map` → `VEH/odom` → `VEH/base_link` → wheels, and everything else that
/// moves; and `VEH/base_link` → sensors.
pub(super) fn transforms(
    world: &World,
    simulation: &Simulation,
    owners: &Owners,
    moving: &[Moving],
) -> Vec<Draft> {
    let (mut tree, mut mounted) = (Tree::default(), Tree::default());
    let mut wheels = simulation.wheels().peekable();
    let mut described = world.vehicles.iter();
    for vehicle in simulation.vehicle_names().iter() {
        let entity = entity(vehicle);
        let [truth, odometry] =
            ["pose", "odometry_pose"].map(|name| tree.value(format!("{entity}/{name}")));
        let described = described.next();
        let (origin, own) = match described.is_some_and(|one| one.has_true_odometry_frame) {
            true => (Place::Fixed([0.0; 6]), truth),
            false => (Place::Odometry { truth, odometry }, odometry),
        };
        tree.add(MAP.to_owned(), odom(vehicle), origin);
        tree.add(odom(vehicle), base_link(vehicle), Place::Pose(own));
        let forms = described.map_or(&[][..], |vehicle| &vehicle.wheels);
        for (tag, form) in owners.tags(vehicle).iter().zip(forms) {
            let Some(wheel) = wheels.next_if(|wheel| wheel.vehicle == vehicle) else { break };
            let [x, y] = wheel.position;
            let at = [x, y, 0.5 * form.diameter, form.yaw];
            let [steer, angle] =
                ["steer", "angle"].map(|name| tree.value(format!("{entity}/wheel/{tag}/{name}")));
            let frame = wheel_frame(vehicle, tag);
            tree.add(base_link(vehicle), frame, Place::Wheel { at, steer, angle });
        }
    }
    for (number, sensor) in simulation.sensors().iter().enumerate() {
        let parent = match sensors::is_mounted(world, simulation, number) {
            true => base_link(&sensor.vehicle),
            false => MAP.to_owned(),
        };
        let child = format!("{}/{}", sensor.vehicle, sensor.sensor);
        for image in sensor.images.iter() {
            let frame = images::frame(&child, &image.name);
            mounted.add(parent.clone(), frame, Place::Fixed(image.pose));
        }
        mounted.add(parent, child, Place::Sensor(number));
    }
    for frame in origins(world) {
        mounted.add(MAP.to_owned(), frame.to_owned(), Place::Fixed([0.0; 6]));
    }
    for Moving { frame, quantity } in moving {
        let pose = tree.value(quantity.clone());
        tree.add(MAP.to_owned(), frame.clone(), Place::Pose(pose));
    }
    let mut drafts = vec![tree.draft("tf")];
    if !mounted.children.is_empty() {
        let mut draft = mounted.draft("tf_static");
        draft.stream.trigger = Trigger::Start;
        drafts.push(Draft { gate: Gate::Static { passed: None }, ..draft });
    }
    drafts
}

/// Returns the frames, except the frame of the world, in which sensors of planning models report
/// poses in the world. They coincide with the world.
fn origins(world: &World) -> BTreeSet<&str> {
    let sensors = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
    let reports = sensors.filter(|sensor| *sensor.model.model.full_name == *REPORTS);
    let origins = reports.filter_map(|sensor| match sensor.model.value("origin_frame_id")? {
        ParamValue::Text(frame) => Some(frame.as_str()),
        _ => None,
    });
    origins.filter(|frame| *frame != MAP).collect()
}

#[derive(Default)]
struct Tree {
    parents: Vec<String>,
    children: Vec<String>,
    frames: Vec<Place>,
    /// Names of the quantities.
    values: Vec<Vec<String>>,
}

impl Tree {
    /// Adds a quantity, and returns its index.
    fn value(&mut self, name: String) -> usize {
        self.values.push(vec![name]);
        self.values.len() - 1
    }

    fn draft(self, name: &str) -> Draft {
        let Self { parents, children, frames, values } = self;
        let stream = Stream {
            labels: children,
            label_frames: parents,
            ..Stream::new(name, types::Transforms::TYPE.into())
        };
        Draft { values, ..Draft::new(stream, Fill::Transforms(Transforms { frames })) }
    }

    fn add(&mut self, parent: String, child: String, frame: Place) {
        self.parents.push(parent);
        self.children.push(child);
        self.frames.push(frame);
    }
}

/// A block, actor or plane that can move.
pub(super) struct Moving {
    /// Its frame, such as `block/crate`.
    pub frame: String,
    /// Name of the quantity that is its pose.
    pub quantity: String,
}

/// Returns the blocks, actors and planes that can move: blocks first, then actors and planes, each in the
/// order of the world file.
pub(super) fn moving(world: &World, simulation: &Simulation) -> Vec<Moving> {
    let is_moved = |block: &simhost_world::Block| !block.is_static || block.animation.is_some();
    let blocks = world.blocks.iter().map(|block| ("block", is_moved(block)));
    let actors = world.actors.iter().map(|_| ("actor", true));
    let horizontal = world.horizontal_planes.iter().map(|plane| plane.animation.is_some());
    let vertical = world.vertical_planes.iter().map(|plane| plane.animation.is_some());
    let planes = horizontal.chain(vertical).map(|is_moved| ("plane", is_moved));
    let all: Vec<(&str, bool)> = blocks.chain(actors).chain(planes).collect();
    if all.iter().all(|(_, is_moved)| !is_moved) {
        return Vec::new();
    }
    let is_pose = |name: &str| name.ends_with("/pose");
    let quantities = Quantities::new(world, simulation, is_pose);
    let scopes = [QuantityScope::Block, QuantityScope::Actor, QuantityScope::Plane];
    let infos = quantities.infos().iter().filter(|info| scopes.contains(&info.scope));
    let moved = all.iter().zip(infos).filter(|((_, is_moved), _)| *is_moved);
    moved
        .map(|((kind, _), info)| {
            let name = info.name.strip_suffix("/pose").unwrap_or(&info.name);
            Moving { frame: format!("{kind}/{name}"), quantity: info.name.clone() }
        })
        .collect()
}
