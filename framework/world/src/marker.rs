//! Markers: drawn lines.

use crate::context::Context;
use crate::literal::parse_number;
use crate::reader::ElementReader;
use crate::tree::{Element, Text};
use crate::vocabulary::{POINT, Section, Value, attribute, child, section};

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Points in the world frame in m.
    pub points: Vec<[f64; 3]>,
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
}

/// Maximum number of coordinates of a marker.
const MAX_NUMBERS: usize = 3_000_000;

pub(crate) static MARKER: Section = section(
    "marker",
    "A line that is drawn and that sensors do not see. Affects visualisation only.",
    &[
        attribute("type", Value::Choice(&["line_strip"]), "Type of the marker.").or("line_strip"),
        child("points", Value::Formatted("rows of X Y Z"), "Corners of the line in m.").required(),
        child("color", Value::Color, "Colour.").or("#ffffff"),
        child("translation", Value::Row(POINT), "Offset of all points in m.").or("0 0 0"),
    ],
);

/// Reads a `<marker>`.
pub(crate) fn read_marker(context: &mut Context<'_>, element: &Element) -> Option<Marker> {
    let mut reader = ElementReader::new(context, element, &MARKER);
    reader.word("type");
    let (color, offset) = (reader.color("color"), reader.row::<3>("translation"));
    let points = reader.text_of("points");
    let points = reader.require("points", points);
    reader.finish();
    let numbers = read_coordinates(context, points?)?;
    let point = |row: &[f64]| [row[0] + offset[0], row[1] + offset[1], row[2] + offset[2]];
    Some(Marker { points: numbers.chunks_exact(3).map(point).collect(), color })
}

fn read_coordinates(context: &mut Context<'_>, text: &Text) -> Option<Vec<f64>> {
    let words = text.value()?.split_whitespace().take(MAX_NUMBERS + 1);
    let numbers: Option<Vec<f64>> = words.map(parse_number).collect();
    let numbers = numbers.filter(|numbers| numbers.len() % 3 == 0 && numbers.len() <= MAX_NUMBERS);
    if numbers.is_none() {
        context.report.error(text.span, "cannot parse `points`", "expected rows of X Y Z");
    }
    numbers
}
