//! The root.

use super::language::{FOR, IF, INCLUDE, VARIABLE};
use super::sensor::STANDALONE;
use super::{
    Entry, Section, Value, actor, attribute, block, child, georeference, gui, integer, joint,
    lights, map, marker, number, plane, region, section, terrain, vehicle, walls,
};

/// Why settings of the peer's solver do nothing.
const OTHER_SOLVER: &str = "the solver chooses its own iterations";

/// Classes of `<element>`.
pub(crate) static ELEMENTS: &[&Section] = &[
    &map::OCCUPANCY_GRID,
    &terrain::ELEVATION_MAP,
    &plane::HORIZONTAL_PLANE,
    &plane::VERTICAL_PLANE,
    &map::GROUND_GRID,
    &map::POINT_CLOUD,
    &region::PROPERTY_REGION,
    &map::SKYBOX,
];

pub(crate) static FAULTS: Section = section(
    "plugin_faults",
    "What happens when a model faults; a later one goes before an earlier one.",
    &[
        attribute(
            "on",
            Value::Choice(&["all", "panic", "non_finite", "step_too_large"]),
            "The kind of fault: a panic, a number that is not finite, a step that is too large.",
        )
        .or("all"),
        attribute(
            "action",
            Value::Choice(&["stop", "disable", "fallback"]),
            "End the run; go on without the vehicle's models; or let `default` friction take over.",
        )
        .required(),
    ],
);

pub(crate) static WORLD: Section = section("mvsim_world", "A world.", ENTRIES);

const ENTRIES: &[Entry] = &[
    attribute("version", Value::Text, "MAJOR.MINOR; checked for its form only.").or("1.0"),
    attribute("compat", Value::Text, "Name of a profile.").or("corrected"),
    attribute("flat", Value::Bool, "Made by `simhost print`: nothing is to be evaluated again.")
        .or("false"),
    child("duration", number("s").above(0.0), "Simulated time of a run."),
    child(
        "random_seed",
        Value::Table("a whole number from 0 to 18446744073709551615"),
        "Seed of every random draw.",
    )
    .or("0"),
    child(
        "simul_timestep",
        number("s").at_least(0.0),
        "Length of a step; 0 is 5 ms or the shortest period of a sensor.",
    )
    .or("0"),
    child("gravity", number("m/s²").at_least(0.0), "Gravity.").or("9.81"),
    child("air_density", number("kg/m³").at_least(0.0), "Density of the air.").or("1.225"),
    child(
        "substeps",
        integer("").at_least(1.0).at_most(1000.0),
        "Parts of a step in which wheels and bodies move; models of controllers and sensors see whole steps.",
    )
    .or("1"),
    child(
        "integrator",
        Value::Choice(&["euler", "extrapolated"]),
        "How wheels and bodies move within a part: semi-implicit Euler, or its extrapolation, of second order.",
    )
    .or("euler"),
    child(
        "collision_threshold",
        number("m").at_least(0.0),
        "Bodies closer than this are counted as touching.",
    )
    .or("0.03")
    .unmissed("contacts are found without a margin"),
    child("plugin_faults", Value::Tag(&FAULTS), "What happens when a model faults.").repeats(),
    child("vehicle:class", Value::Tag(&vehicle::CLASS), "Declares a class of vehicles.").repeats(),
    child("vehicle", Value::Tag(&vehicle::VEHICLE), "A vehicle.").repeats(),
    child("block:class", Value::Tag(&block::CLASS), "Declares a class of blocks.").repeats(),
    child("block", Value::Tag(&block::BLOCK), "An obstacle.").repeats(),
    child("actor:class", Value::Tag(&actor::CLASS), "Declares a class of actors.").repeats(),
    child("actor", Value::Tag(&actor::ACTOR), "Someone who walks along a path.").repeats(),
    child("element", Value::Classes(ELEMENTS), "Ground, walls, places, sky.").repeats(),
    child("sensor", Value::Tag(&STANDALONE), "A sensor that no vehicle carries.").repeats(),
    child("walls", Value::Tag(&walls::WALLS), "Straight walls.").repeats(),
    child("joint", Value::Tag(&joint::JOINT), "A link between two bodies.").repeats(),
    child("marker", Value::Tag(&marker::MARKER), "A drawn line.").repeats(),
    child("gui", Value::Tag(&gui::GUI), "The window.").repeats(),
    child("lights", Value::Tag(&lights::LIGHTS), "The sun.").repeats(),
    child("georeference", Value::Tag(&georeference::GEOREFERENCE), "Where on Earth it lies."),
    child("include", Value::Tag(&INCLUDE), "Reads another file in its place.").repeats(),
    child("variable", Value::Tag(&VARIABLE), "Gives a name to a value.").repeats(),
    child("for", Value::Tag(&FOR), "Repeats its contents.").repeats(),
    child("if", Value::Tag(&IF), "Its contents, if a condition holds.").repeats(),
    child("b2d_vel_iters", integer("").at_least(1.0), "Velocity iterations of the peer's solver.")
        .or("8")
        .lost(OTHER_SOLVER),
    child("b2d_pos_iters", integer("").at_least(1.0), "Position iterations of the peer's solver.")
        .or("3")
        .lost(OTHER_SOLVER),
    child("joystick_enabled", Value::Bool, "Drives by joystick.")
        .or("false")
        .unmissed("vehicles are driven by a file of commands"),
    child("server_address", Value::Text, "Host of the peer's message server.")
        .or("localhost")
        .unmissed("there is no server to reach"),
    child("save_to_rawlog", Value::Text, "File for the peer's log of sensors.")
        .or("")
        .lost("readings are written as csv, see `simhost run --out`"),
    child("rawlog_odometry_rate", number("Hz").above(0.0), "Odometry entries of that log.")
        .or("10")
        .unmissed("there is no such log"),
    child("save_ground_truth_trajectory", Value::Text, "File for the true trajectory.")
        .or("")
        .lost("trajectories are written as csv, see `simhost run --out`"),
    child("ground_truth_rate", number("Hz").above(0.0), "Rows of that file.")
        .or("50")
        .unmissed("there is no such file"),
    child("max_slope_to_collide", number("1"), "Steepest slope that is climbed.")
        .or("0.3")
        .unmissed("the peer reads it and does not use it"),
    child("min_slope_to_collide", number("1"), "Steepest slope that is descended.")
        .or("-0.5")
        .unmissed("the peer reads it and does not use it"),
    child("light", Value::Presence, "A name from the peer's manual.").lost("its tag is `<lights>`"),
    child("visual", Value::Presence, "Belongs into a vehicle, a block or a sensor.")
        .lost("it belongs to nothing here"),
    child("animation", Value::Presence, "Belongs into a vehicle, a block or a plane.")
        .lost("it belongs to nothing here"),
];
