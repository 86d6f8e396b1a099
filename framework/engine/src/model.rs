//! Models at run time: instances, their memories, and calls of their phases on columns.

mod array;
mod call;
mod capture;
mod copies;
mod examination;
mod instance;
mod lanes;
mod migration;
mod ports;
mod stamp;
mod state;
mod wiring;

pub(crate) use array::ArrayColumns;
pub(crate) use call::{Call, CallColumns};
pub use capture::Capture;
pub(crate) use copies::MemoryCopies;
pub use instance::ModelError;
pub(crate) use instance::{arrange, create, incomplete};
pub(crate) use lanes::LaneInstances;
pub(crate) use migration::{MigrationError, copy_states};
pub(crate) use ports::PortMap;
pub use stamp::ModelStamp;
pub(crate) use stamp::stamps;
pub(crate) use wiring::{Lengths, ModelLanes, UnboundCall};
