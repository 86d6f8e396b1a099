//! Drawn lines.

use super::{POINT, Section, Value, attribute, child, section};

pub(crate) static MARKER: Section = section(
    "marker",
    "A line that is drawn and that no sensor sees. Matters to a picture only.",
    &[
        attribute("type", Value::Choice(&["line_strip"]), "What is drawn.").or("line_strip"),
        child("points", Value::Table("rows of X Y Z"), "Its corners, m.").required(),
        child("color", Value::Color, "Its colour.").or("#ffffff"),
        child("translation", Value::Row(POINT), "Added to all points, m.").or("0 0 0"),
    ],
);
