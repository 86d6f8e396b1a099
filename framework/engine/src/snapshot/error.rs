//! What can go wrong with snapshots.

use std::fmt::Display;
use std::path::PathBuf;

/// Why no snapshot can be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A model cannot save what it remembers.
    #[error("{entity}: {class} cannot save what it remembers: {text}")]
    Memory {
        /// Whose.
        entity: String,
        /// Full name of the class.
        class: String,
        /// What the model says.
        text: String,
    },
    /// Something has no form as bytes.
    #[error("the state cannot be written: {0}")]
    Encoding(String),
}

impl SnapshotError {
    pub(super) fn encoding(error: impl Display) -> Self {
        Self::Encoding(error.to_string())
    }
}

/// Why a file is no snapshot that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("it is no snapshot: it does not begin as one")]
    Foreign,
    /// A newer program wrote it.
    #[error("it has format {found}, this program knows formats up to {known}")]
    Newer {
        /// Of the file.
        found: u32,
        /// Of this program.
        known: u32,
    },
    /// Bytes are missing or others than were written.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// Why a simulation cannot go on from a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// It is one of another world or of other models.
    #[error("the snapshot does not fit: {}", reasons.join("; "))]
    Misfit {
        /// In what they differ.
        reasons: Vec<String>,
        /// [`Fit::Slots`](super::Fit::Slots) takes it in spite of that.
        may_be_forced: bool,
    },
    /// A model does not take what it remembered.
    #[error("{entity}: {class} does not take what the snapshot remembers of it: {text}")]
    Memory {
        /// Whose.
        entity: String,
        /// Full name of the class.
        class: String,
        /// What the model says.
        text: String,
    },
    /// Its bytes make no sense for this world.
    #[error("the snapshot is damaged, or its models keep other things: {0}")]
    Damaged(String),
}

impl RestoreError {
    pub(crate) fn damaged(error: impl Display) -> Self {
        Self::Damaged(error.to_string())
    }
}
