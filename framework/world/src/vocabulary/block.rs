//! Obstacles.

use super::animation::ANIMATION;
use super::chassis::SHAPE;
use super::language::{IF, INCLUDE};
use super::publish::PUBLISH;
use super::visual::VISUAL;
use super::{Entry, POSE_2D, POSE_3D, Section, Value, attribute, child, integer, number, section};

pub(crate) static BLOCK: Section = section("block", "An obstacle.", INSTANCE).first_holds();
pub(crate) static CLASS: Section =
    section("block:class", "What blocks of a class have in common.", IN_CLASS).first_holds();
const COUNT: usize = 27;
const INSTANCE: &[Entry] = &super::entry::joined::<COUNT, 3, { COUNT + 3 }>(
    PARTS,
    &[
        attribute("name", Value::Text, "May repeat.").or_else("block001, block002, …"),
        attribute("class", Value::Text, "A `<block:class>` that stands before."),
        attribute("static", Value::Bool, "Not read: static is a tag.")
            .lost("write it as a tag: <static>true</static>"),
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
        "Velocity in its own frame, m/s and degrees/s.",
    )
    .or("0 0 0"),
    child("mass", number("kg").above(0.0), "Mass.").or("30"),
    child("zmin", number("m"), "Lowest point; lower end of what of the visuals counts.")
        .or_else("0, or of the visuals"),
    child("zmax", number("m"), "Highest point; upper end of what of the visuals counts.")
        .or_else("1, or of the visuals"),
    child("ground_friction", number("1").at_least(0.0), "Coulomb coefficient on the ground.")
        .or("0.5"),
    child("lateral_friction", number("1").at_least(0.0), "Friction of its sides in contacts.")
        .or("0.5"),
    child(
        "restitution",
        number("1").at_least(0.0).at_most(1.0),
        "Part of the closing speed that is kept in a contact.",
    )
    .or("0.01"),
    child("linear_damping", number("1/s").at_least(0.0), "Slows it down.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("angular_damping", number("1/s").at_least(0.0), "Slows its turning.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("color", Value::Color, "Its colour where it has no visual.").or("#0000ff"),
    child("static", Value::Bool, "Never moves.").or("false"),
    child("intangible", Value::Bool, "Touches nothing; wheels roll on it all the same.")
        .or("false"),
    child("visual_scale", number("1").above(0.0), "In place of `model_scale` of every visual."),
    child("shape", Value::Tag(&SHAPE), "Outline; contacts use its convex hull.")
        .or_else("a square of side 1"),
    child(
        "shape_from_visual",
        Value::Presence,
        "Takes outline and height from visuals or geometry.",
    ),
    child("geometry", Value::Tag(&GEOMETRY), "A simple body."),
    child("visual", Value::Tag(&VISUAL), "How it looks.").repeats(),
    child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    child("animation", Value::Tag(&ANIMATION), "A motion that is played."),
    child("include", Value::Tag(&INCLUDE), "Reads another file in its place.").repeats(),
    child("if", Value::Tag(&IF), "Its contents, if a condition holds.").repeats(),
    child("show_collisions", Value::Bool, "Draws the outline.")
        .or("false")
        .unmissed("matters to a picture only"),
    child("log_path", Value::Text, "File of the peer's log.").unmissed("files are named otherwise"),
    child("scale", number("1").above(0.0), "A name that the peer does not read.")
        .lost("write <visual_scale>"),
];

pub(crate) static GEOMETRY: Section = section(
    "geometry",
    "A simple body. With `<shape_from_visual/>` it is the collision outline too.",
    &[
        attribute("type", Value::Choice(GEOMETRIES), "Which.").required(),
        attribute("radius", number("m").above(0.0), "Of a cylinder or a sphere."),
        attribute("length", number("m").above(0.0), "Height of a cylinder."),
        attribute(
            "vertex_count",
            integer("").at_least(3.0).at_most(10_000.0),
            "Corners that stand for a circle.",
        )
        .or("10"),
        attribute("lx", number("m").above(0.0), "Of a box, a ramp or a bump, along x."),
        attribute("ly", number("m").above(0.0), "Of a box, a ramp or a bump, along y."),
        attribute("lz", number("m").above(0.0), "Of a box, a ramp or a bump, upwards."),
    ],
);

const GEOMETRIES: &[&str] = &["cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"];
