//! Semantic classes: what an object is to sensors that recognise objects.

use std::sync::Arc;

use crate::context::Context;
use crate::reader::{FromEntry, Given, declare};
use crate::tree::Text;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element};

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

declare! {
    /// Class of the object for sensors that recognise objects.
    section = element("semantic");

    /// A semantic class as given.
    #[derive(Clone)]
    struct Semantic {
        /// Name of the class: one of `ground`, `terrain`, `plane`, `wall`, `map`, `block`, `vehicle`,
        /// `wheel`, `actor` and `unlabelled`, or any other name.
        class: Text = attribute(Value::Text).required();
    }
}

/// The entry of objects that can have a semantic class.
pub(crate) const ENTRY: Entry = child(Value::Element(Semantic::SECTION))
    .named("semantic")
    .doc("Semantic class of the object.")
    .or_else("the class of the kind of object");

/// The name of the class of a `<semantic>` element, or a text.
impl FromEntry for Arc<str> {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        if !matches!(entry.value, Value::Element(_)) {
            return String::parse(context, entry, given).map(Self::from);
        }
        let class = Semantic::parse(context, entry, given)?.class;
        let name = class.value()?.trim();
        if name.is_empty() {
            let label = "expected a name, such as `tree`";
            context.report.error(class.span, "empty semantic class", label);
            return None;
        }
        Some(name.into())
    }

    fn of_default(_: &'static Entry, text: &str) -> Option<Self> {
        Some(text.into())
    }
}
