//! State of the record of a session.

use crate::output::{Folder, Out, RunRecord};

/// State of the record.
pub(super) enum Recording {
    /// The session is not recorded.
    None,
    /// The folder is reserved, and nothing of an earlier run in it has been changed.
    Claimed(Box<Claimed>),
    /// The record has begun.
    Begun(Box<RunRecord>),
}

/// A reserved folder, with what is written to it when the run begins.
pub(super) struct Claimed {
    pub folder: Folder,
    pub out: Out,
    pub flat: Option<String>,
}
