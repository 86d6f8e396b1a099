//! The host's side of a call: a phase that is bound to columns, and the services that answer a model.
//!
//! Everything that calls models uses both: the engine, the replay of faults, the validator, the benches,
//! and the test kit of the SDK. A plugin does not need this module.

mod binding;
mod services;

pub use binding::{Binding, Circumstances, LaneShape, PhaseColumns, batch_rows};
pub use services::{AnswerBuffer, ServiceHost, services};
