//! The `<connect>` element: which sensor an input of a model reads.

use std::sync::Arc;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{Entry, Section, Value, attribute, child, section};

pub(crate) static CONNECT: Section = section(
    "connect",
    "Connects an input of a model to an output of a sensor of the vehicle.",
    &[
        attribute("input", Value::Text, "Name of an input of the model.").required(),
        attribute("from", Value::Text, "Sensor and output, such as `laser1/ranges`.").required(),
    ],
);

/// The entry of an element whose model can read sensors.
pub(crate) const ENTRY: Entry = child(
    "connect",
    Value::Element(&CONNECT),
    "The sensor that an input of the model reads, where the name of the input does not determine it.",
)
.repeats();

/// A `<connect>` element.
#[derive(Clone, Debug)]
pub struct Connect {
    /// Name of the input and its position.
    pub input: (String, Span),
    /// Sensor and output, and their position.
    pub from: (String, Span),
}

/// Reads the `<connect>` elements of a model. Those with errors are left out.
pub(crate) fn read_connects(context: &mut Context<'_>, elements: &[&Element]) -> Arc<[Connect]> {
    elements.iter().filter_map(|element| read(context, element)).collect()
}

fn read(context: &mut Context<'_>, element: &Element) -> Option<Connect> {
    let mut reader = ElementReader::new(context, element, &CONNECT);
    let [input, from] = ["input", "from"].map(|name| {
        let text = reader.text_of(name);
        let text = reader.require(name, text)?;
        Some((text.value()?.to_owned(), text.span))
    });
    reader.finish();
    Some(Connect { input: input?, from: from? })
}
