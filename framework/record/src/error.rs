//! Why a run could not be recorded.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The output directory does not exist and cannot be made.
    #[error(
        "cannot create the output directory {}: {source}; {}",
        path.display(), advice(source.kind())
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be created or replaced.
    #[error("cannot create {}: {source}; {}", path.display(), advice(source.kind()))]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Rows cannot be written: the file is incomplete.
    #[error(
        "cannot write to {}, which is now incomplete: {source}; {}",
        path.display(), advice(source.kind())
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A sample has more or fewer values than its file has columns.
    #[error(
        "cannot add a sample to {}: it has {found} values and the file {expected} columns; pass \
         one value for each name in `SensorFile::columns`",
        path.display()
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// Columns beside the time.
        expected: usize,
        /// Values of the sample.
        found: usize,
    },
    /// A reading has a unit without a suffix for csv columns.
    #[error("unknown unit `{unit}` of the reading `{quantity}`; expected one of {known}")]
    UnknownUnit {
        /// Name of the reading.
        quantity: String,
        /// Its unit.
        unit: String,
        /// Known units.
        known: String,
    },
    /// The recorder was not told of this sensor.
    #[error(
        "cannot add a sample of sensor {sensor}: the recorder has {known} sensors, counted from 0; \
         name it in `CsvRecorder::create`"
    )]
    UnknownSensor {
        /// Index that was asked for.
        sensor: usize,
        /// Sensors of the recorder.
        known: usize,
    },
}

impl RecordError {
    /// The file or directory concerned.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Directory { path, .. }
            | Self::Create { path, .. }
            | Self::Write { path, .. }
            | Self::Columns { path, .. } => Some(path),
            Self::UnknownSensor { .. } | Self::UnknownUnit { .. } => None,
        }
    }
}

fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            "a file is in the way: remove it or choose another output directory"
        }
        ErrorKind::IsADirectory => {
            "a directory is in the way: remove it or choose another output directory"
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "choose an output directory that you may write to"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space or choose an output directory on another disk"
        }
        _ => "check the output directory or choose another",
    }
}
