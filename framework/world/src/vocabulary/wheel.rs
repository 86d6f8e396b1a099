//! Wheels.

use super::visual::VISUAL;
use super::{Section, Value, attribute, child, number, section};

pub(crate) static WHEEL: Section = section(
    "wheel",
    "A wheel. The dynamics class gives the names of the tags.",
    &[
        attribute(
            "pos",
            Value::Row(&["X Y", "X Y YAW_DEG"]),
            "Place, m, and heading at zero steering.",
        )
        .or_else("of the dynamics class"),
        attribute("mass", number("kg").above(0.0), "Mass.").or("2"),
        attribute("width", number("m").above(0.0), "Width.").or("0.2"),
        attribute("diameter", number("m").above(0.0), "Twice the rolling radius.").or("0.4"),
        attribute(
            "inertia",
            Value::Table("a number in kg·m², greater than 0, or -1"),
            "About the axle; -1 is that of a solid cylinder.",
        )
        .or("-1"),
        attribute("color", Value::Color, "Its colour where it has no visual.").or("#323232"),
        attribute(
            "linked_yaw",
            Value::Text,
            "Name of a `<visual>` of the vehicle that turns with the steering.",
        ),
        attribute("linked_yaw_offset_deg", number("deg"), "Added to that turn.").or("0"),
        attribute("joint_name", Value::Text, "Name of the joint for other programs.")
            .unmissed("no other program asks for it"),
        child("visual", Value::Tag(&VISUAL), "How it looks.").repeats(),
    ],
);
