//! Links between bodies.

use super::{Section, Value, attribute, number, section};

/// Words for a rope and for a pin.
pub(crate) const TYPES: &[&str] = &["distance", "rope", "revolute", "pin"];

pub(crate) static JOINT: Section = section(
    "joint",
    "A link between two bodies, which do not collide with each other.",
    &[
        attribute(
            "type",
            Value::Choice(TYPES),
            "`distance` and `rope`, `revolute` and `pin` are the same.",
        )
        .required(),
        attribute("body_a", Value::Text, "Name of a vehicle, a block or a wall.").required(),
        attribute("body_b", Value::Text, "Name of another.").required(),
        attribute("anchor_a", Value::Row(&["X Y"]), "Point of the first body in its frame, m.")
            .or("0 0"),
        attribute("anchor_b", Value::Row(&["X Y"]), "Point of the second body in its frame, m.")
            .or("0 0"),
        attribute("max_length", number("m").above(0.0), "Longest distance of a rope.").or("5"),
        attribute("min_length", number("m").at_least(0.0), "Shortest distance of a rope.").or("0"),
        attribute(
            "stiffness",
            number("N/m").at_least(0.0),
            "Of a spring towards the longest distance; 0 for none.",
        )
        .or("0"),
        attribute("damping", number("N·s/m").at_least(0.0), "Of that spring.").or("0"),
        attribute("enable_limit", Value::Bool, "Limits the angle of a pin.").or("false"),
        attribute("lower_angle_deg", number("deg"), "Least angle, from that at the start.").or("0"),
        attribute("upper_angle_deg", number("deg"), "Greatest angle, from that at the start.")
            .or("0"),
    ],
);

/// What only a rope reads.
pub(crate) const ROPE: &[&str] = &["max_length", "min_length", "stiffness", "damping"];
/// What only a pin reads.
pub(crate) const PIN: &[&str] = &["enable_limit", "lower_angle_deg", "upper_angle_deg"];
