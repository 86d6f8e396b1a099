//! The path of an actor.

use std::sync::Arc;

use simhost_scene::Pose3;

use crate::pose::{POSE_ANY, pose_from_row};
use crate::reader::{ElementReader, Words, declare, words};
use crate::value;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Value, element, non_negative};

declare! {
    /// Waypoints in the order in which they are visited.
    section = element("path");

    /// The path of an actor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ActorPath {
        /// Starts again at the end.
        pub repeats: bool = attribute(Value::Bool).named("loop").or("true");
        /// Waypoints in the order in which they are visited.
        pub waypoints: Arc<[Waypoint]> =
            child(Value::Element(Waypoint::SECTION)).named("waypoint").doc("A waypoint.").repeats();
    }
}

declare! {
    /// A waypoint. Its text is X Y YAW_DEG or X Y Z YAW_DEG PITCH_DEG ROLL_DEG.
    section = element("waypoint").with_text() => read_pose;

    /// A waypoint of an actor's path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Waypoint {
        /// Pose on arrival.
        pub pose: Pose3 => |_| Pose3::default();
        /// Waiting time on arrival.
        pub pause: f64 = attribute(non_negative("s")).or("0");
        /// Gait on the way to the waypoint.
        pub gait: Gait = attribute(Value::Choice(Gait::WORDS)).named("animation").or("walk");
    }
}

/// The gait of an actor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Standing. The actor never arrives.
    Idle,
    /// At the walking speed.
    #[default]
    Walk,
    /// At the running speed.
    Run,
}

words!(Gait { "walk" => Walk, "run" => Run, "idle" => Idle });

/// Reads the pose of a waypoint from its text.
fn read_pose(waypoint: Waypoint, reader: &mut ElementReader<'_, '_, '_>) -> Option<Waypoint> {
    let element = reader.element;
    let context = &mut *reader.context;
    let Some(text) = &element.text else {
        context.report.error(element.name_span, "empty waypoint", "expected X Y YAW_DEG");
        return None;
    };
    let row = value::row(context, text, "waypoint", POSE_ANY)?;
    Some(Waypoint { pose: pose_from_row(&row), ..waypoint })
}
