//! Errors of snapshots.

use std::path::PathBuf;

use crate::encoding::DecodeError;

/// A file cannot be used as a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// The file cannot be read.
    #[error("failed to read {path}: {source}", path = path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("failed to write {path}: {source}", path = path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file is not a snapshot.
    #[error("the file is not a snapshot: it does not start like one")]
    NotASnapshot,
    /// The file was written by a newer program.
    #[error("the snapshot has format {found}; this program supports formats up to {known}")]
    Newer {
        /// Format of the file.
        found: u32,
        /// Newest format that this program supports.
        known: u32,
    },
    /// Bytes are missing or have changed.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// A simulation cannot be restored from a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The snapshot is of another world or of other models.
    #[error("the snapshot does not fit: {}", reasons.join("; "))]
    Misfit {
        /// The differences.
        reasons: Vec<String>,
        /// Whether [`Fit::Slots`](super::Fit::Slots) accepts the snapshot.
        may_be_forced: bool,
    },
    /// A model rejected its memory.
    #[error("{entity}: {class} rejected its memory from the snapshot: {text}")]
    Memory {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// The bytes are not a state of this world.
    #[error("the snapshot is damaged, or was written by models with another state: {0}")]
    Damaged(String),
}

impl From<DecodeError> for RestoreError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Memory { entity, class, text } => Self::Memory { entity, class, text },
            DecodeError::Damaged(text) => Self::Damaged(text),
        }
    }
}
