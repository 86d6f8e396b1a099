//! Frames of vehicles and sensors, whose transforms have to be a tree.

use std::collections::{HashMap, HashSet};

use simhost_engine::{SensorInfo, Simulation};
use simhost_streams::ros::frame_id;
use simhost_streams::{Stream, types};
use simhost_world::{Diagnostic, World};

use super::frame_names::{MAP, base_link, odom, unused, wheel_frame};
use super::images;
use super::sensors::uses;
use super::vehicles::moving;

/// Frames of everything that can move but vehicles start with these names.
const KINDS: [&str; 3] = ["block", "actor", "plane"];

/// Owner of a frame, as messages show it.
enum FrameOwner<'s> {
    World,
    Odometry(&'s str),
    Vehicle(&'s str),
    Wheel(&'s str, &'s str),
    Moving(String),
    Sensor(&'s SensorInfo),
}

impl std::fmt::Display for FrameOwner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::World => write!(f, "the world"),
            Self::Odometry(vehicle) => write!(f, "the odometry of vehicle '{vehicle}'"),
            Self::Vehicle(vehicle) => write!(f, "vehicle '{vehicle}'"),
            Self::Wheel(wheel, vehicle) => write!(f, "wheel '{wheel}' of '{vehicle}'"),
            Self::Moving(frame) => write!(f, "'{frame}'"),
            Self::Sensor(info) => write!(f, "sensor '{}' of '{}'", info.sensor, info.vehicle),
        }
    }
}

/// Checks that no two frames have the same name, and returns the first error.
pub(super) fn check(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let like_kind = world.vehicles.iter().find(|vehicle| KINDS.contains(&vehicle.name.as_str()));
    if like_kind.is_none() && simulation.sensors().is_empty() {
        // the frames of vehicles differ as their names do
        return None;
    }
    let mut owners = owners(simulation);
    if let Some(vehicle) = like_kind {
        for frame in moving(world, simulation).into_iter().map(|one| one.frame) {
            if let Some(other) = owners.insert(frame.clone(), FrameOwner::Moving(frame.clone())) {
                let message =
                    format!("the frame `{frame}` of a moving body is already used by {other}");
                let error = Diagnostic::error(message).at(vehicle.span);
                let help = "rename this vehicle, or the block, actor or plane";
                return Some(error.label("frame names must be unique").help(help));
            }
        }
    }
    simulation.sensors().iter().zip(uses(world)).find_map(|(info, (sensor, _))| {
        let own = format!("{}/{}", info.vehicle, info.sensor);
        let images: Vec<_> =
            info.images.iter().map(|image| images::frame(&own, &image.name)).collect();
        std::iter::once(own).chain(images).find_map(|frame| {
            let other = owners.insert(frame.clone(), FrameOwner::Sensor(info))?;
            let message = format!(
                "the frame `{frame}` of sensor '{}' is already used by {other}",
                info.sensor
            );
            let help = format!("choose another name, such as `{}_sensor`", info.sensor);
            let error = Diagnostic::error(message).at(sensor.model.span);
            Some(error.label("frame names must be unique").help(help))
        })
    })
}

/// Returns the frames of the world, and of vehicles and their wheels.
fn owners(simulation: &Simulation) -> HashMap<String, FrameOwner<'_>> {
    let mut owners = HashMap::from([(MAP.to_owned(), FrameOwner::World)]);
    for vehicle in simulation.vehicle_names().iter() {
        owners.insert(odom(vehicle), FrameOwner::Odometry(vehicle));
        owners.insert(base_link(vehicle), FrameOwner::Vehicle(vehicle));
    }
    for wheel in simulation.wheels() {
        let owner = FrameOwner::Wheel(wheel.wheel, wheel.vehicle);
        owners.insert(wheel_frame(wheel.vehicle, wheel.wheel), owner);
    }
    owners
}

/// Gives frames whose names become equal in messages different ones: the first part of the later
/// name, which names a vehicle, ends with `_2`, or else its end. All streams then use the new name.
pub(super) fn distinguish<'s>(streams: impl Iterator<Item = &'s mut Stream>) {
    let mut names = FrameNames::default();
    for stream in streams {
        let has_children = stream.kind.name == types::Transforms::TYPE.name
            || stream.labels.first() == Some(&stream.child_frame) && !stream.child_frame.is_empty();
        let children = has_children.then_some(&mut stream.labels);
        let lists = children.into_iter().chain([&mut stream.label_frames]).flatten();
        for frame in [&mut stream.frame, &mut stream.child_frame].into_iter().chain(lists) {
            if let Some(other) = names.claim(frame) {
                *frame = other;
            }
        }
    }
}

/// Frames and their names in messages.
#[derive(Default)]
struct FrameNames {
    /// Names in messages by first part, and by whole name.
    ids: [HashMap<String, String>; 2],
    used: [HashSet<String>; 2],
}

impl FrameNames {
    /// Returns another name for a frame whose name in messages is already in use.
    fn claim(&mut self, frame: &str) -> Option<String> {
        if !self.ids[1].contains_key(frame) {
            let first = frame.split('/').next().unwrap_or(frame);
            let own = self.id(0, first, frame_id(first).into_owned());
            let rest = frame.strip_prefix(first).unwrap_or_default();
            self.id(1, frame, frame_id(&format!("{own}{rest}")).into_owned());
        }
        let id = &self.ids[1][frame];
        (*id != frame_id(frame)).then(|| id.clone())
    }

    /// Returns the name in messages of a first part or of a whole name, which is `wanted` if that is free.
    fn id(&mut self, kind: usize, name: &str, wanted: String) -> String {
        if let Some(known) = self.ids[kind].get(name) {
            return known.clone();
        }
        let id = unused(&wanted, "_", |id| self.used[kind].insert(id.to_owned()));
        self.ids[kind].insert(name.to_owned(), id.clone());
        id
    }
}

#[cfg(test)]
mod tests {
    use super::FrameNames;

    #[test]
    fn equal_names_in_messages_are_told_apart() {
        let mut names = FrameNames::default();
        let mut claim = |frame: &str| names.claim(frame);
        assert_eq!(claim("map"), None);
        assert_eq!(claim("robot-1/base_link"), None);
        assert_eq!(claim("robot_1/base_link").as_deref(), Some("robot_1_2/base_link"));
        assert_eq!(claim("robot_1/odom").as_deref(), Some("robot_1_2/odom"));
        assert_eq!(claim("robot_1/base-link").as_deref(), Some("robot_1_2/base_link_2"));
        assert_eq!(claim("robot_1/base_link").as_deref(), Some("robot_1_2/base_link"));
        assert_eq!(claim("Äpfel/odom"), None);
        assert_eq!(claim("Öpfel/odom").as_deref(), Some("_pfel_2/odom"));
        assert_eq!(claim("block/crate"), None);
        assert_eq!(claim("block/base_link"), None);
    }
}
