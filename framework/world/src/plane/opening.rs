//! Doors and windows.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Entry, Section, Value, either, fraction, number, positive, section};

/// An opening in a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Kind of the opening.
    pub kind: OpeningKind,
    /// Name, possibly empty.
    pub name: String,
    /// Centre along the wall, from 0 at its start to 1 at its end.
    pub position: f64,
    /// Width in m.
    pub width: f64,
    /// Height of the sill above the ground of the world in m.
    pub z_min: f64,
    /// Height of the lintel above the ground of the world in m.
    pub z_max: f64,
}

/// The kind of an opening in a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningKind {
    /// Bodies and rays pass through.
    Door,
    /// Rays pass through.
    Window,
}

pub(super) static DOOR: Section =
    section("door", "An opening that bodies and rays pass through.", OPENING);
pub(super) static WINDOW: Section =
    section("window", "An opening that rays pass through.", OPENING);

const OPENING: &[Entry] = &[
    either("name", Value::Text, "Name, for reference.").or(""),
    either("position", fraction(), "Centre along the wall, as a fraction of its length.").or("0.5"),
    either("width", positive("m"), "Width.").or("1"),
    either("z_min", number("m"), "Height of the sill above the ground of the world.")
        .or("0")
        .also(&["z_start"]),
    either("z_max", number("m"), "Height of the lintel above the ground of the world.")
        .or("2.1")
        .also(&["z_end"]),
];

/// Reads a `<door>` or a `<window>`.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Opening {
    let (kind, section) = match element.name.as_str() {
        "door" => (OpeningKind::Door, &DOOR),
        _ => (OpeningKind::Window, &WINDOW),
    };
    let mut reader = ElementReader::new(context, element, section);
    let (name, position) = (reader.text("name"), reader.number("position"));
    let width = reader.number("width");
    let [z_min, z_max] = reader.range("z_min", "z_max");
    reader.finish();
    Opening { kind, name, position, width, z_min, z_max }
}
