//! Models in a world: the class that an element names, and the parameters that the element gives.

mod class;
mod file_class;
mod instance;
mod parameters;
mod ports;
mod ros_values;

pub(crate) use class::{class_of, in_other_element, other_kind, required_class};
pub(crate) use file_class::MAP_ENTRY;
pub use instance::ModelUse;
pub(crate) use instance::{bind, check_values, given_parameters, named};
pub(crate) use parameters::{quantity, setpoints};
pub(crate) use ports::{fitting_controller, report_ports};
pub(crate) use ros_values::{FILE, FILE_ENTRY, inherit, read_ros_file, with_values};

use crate::reader::declare;
use crate::sources::Span;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element};

declare! {
    /// Connects an input of a model to an output of a sensor of the vehicle, or an input of a sensor to an output
    /// of an actuator.
    section = element("connect");

    /// A `<connect>` element.
    #[derive(Clone, Debug)]
    pub struct Connect {
        /// Name of an input of the model.
        pub input: (String, Span) = attribute(Value::Text).required();
        /// Sensor or actuator, and output, such as `laser1/ranges`.
        pub from: (String, Span) = attribute(Value::Text).required();
    }
}

/// The entry of an element whose model can read sensors.
pub(crate) const CONNECT_ENTRY: Entry = child(Value::Element(Connect::SECTION))
    .named("connect")
    .doc(
        "The sensor that an input of the model reads, if the name of the input does not determine it.",
    )
    .repeats();
