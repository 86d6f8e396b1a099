//! The path of an actor.

use simhost_scene::Pose3;

use crate::context::Context;
use crate::pose::{POSE_ANY, pose_from_row};
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::value;
use crate::vocabulary::{Section, Value, attribute, child, non_negative, section};

/// A waypoint of an actor's path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Pose on arrival.
    pub pose: Pose3,
    /// Waiting time on arrival in s.
    pub pause: f64,
    /// Gait on the way to the waypoint.
    pub gait: Gait,
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

pub(super) static PATH: Section = section(
    "path",
    "Waypoints in the order in which they are visited.",
    &[
        attribute("loop", Value::Bool, "Starts again at the end.").or("true"),
        child("waypoint", Value::Element(&WAYPOINT), "A waypoint.").repeats(),
    ],
);

static WAYPOINT: Section = section(
    "waypoint",
    "A waypoint. Its text is X Y YAW_DEG or X Y Z YAW_DEG PITCH_DEG ROLL_DEG.",
    &[
        attribute("pause", non_negative("s"), "Waiting time on arrival.").or("0"),
        attribute(
            "animation",
            Value::Choice(&["walk", "run", "idle"]),
            "Gait on the way to the waypoint.",
        )
        .or("walk"),
    ],
);

/// Reads a path. The flag is true if it starts again at the end.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> (bool, Vec<Waypoint>) {
    let mut reader = ElementReader::new(context, element, &PATH);
    let (repeats, waypoints) = (reader.flag("loop"), reader.children(&["waypoint"]));
    reader.finish();
    let waypoints = waypoints.into_iter().filter_map(|element| read_waypoint(context, element));
    (repeats, waypoints.collect())
}

fn read_waypoint(context: &mut Context<'_>, element: &Element) -> Option<Waypoint> {
    let mut reader = ElementReader::new(context, element, &WAYPOINT);
    reader.reads_text = true;
    let pause = reader.number("pause");
    let gait = match reader.word("animation") {
        "idle" => Gait::Idle,
        "run" => Gait::Run,
        _ => Gait::Walk,
    };
    reader.finish();
    let Some(text) = &element.text else {
        context.report.error(element.name_span, "empty waypoint", "expected X Y YAW_DEG");
        return None;
    };
    let row = value::row(context, text, "waypoint", POSE_ANY)?;
    Some(Waypoint { pose: pose_from_row(&row), pause, gait })
}
