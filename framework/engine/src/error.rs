//! What can go wrong when a simulation is built or stepped.

use simhost_world::Span;

use crate::divergence::Divergence;
use crate::fault::FaultReport;

/// Why a world cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A model refuses its parameters.
    #[error("{class} refuses its parameters: {text}")]
    Refused {
        /// Full name of the class.
        class: String,
        /// What the model says.
        text: String,
        /// Where it is chosen.
        span: Span,
    },
    /// A model panicked while it was made.
    #[error("{class} panicked while it was made: {text}")]
    Panicked {
        /// Full name of the class.
        class: String,
        /// Message of the panic.
        text: String,
        /// Where it is chosen.
        span: Span,
    },
    /// A model lacks something that its kind needs.
    #[error("{class} cannot be used: {text}")]
    Incomplete {
        /// Full name of the class.
        class: String,
        /// What is missing.
        text: String,
        /// Where it is chosen.
        span: Span,
    },
    /// The body of a vehicle or a block makes no sense.
    #[error("{text}")]
    Body {
        /// What is wrong.
        text: String,
        /// Where it is described.
        span: Span,
    },
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many.
        threads: usize,
        /// Why.
        source: rayon::ThreadPoolBuildError,
    },
}

impl BuildError {
    /// Where in the world file, if anywhere.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Refused { span, .. }
            | Self::Panicked { span, .. }
            | Self::Incomplete { span, .. }
            | Self::Body { span, .. } => Some(*span),
            Self::Threads { .. } => None,
        }
    }
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A model faulted and the world says that this ends the run.
    #[error("{0}")]
    Fault(Box<FaultReport>),
    /// Something left what is reasonable.
    #[error("{0}")]
    Diverged(Box<Divergence>),
}
