//! Streams of the states of vehicles, and the tree of frames.

use std::sync::Arc;

use simhost_engine::{Quantities, QuantityScope, Simulation};
use simhost_streams::{Stream, StreamType, types};
use simhost_world::World;

use super::draft::{Draft, Frame, Source};
use super::{images, robot_faults, sensors};

/// Frame of the world.
pub(super) const MAP: &str = "map";

/// Quantities of a wheel in the order of the fields of [`types::WHEELS`].
const WHEEL: [&str; 11] =
    ["x", "y", "spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"];

/// Types that many streams share.
struct Types {
    odometry: Arc<StreamType>,
    joints: Arc<StreamType>,
    wheels: Arc<StreamType>,
}

/// Returns the name of a vehicle in the names of its quantities.
pub(super) fn entity(vehicle: &str) -> &str {
    // the world has claimed its name before
    if vehicle == "world" { "world#2" } else { vehicle }
}

/// Adds the streams of all vehicles.
pub(super) fn add(simulation: &Simulation, drafts: &mut Vec<Draft>) {
    let types = Types {
        odometry: Arc::new(types::ODOMETRY),
        joints: Arc::new(types::JOINT_STATE),
        wheels: Arc::new(types::WHEELS),
    };
    let mut wheels = simulation.wheels().peekable();
    for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
        let mut tags = Vec::new();
        while let Some(wheel) = wheels.next_if(|wheel| wheel.vehicle == vehicle) {
            tags.push(unique(&tags, wheel.wheel));
        }
        add_vehicle(vehicle, &tags, &types, drafts);
        drafts.push(robot_faults::stream(vehicle, number));
    }
}

/// Returns a name, with a number if it is among the earlier ones, as in the names of quantities.
pub(super) fn unique(earlier: &[String], name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}#{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !earlier.contains(name)).unwrap_or_default()
}

fn add_vehicle(vehicle: &str, tags: &[String], types: &Types, drafts: &mut Vec<Draft>) {
    let entity = entity(vehicle);
    let (base, odom) = (format!("{vehicle}/base_link"), format!("{vehicle}/odom"));
    let named = |name: &str| format!("{entity}/{name}");
    let odometry = Stream {
        frame: odom,
        child_frame: base.clone(),
        ..Stream::new(format!("{vehicle}/odometry"), types.odometry.clone())
    };
    drafts.push(Draft::of_quantities(odometry, ["odometry_pose", "odometry_twist"].map(named)));
    let truth = Stream {
        frame: MAP.to_owned(),
        child_frame: base.clone(),
        ..Stream::new(format!("{vehicle}/ground_truth"), types.odometry.clone())
    };
    drafts.push(Draft::of_quantities(truth, ["pose", "twist"].map(named)));
    if tags.is_empty() {
        return;
    }
    let of_wheels = |quantity: &'static str| {
        tags.iter().map(move |tag| format!("{entity}/wheel/{tag}/{quantity}"))
    };
    let wheels = Stream {
        frame: base.clone(),
        labels: tags.to_vec(),
        ..Stream::new(format!("{vehicle}/wheels"), types.wheels.clone())
    };
    let columns: Vec<_> = WHEEL.iter().flat_map(|quantity| of_wheels(quantity)).collect();
    drafts.push(Draft::of_quantities(wheels, columns));
    let joint =
        |joint: &'static str| tags.iter().map(move |tag| format!("{vehicle}/{tag}/{joint}"));
    let joints = Stream {
        frame: base,
        labels: joint("spin").chain(joint("steer")).collect(),
        ..Stream::new(format!("{vehicle}/joint_states"), types.joints.clone())
    };
    let names = ["angle", "steer", "spin"].into_iter().flat_map(of_wheels);
    drafts.push(Draft::new(joints, Source::Joints(names.collect())));
}

/// Returns the stream of transforms: `map` → `VEH/odom` → `VEH/base_link` → sensors, and everything else
/// that moves.
pub(super) fn transforms(world: &World, simulation: &Simulation, moving: &[Moving]) -> Draft {
    let mut tree = Tree::default();
    for vehicle in simulation.vehicle_names() {
        let entity = entity(vehicle);
        let [truth, odometry] = ["pose", "odometry_pose"].map(|name| format!("{entity}/{name}"));
        let (odom, base) = (format!("{vehicle}/odom"), format!("{vehicle}/base_link"));
        let origin = Frame::Odometry { truth, odometry: odometry.clone() };
        tree.add(MAP.to_owned(), odom.clone(), origin);
        tree.add(odom, base, Frame::Pose(odometry));
    }
    for (number, sensor) in simulation.sensors().iter().enumerate() {
        let parent = match sensors::is_mounted(world, simulation, number) {
            true => format!("{}/base_link", sensor.vehicle),
            false => MAP.to_owned(),
        };
        let child = format!("{}/{}", sensor.vehicle, sensor.sensor);
        for image in sensor.images.iter() {
            let frame = images::frame(&child, &image.name);
            tree.add(parent.clone(), frame, Frame::Fixed(image.pose));
        }
        tree.add(parent, child, Frame::Sensor(number));
    }
    for Moving { frame, quantity } in moving {
        tree.add(MAP.to_owned(), frame.clone(), Frame::Pose(quantity.clone()));
    }
    let Tree { parents, children, frames } = tree;
    let stream = Stream {
        labels: children,
        label_frames: parents,
        ..Stream::new("tf", types::TRANSFORMS.into())
    };
    Draft::new(stream, Source::Transforms(frames))
}

#[derive(Default)]
struct Tree {
    parents: Vec<String>,
    children: Vec<String>,
    frames: Vec<Frame>,
}

impl Tree {
    fn add(&mut self, parent: String, child: String, frame: Frame) {
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
