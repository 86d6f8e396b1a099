//! Models in a world: the class that an element names, and the parameters that the element gives.

mod class;
mod connect;
mod instance;
mod named;
mod parameters;
mod ports;
mod ros_values;
mod trial;

pub(crate) use class::{class_of, in_other_element, other_kind, required_class};
pub use connect::Connect;
pub(crate) use connect::ENTRY as CONNECT_ENTRY;
pub use instance::ModelUse;
pub(crate) use instance::{bind, check_values, given_parameters};
pub(crate) use named::named;
pub(crate) use parameters::{quantity, setpoints};
pub(crate) use ports::{fitting_controller, report_ports};
pub(crate) use ros_values::{FILE, FILE_ENTRY, inherit, read_ros_file, with_values};
