//! Errors of reading runs.

use std::path::PathBuf;

/// A run cannot be read, or does not hold a series.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is no such file or folder.
    #[error("no such run: {path}\nhelp: `simhost WORLD --out {path}` writes one", path = path.display())]
    Missing {
        /// Path that was given.
        path: PathBuf,
    },
    /// A folder or file is not the output of a run.
    #[error("{} is not a run: {found}; expected {expected}", path.display())]
    NotARun {
        /// Path of the folder or file.
        path: PathBuf,
        /// Content that was found.
        found: String,
        /// Content that was expected.
        expected: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// An MCAP file cannot be read.
    #[error(transparent)]
    Mcap(#[from] simhost_mcap::McapError),
    /// A line of a file is invalid.
    #[error("{}:{line}: {text}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The value that was found, and the expected one.
        text: String,
    },
    /// The run has no series of this name.
    #[error(
        "{} has no quantity `{name}`{}{}",
        path.display(), did_you_mean(.nearest), advice(*.is_known)
    )]
    UnknownSeries {
        /// Path of the run.
        path: PathBuf,
        /// Name or pattern.
        name: String,
        /// Nearest name.
        nearest: Option<String>,
        /// Whether the run has the quantity, but its values were not read.
        is_known: bool,
    },
    /// An array has no value with this index.
    #[error("`{name}` of {} has {len} values; expected an index from 0 to {}", path.display(), len - 1)]
    Index {
        /// Path of the run.
        path: PathBuf,
        /// Name of the array with the index.
        name: String,
        /// Number of values of the array.
        len: usize,
    },
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}

fn advice(is_known: bool) -> &'static str {
    match is_known {
        true => "\nhelp: its values were not read",
        false => "\nhelp: `simhost run --record PATTERN` records any quantity of the world",
    }
}
