//! Doors and windows.

use crate::context::Context;
use crate::reader::{ElementReader, Fields, FromEntry, Given, declare};
use crate::vocabulary::field::either;
use crate::vocabulary::{Entry, Section, Value, fraction, number, positive, section};

declare! {
    /// An opening in a wall.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Opening {
        /// Kind of the opening.
        pub kind: OpeningKind => kind;
        /// Name, for reference.
        pub name: String = either(Value::Text).or("");
        /// Centre along the wall, as a fraction of its length.
        pub position: f64 = either(fraction()).or("0.5");
        /// Width.
        pub width: f64 = either(positive("m")).or("1");
        /// Height of the sill above the ground of the world.
        pub z_min: f64 = either(number("m")).or("0").also(&["z_start"]);
        /// Height of the lintel above the ground of the world.
        pub z_max: f64 = either(number("m")).or("2.1").also(&["z_end"]).rises();
    }
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
    section("door", "An opening that bodies and rays pass through.", Opening::ENTRIES);
pub(super) static WINDOW: Section =
    section("window", "An opening that rays pass through.", Opening::ENTRIES);

fn kind(reader: &mut ElementReader<'_, '_, '_>) -> OpeningKind {
    match reader.element.name.as_str() {
        "door" => OpeningKind::Door,
        _ => OpeningKind::Window,
    }
}

impl FromEntry for Opening {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let (Value::Element(section), Given::Child(element)) = (entry.value, given) else {
            return None;
        };
        let mut reader = ElementReader::new(context, element, section);
        let opening = Self::read(&mut reader, 0);
        reader.finish();
        opening
    }
}
