//! Who walks along a path.

use super::animation::ANIMATION;
use super::language::{IF, INCLUDE};
use super::publish::PUBLISH;
use super::visual::VISUAL;
use super::{Entry, POSE_2D, POSE_3D, Section, Value, attribute, child, number, section};

pub(crate) static ACTOR: Section = section("actor", "Someone who walks along a path.", INSTANCE);
pub(crate) static CLASS: Section =
    section("actor:class", "What actors of a class have in common.", IN_CLASS);
const COUNT: usize = 18;
const INSTANCE: &[Entry] = &super::entry::joined::<COUNT, 2, { COUNT + 2 }>(
    PARTS,
    &[
        attribute("name", Value::Text, "Unique among actors.").or_else("actor1, actor2, …"),
        attribute("class", Value::Text, "An `<actor:class>` that stands before."),
    ],
);
const IN_CLASS: &[Entry] = &super::entry::joined::<COUNT, 1, { COUNT + 1 }>(
    PARTS,
    &[attribute("name", Value::Text, "What `class` refers to.").required()],
);

const PARTS: &[Entry; COUNT] = &[
    child("init_pose", Value::Row(POSE_2D), "Pose at the start, m and degrees.")
        .or_else("one of the two is needed"),
    child("init_pose3d", Value::Row(POSE_3D), "Pose at the start, m and degrees.")
        .or_else("one of the two is needed"),
    child(
        "skip_elevation_adjust",
        Value::Presence,
        "Keeps its height instead of looking for the ground.",
    ),
    child("walking_speed", number("m/s").above(0.0), "Speed of walking.").or("1.4"),
    child("running_speed", number("m/s").above(0.0), "Speed of running.").or("3.5"),
    child("collision_radius", number("m").above(0.0), "Radius of the body.").or("0.3"),
    child("collision_height", number("m").above(0.0), "Height of the body.").or("1.7"),
    child("height", number("m").above(0.0), "Height of the figure.")
        .or("1.75")
        .unmissed("MVSim reads it and does not use it"),
    child("turning_rate", number("deg/s"), "Speed of turning.")
        .lost("MVSim's manual has it, MVSim does not read it"),
    child("animation_idle", Value::Text, "Clip for standing.").or("idle"),
    child("animation_walk", Value::Text, "Clip for walking.").or("walk"),
    child("animation_run", Value::Text, "Clip for running.").or("run"),
    child("path", Value::Tag(&PATH), "Where it goes."),
    child("visual", Value::Tag(&VISUAL), "How it looks.").repeats(),
    child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    child("animation", Value::Tag(&ANIMATION), "A motion that is played instead of the path."),
    child("include", Value::Tag(&INCLUDE), "Reads another file in its place.").repeats(),
    child("if", Value::Tag(&IF), "Its contents, if a condition holds.").repeats(),
];

pub(crate) static PATH: Section = section(
    "path",
    "Places to go to, one after the other.",
    &[
        attribute("loop", Value::Bool, "Begins again at its end.").or("true"),
        child("waypoint", Value::Tag(&WAYPOINT), "A place.").repeats(),
    ],
);

/// Layouts of the text of a waypoint.
pub(crate) const PLACE: &[&str] = &["X Y YAW_DEG", "X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

pub(crate) static WAYPOINT: Section = section(
    "waypoint",
    "A place, as the text of the tag: X Y YAW_DEG or X Y Z YAW_DEG PITCH_DEG ROLL_DEG.",
    &[
        attribute("pause", number("s").at_least(0.0), "Wait on arrival.").or("0"),
        attribute("animation", Value::Choice(&["walk", "run", "idle"]), "How to get there.")
            .or("walk"),
    ],
);
