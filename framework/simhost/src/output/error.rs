//! Errors of output folders.

use std::path::PathBuf;

use simhost_record::{INPUTS_FILE, InputFileError, RecordError};

/// An output folder cannot be used, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file or the folder cannot be written.
    #[error(transparent)]
    Write(#[from] RecordError),
    /// The folder has files that no run has written.
    #[error(
        "the output folder {} is not empty and was not written by simhost: it has {found} but no \
         manifest.json of a run\nhelp: choose another folder, or add --force to write to this one",
        path.display()
    )]
    Foreign {
        /// Path of the folder.
        path: PathBuf,
        /// Name of a file in it.
        found: String,
    },
    /// Another session writes to the folder.
    #[error(
        "the output folder {} is in use by another session\nhelp: wait until that session ends, or \
         choose another folder",
        path.display()
    )]
    InUse {
        /// Path of the folder.
        path: PathBuf,
    },
    /// A file of an earlier run is missing or cannot be read.
    #[error(
        "cannot read {}: {source}\nhelp: name a folder that `simhost run --out` has written",
        path.display()
    )]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A file of an earlier run does not have the expected content.
    #[error("{}{}: {text}\nhelp: {help}", path.display(), line.map_or(String::new(), |line| format!(":{line}")))]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Line, counted from 1.
        line: Option<usize>,
        /// Description of what was found and expected.
        text: String,
        /// Advice to the user.
        help: &'static str,
    },
}

impl From<InputFileError> for OutputError {
    fn from(error: InputFileError) -> Self {
        match error {
            InputFileError::Read { path, source } => Self::Read { path, source },
            InputFileError::Line { path, line, text } => Self::Content {
                path,
                line: Some(line),
                text,
                help: "every line is an input as the run has written it; repeat the run from an unchanged \
                       copy of the folder",
            },
            // the enumeration can grow
            other => Self::Content {
                path: INPUTS_FILE.into(),
                line: None,
                text: other.to_string(),
                help: "repeat the run from an unchanged copy of the folder",
            },
        }
    }
}

impl OutputError {
    /// Returns whether the error is about reading an earlier run, and not about writing a new one.
    pub const fn is_input(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Content { .. })
    }
}
