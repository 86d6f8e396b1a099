//! The `<connect>` element: which sensor an input of a model reads.

use crate::reader::declare;
use crate::sources::Span;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element};

declare! {
    /// Connects an input of a model to an output of a sensor of the vehicle.
    section = element("connect");

    /// A `<connect>` element.
    #[derive(Clone, Debug)]
    pub struct Connect {
        /// Name of an input of the model.
        pub input: (String, Span) = attribute(Value::Text).required();
        /// Sensor and output, such as `laser1/ranges`.
        pub from: (String, Span) = attribute(Value::Text).required();
    }
}

/// The entry of an element whose model can read sensors.
pub(crate) const ENTRY: Entry = child(Value::Element(Connect::SECTION))
    .named("connect")
    .doc(
        "The sensor that an input of the model reads, if the name of the input does not determine it.",
    )
    .repeats();
