//! Errors of reading recordings.

use std::path::PathBuf;

/// A recording cannot be read or completed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McapError {
    /// The file cannot be read or written.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// Another process writes the file.
    #[error("{} is being written; wait for the end of the run", path.display())]
    InUse {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is not an MCAP file.
    #[error("{} is not an MCAP file: it does not begin with the bytes 89 4d 43 41 50 30 0d 0a", path.display())]
    NotMcap {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is an MCAP file of another program.
    #[error(
        "{} was not written by simhost: {found}\nhelp: `simhost run WORLD --out DIR --mcap` records a run",
        path.display()
    )]
    Foreign {
        /// Path of the file.
        path: PathBuf,
        /// Content that was found.
        found: String,
    },
    /// A chunk or a message is damaged.
    #[error("{} is damaged at byte {position}: {text}", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Position of the chunk in the file.
        position: u64,
        /// Value that was found, and the expected one.
        text: String,
    },
}
