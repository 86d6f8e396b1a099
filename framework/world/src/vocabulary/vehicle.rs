//! What moves under its own power.

use simhost_abi::Kind;

use super::animation::ANIMATION;
use super::chassis::CHASSIS;
use super::language::{FOR, IF, INCLUDE};
use super::publish::PUBLISH;
use super::sensor::SENSOR;
use super::visual::VISUAL;
use super::{Entry, POSE_2D, POSE_3D, Section, Value, attribute, child, number, section};

pub(crate) static VEHICLE: Section =
    section("vehicle", "What moves under its own power.", INSTANCE).first_holds();
pub(crate) static CLASS: Section =
    section("vehicle:class", "What vehicles of a class have in common.", IN_CLASS).first_holds();
const COUNT: usize = 19;
const INSTANCE: &[Entry] = &super::entry::joined::<COUNT, 2, { COUNT + 2 }>(
    PARTS,
    &[
        attribute("name", Value::Text, "Unique among vehicles.").or_else("veh1, veh2, …"),
        attribute("class", Value::Text, "A `<vehicle:class>` that stands before."),
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
    child(
        "init_vel",
        Value::Row(&["VX VY OMEGA_DEG"]),
        "Velocity in its own frame, m/s and degrees/s; wheels roll along.",
    )
    .or("0 0 0"),
    child("dynamics", Value::Tag(&DYNAMICS), "Wheels, chassis, controller.")
        .or_else("needed here or in the class"),
    child("friction", Value::Tag(&FRICTION), "Force between wheels and ground.")
        .or_else("class `default`"),
    child("aerodynamics", Value::Tag(&AERODYNAMICS), "Drag and lift.").or_else("no air"),
    child("suspension", Value::Tag(&SUSPENSION), "Springs and dampers between wheels and body.")
        .or_else("stiff: loads follow at once"),
    child("odometry", Value::Tag(&ODOMETRY), "Errors of the odometry."),
    child("sensor", Value::Tag(&SENSOR), "A sensor.").repeats(),
    child("visual", Value::Tag(&VISUAL), "How it looks.").repeats(),
    child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    child("animation", Value::Tag(&ANIMATION), "A motion that is played instead of driving."),
    child("include", Value::Tag(&INCLUDE), "Reads another file in its place.").repeats(),
    child("if", Value::Tag(&IF), "Its contents, if a condition holds.").repeats(),
    child("for", Value::Tag(&FOR), "Repeats its contents.").repeats(),
    child("controller", Value::Presence, "Not read here.").lost("it belongs into <dynamics>"),
    child("log_path", Value::Text, "File of the peer's log.").unmissed("files are named otherwise"),
    child("auto_start_recording", Value::Bool, "Starts that log.")
        .or("false")
        .unmissed("every run is recorded"),
];

pub(crate) static AERODYNAMICS: Section = section(
    "aerodynamics",
    "Force of the air by the square of the speed.",
    &[
        attribute("drag_area", number("m²").at_least(0.0), "Drag coefficient times frontal area.")
            .or("0"),
        attribute("lift_area", number("m²"), "Lift coefficient times area; negative presses down.")
            .or("0"),
    ],
);

pub(crate) static SUSPENSION: Section = section(
    "suspension",
    "Springs and dampers: the body rolls and pitches, and loads follow it.",
    &[
        attribute("stiffness", number("N/m").above(0.0), "Spring of each wheel.").required(),
        attribute("damping", number("N·s/m").at_least(0.0), "Damper of each wheel.").required(),
        attribute("roll_inertia", number("kg·m²").above(0.0), "Of the chassis about its x axis.")
            .or_else("of a box as wide and high as the chassis"),
        attribute("pitch_inertia", number("kg·m²").above(0.0), "Of the chassis about its y axis.")
            .or_else("of a box as long and high as the chassis"),
    ],
);

pub(crate) static ODOMETRY: Section = section(
    "odometry",
    "Factors on the increments of the odometry pose.",
    &[
        attribute("x_multiplier", number("1"), "Forwards.").or("1"),
        attribute("y_multiplier", number("1"), "To the left.").or("1"),
        attribute("yaw_multiplier", number("1"), "Turning.").or("1"),
    ],
);

pub(crate) static DYNAMICS: Section = section(
    "dynamics",
    "Wheels, chassis, controller, and the parameters of the class.",
    &[
        attribute("class", Value::Class(Kind::Dynamics), "From actuators to wheels.").required(),
        child("chassis", Value::Tag(&CHASSIS), "The body.").or_else("of the class"),
        child("controller", Value::Tag(&CONTROLLER), "From commands to actuators.")
            .or_else("class `raw`"),
        child("visual", Value::Tag(&VISUAL), "Not read here.")
            .repeats()
            .lost("it belongs beside <dynamics>"),
    ],
)
.with_model(Kind::Dynamics);

/// Why settings of controllers do nothing.
const NOT_PARSED: &str = "MVSim's manual has it, MVSim does not read it";

pub(crate) static CONTROLLER: Section = section(
    "controller",
    "From commands to actuators, with the parameters of the class.",
    &[
        attribute("class", Value::Class(Kind::Controller), "Which.").or("raw"),
        child("I_MAX", number("1"), "Limit of an integrator.").lost(NOT_PARSED),
        child("l_torque", number("N·m"), "Torque of the left wheel.").lost(NOT_PARSED),
        child("r_torque", number("N·m"), "Torque of the right wheel.").lost(NOT_PARSED),
        child("viz_height", number("m"), "Height of the drawn path.")
            .unmissed("matters to a picture only"),
    ],
)
.with_model(Kind::Controller);

pub(crate) static FRICTION: Section = section(
    "friction",
    "Force between wheels and ground, with the parameters of the class.",
    &[attribute("class", Value::Class(Kind::Friction), "Which.")
        .or_else("that of the vehicle's class, else `default`")],
)
.with_model(Kind::Friction);
