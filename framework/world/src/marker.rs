//! Markers: drawn lines.

use std::ops::Range;

use crate::reader::{ElementReader, Field, declare};
use crate::spelling::parse_number;
use crate::tree::Text;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, POINT, Value, element};

/// Maximum number of coordinates of a marker.
const MAX_NUMBERS: usize = 3_000_000;

/// The only type of a marker.
const TYPE: Entry = attribute(Value::Choice(&["line_strip"]))
    .named("type")
    .doc("Type of the marker.")
    .or("line_strip");

declare! {
    /// A line that is drawn and that sensors do not see. Affects visualisation only.
    section = element("marker").with(&[TYPE]) => moved;

    /// A line through points.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Marker {
        /// Corners of the line in m.
        pub points: Vec<[f64; 3]> = child(Value::Formatted("rows of X Y Z")).required();
        /// Colour.
        pub color: [u8; 4] =
            child(Value::Color).or("#ffffff"),
            child(Value::Row(POINT)).named("translation").doc("Offset of all points in m.").or("0 0 0");
    }
}

/// Checks the type of a marker, and moves its points.
fn moved(mut marker: Marker, reader: &mut ElementReader<'_, '_, '_>) -> Option<Marker> {
    reader.value::<String>("type");
    let offset: [f64; 3] = reader.value("translation")?;
    for point in &mut marker.points {
        *point = [0, 1, 2].map(|axis| point[axis] + offset[axis]);
    }
    Some(marker)
}

impl Field for Vec<[f64; 3]> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let text: Text = reader.field_at(place.start)?;
        let words = text.value()?.split_whitespace().take(MAX_NUMBERS + 1);
        let numbers: Option<Vec<f64>> = words.map(parse_number).collect();
        let is_valid = |count: usize| count.is_multiple_of(3) && count <= MAX_NUMBERS;
        let Some(numbers) = numbers.filter(|numbers| is_valid(numbers.len())) else {
            let report = &mut reader.context.report;
            report.error(text.span, "cannot parse `points`", "expected rows of X Y Z");
            return None;
        };
        Some(numbers.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect())
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }
}
