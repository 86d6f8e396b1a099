//! Errors of steps.

use crate::divergence::{Divergence, Found};
use crate::fault::FaultReport;
use crate::scan_engine::ScanError;
use crate::state::{FatalFault, State};

/// A step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A model faulted, and the world file requests that this ends the run.
    #[error("{0}")]
    Fault(Box<FaultReport>),
    /// A body or a state has diverged.
    #[error("{0}")]
    Diverged(Box<Divergence>),
    /// The engine that casts rays has failed, and it is required.
    #[error("{0}")]
    Scan(ScanError),
}

impl From<FatalFault> for StepError {
    fn from(FatalFault(report): FatalFault) -> Self {
        Self::Fault(report)
    }
}

/// Ends the run if the last step has diverged.
#[inline]
pub(super) fn refuse(state: &State, found: Option<Found>) -> Result<(), StepError> {
    let diverged = |found: Found| StepError::Diverged(Box::new(found.at(state.clock)));
    found.map_or(Ok(()), |found| Err(diverged(found)))
}
