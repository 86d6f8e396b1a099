//! Errors of this crate.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Failure to write an output file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The output directory does not exist and cannot be created.
    #[error(
        "cannot create the output directory {}: {source}; {}",
        path.display(), advice(source.kind())
    )]
    Directory {
        /// Path of the directory.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A file cannot be created or replaced.
    #[error("cannot create {}: {source}; {}", path.display(), advice(source.kind()))]
    Create {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Rows cannot be written, so that the file is incomplete.
    #[error(
        "cannot write to {}, which is now incomplete: {source}; {}",
        path.display(), advice(source.kind())
    )]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The thread that writes files cannot be started.
    #[error("cannot start the thread that writes output files: {source}; end other programs")]
    Thread {
        /// Error of the operating system.
        source: io::Error,
    },
    /// A sample has more or fewer values than its file has columns.
    #[error(
        "cannot add a sample to {}: it has {found} values and the file {expected} columns; pass \
         one value for each name in `SensorFile::columns`",
        path.display()
    )]
    Columns {
        /// Path of the file.
        path: PathBuf,
        /// Number of columns besides the time.
        expected: usize,
        /// Number of values of the sample.
        found: usize,
    },
    /// The recorder was created without this sensor.
    #[error(
        "cannot add a sample of sensor {sensor}: the recorder has {known} sensors, counted from 0; \
         name it in `CsvRecorder::create`"
    )]
    UnknownSensor {
        /// Index of the sensor.
        sensor: usize,
        /// Number of sensors of the recorder.
        known: usize,
    },
}

impl RecordError {
    /// Returns the path of the file or directory, if the error has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Directory { path, .. }
            | Self::Create { path, .. }
            | Self::Write { path, .. }
            | Self::Columns { path, .. } => Some(path),
            Self::Thread { .. } | Self::UnknownSensor { .. } => None,
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
            "choose an output directory that you have permission to write to"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space or choose an output directory on another disk"
        }
        _ => "check the output directory or choose another one",
    }
}
