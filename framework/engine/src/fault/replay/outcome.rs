//! The outcome of a replayed call.

use crate::fault::evidence::{EVIDENCE_VERSION, Evidence, EvidenceValue};
use crate::fault::report::verb;

/// A call cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The evidence has another format.
    #[error("the evidence has format {found}, expected format {EVIDENCE_VERSION}")]
    Format {
        /// Format of the evidence.
        found: u32,
    },
    /// The class is missing.
    #[error("missing {kind} class `{class}`, which came from {origin} (--plugin-dir DIR)")]
    NoClass {
        /// Kind of the class.
        kind: String,
        /// Full name of the class.
        class: String,
        /// File of the plugin, or "linked in".
        origin: String,
    },
    /// The class has changed since.
    #[error("the class has changed since: {what}")]
    Changed {
        /// Description of the change.
        what: String,
    },
    /// The model cannot be created.
    #[error("{0}")]
    Rejected(String),
}

/// Result of a replayed call.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// Code and message of the fault; the code is [`fault_code::NONE`] if there was none.
    pub fault: (u32, String),
    /// Outputs of the call.
    pub outputs: Vec<EvidenceValue>,
    /// State slots after the call.
    pub states: Vec<EvidenceValue>,
}

impl Replayed {
    /// Returns whether the call faulted with the same code as before.
    pub fn is_same(&self, evidence: &Evidence) -> bool {
        self.fault.0 == evidence.code
    }

    /// Describes the fault as a verb phrase.
    pub fn verb(&self) -> &'static str {
        verb(self.fault.0)
    }
}
