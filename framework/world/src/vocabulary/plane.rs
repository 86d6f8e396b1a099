//! Level floors and upright walls.

use super::animation::ANIMATION;
use super::publish::PUBLISH;
use super::{CULLED, POSE_2D, POSE_3D, Section, Value, attribute, child, either, number, section};

pub(crate) static HORIZONTAL_PLANE: Section = section(
    "element class=\"horizontal_plane\"",
    "A level rectangle that wheels roll on.",
    &[
        attribute("class", Value::Text, "horizontal_plane").required(),
        child("x_min", number("m"), "In its frame.").or("-10"),
        child("x_max", number("m"), "In its frame.").or("10"),
        child("y_min", number("m"), "In its frame.").or("-10"),
        child("y_max", number("m"), "In its frame.").or("10"),
        child("z", number("m"), "Height in its frame.").or("0"),
        child("color", Value::Color, "Colour.").or("#a0a0a0"),
        child("cull_face", CULLED, "Side that is not drawn.").or("NONE"),
        child("texture", Value::Uri, "An image on it."),
        child("texture_size_x", number("m").above(0.0), "Of one copy of the image.").or("1"),
        child("texture_size_y", number("m").above(0.0), "Of one copy of the image.").or("1"),
        child("enable_shadows", Value::Bool, "Shows shadows.").or("true"),
        child("init_pose", Value::Row(POSE_2D), "Of its frame, m and degrees."),
        child("init_pose3d", Value::Row(POSE_3D), "Of its frame, m and degrees."),
        child("animation", Value::Tag(&ANIMATION), "A motion that is played, as of a lift."),
        child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    ],
);

pub(crate) static VERTICAL_PLANE: Section = section(
    "element class=\"vertical_plane\"",
    "A straight wall with openings.",
    &[
        attribute("class", Value::Text, "vertical_plane").required(),
        child("x0", number("m"), "Start.").or("-10"),
        child("y0", number("m"), "Start.").or("-10"),
        child("x1", number("m"), "End.").or("-10"),
        child("y1", number("m"), "End.").or("10"),
        child("z", number("m"), "Its foot.").or("0"),
        child("height", number("m").above(0.0), "Height.").or("3"),
        child("thickness", number("m").above(0.0), "Thickness.").or("0.02"),
        child("color", Value::Color, "Colour.").or("#a0a0a0"),
        child("cull_face", CULLED, "Side that is not drawn.").or("NONE"),
        child("texture", Value::Uri, "An image on it."),
        child("texture_size_x", number("m").above(0.0), "Of one copy of the image.").or("1"),
        child("texture_size_y", number("m").above(0.0), "Of one copy of the image.").or("1"),
        child("enable_shadows", Value::Bool, "Shows shadows.").or("true"),
        child("door", Value::Tag(&DOOR), "An opening for bodies.").repeats(),
        child("window", Value::Tag(&WINDOW), "An opening for sight.").repeats(),
        child("init_pose", Value::Row(POSE_2D), "Of its frame, m and degrees."),
        child("init_pose3d", Value::Row(POSE_3D), "Of its frame, m and degrees."),
        child("animation", Value::Tag(&ANIMATION), "A motion that is played, as of a gate."),
        child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    ],
);

pub(crate) static DOOR: Section = section("door", "An opening that bodies pass.", OPENING);
pub(crate) static WINDOW: Section = section("window", "An opening that sight passes.", OPENING);

const OPENING: &[super::Entry] = &[
    either("name", Value::Text, "For reference.").or(""),
    either(
        "position",
        number("1").at_least(0.0).at_most(1.0),
        "Centre, as part of the wall's length.",
    )
    .or("0.5"),
    either("width", number("m").above(0.0), "Width.").or("1"),
    either("z_min", number("m"), "Sill, above the world's ground.").or("0").also(&["z_start"]),
    either("z_max", number("m"), "Lintel, above the world's ground.").or("2.1").also(&["z_end"]),
];
