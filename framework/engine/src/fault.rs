//! Faults of models: evidence, reports and replay, and calls that continue after a fault.

mod evidence;
mod lanes;
mod replay;
mod report;

pub use evidence::{EVIDENCE_VERSION, Evidence, EvidenceValue};
pub(crate) use lanes::{LaneCall, LaneSet};
pub use replay::{Replay, ReplayError, Replayed};
pub use report::FaultReport;
pub(crate) use report::action;
