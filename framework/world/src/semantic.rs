//! Semantic classes: what an object is to sensors that recognise objects.

use std::sync::Arc;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Entry, Section, Value, attribute, child, section};

/// Names of the classes that objects have by themselves. Their index is their number.
pub const CLASSES: [&str; 11] = [
    "nothing",
    "ground",
    "terrain",
    "plane",
    "wall",
    "map",
    "block",
    "vehicle",
    "wheel",
    "actor",
    "unlabelled",
];

pub(crate) static SEMANTIC: Section = section(
    "semantic",
    "What the object is to sensors that recognise objects.",
    &[attribute(
        "class",
        Value::Text,
        "Name of the class: one of `ground`, `terrain`, `plane`, `wall`, `map`, `block`, `vehicle`, \
         `wheel`, `actor` and `unlabelled`, or any other name.",
    )
    .required()],
);

/// The entry of objects that can have a semantic class.
pub(crate) const ENTRY: Entry =
    child("semantic", Value::Element(&SEMANTIC), "Semantic class of the object.")
        .or_else("the class of the kind of object");

/// Reads the `<semantic>` of an element and returns the name of its class.
pub(crate) fn read_semantic(reader: &mut ElementReader<'_, '_, '_>) -> Option<Arc<str>> {
    let element = reader.child("semantic")?;
    read(reader.context, element)
}

fn read(context: &mut Context<'_>, element: &Element) -> Option<Arc<str>> {
    let mut reader = ElementReader::new(context, element, &SEMANTIC);
    let class = reader.text_of("class");
    let class = reader.require("class", class);
    reader.finish();
    let class = class?;
    let name = class.value()?.trim();
    if name.is_empty() {
        context.report.error(class.span, "empty semantic class", "expected a name, such as `tree`");
        return None;
    }
    Some(name.into())
}
