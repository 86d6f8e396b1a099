//! Vehicles and their frames.

use simhost_engine::{Quantities, QuantityScope, Simulation};
use simhost_streams::{Stream, types};
use simhost_world::World;

use super::draft::Draft;
use super::output::Fill;
use super::transforms::{Place, Transforms};
use super::{images, sensors};

/// Frame of the world.
pub(super) const MAP: &str = "map";

/// Returns the frame of a vehicle.
pub(super) fn base_link(vehicle: &str) -> String {
    format!("{vehicle}/base_link")
}

/// Returns the frame of the odometry of a vehicle.
pub(super) fn odom(vehicle: &str) -> String {
    format!("{vehicle}/odom")
}

/// Returns the name of a vehicle in the names of its quantities.
pub(super) fn entity(vehicle: &str) -> &str {
    // the world has claimed its name before
    if vehicle == "world" { "world#2" } else { vehicle }
}

/// Returns the stream of transforms: `map` → `VEH/odom` → `VEH/base_link` → sensors, and everything else
/// that moves.
pub(super) fn transforms(world: &World, simulation: &Simulation, moving: &[Moving]) -> Draft {
    let mut tree = Tree::default();
    for vehicle in simulation.vehicle_names() {
        let entity = entity(vehicle);
        let [truth, odometry] =
            ["pose", "odometry_pose"].map(|name| tree.value(format!("{entity}/{name}")));
        let origin = Place::Odometry { truth, odometry };
        tree.add(MAP.to_owned(), odom(vehicle), origin);
        tree.add(odom(vehicle), base_link(vehicle), Place::Pose(odometry));
    }
    for (number, sensor) in simulation.sensors().iter().enumerate() {
        let parent = match sensors::is_mounted(world, simulation, number) {
            true => base_link(&sensor.vehicle),
            false => MAP.to_owned(),
        };
        let child = format!("{}/{}", sensor.vehicle, sensor.sensor);
        for image in sensor.images.iter() {
            let frame = images::frame(&child, &image.name);
            tree.add(parent.clone(), frame, Place::Fixed(image.pose));
        }
        tree.add(parent, child, Place::Sensor(number));
    }
    for Moving { frame, quantity } in moving {
        let pose = tree.value(quantity.clone());
        tree.add(MAP.to_owned(), frame.clone(), Place::Pose(pose));
    }
    let Tree { parents, children, frames, values } = tree;
    let stream = Stream {
        labels: children,
        label_frames: parents,
        ..Stream::new("tf", types::Transforms::TYPE.into())
    };
    Draft { values, ..Draft::new(stream, Fill::Transforms(Transforms { frames })) }
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
