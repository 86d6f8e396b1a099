//! Straight walls.

use super::{Section, Value, child, number, section};

pub(crate) static WALLS: Section = section(
    "walls",
    "Straight walls that stand on the ground. Where an end meets an end of an earlier wall of the tag, it is shifted by half the thickness.",
    &[
        child("shape", Value::Tag(&SEGMENTS), "Ends of walls, two and two."),
        child("model_uri", Value::Uri, "A model whose lines are the walls."),
        child(
            "transformation",
            Value::Table("four rows of four numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]"),
            "Applied to all points.",
        )
        .or("[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]"),
        child("wallThickness", number("m").above(0.0), "Thickness.").or("0.1"),
        child("wallHeight", number("m").above(0.0), "Height.").or("2"),
        child("color", Value::Color, "Colour.").or("#323232").unmissed("matters to a picture only"),
        child("scale", number("1"), "Factor on all lengths.")
            .lost("MVSim reads it and does not use it; write a <transformation>"),
    ],
);

pub(crate) static SEGMENTS: Section = section(
    "shape",
    "Ends of walls, two and two; at most 20 000.",
    &[child("pt", Value::Row(&["X Y"]), "An end, m.").repeats()],
);
