//! Errors of vehicle files.

use simhost_model::nearest;

/// The only version of vehicle files.
pub(crate) const VERSION: u32 = 1;

/// A vehicle file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleFileError {
    /// The file cannot be read or written.
    #[error("cannot use vehicle file {path}: {source}")]
    Io {
        /// Path of the file.
        path: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The text does not describe a car.
    #[error("{path}:{line}:{column}: {message}{}", help(.nearest.as_deref()))]
    Content {
        /// Path of the file, or `vehicle` for a text.
        path: String,
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// The mistake, and the value or form that was expected.
        message: String,
        /// Nearest name to an unknown one.
        nearest: Option<String>,
    },
    /// The file has another version.
    #[error("{path}: unknown version of the vehicle file: {found}; expected {VERSION}")]
    Version {
        /// Path of the file, or `vehicle` for a text.
        path: String,
        /// Version of the file.
        found: u32,
    },
}

fn help(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// Returns the nearest name in a message about an unknown one, which lists the known ones.
pub(crate) fn nearest_in(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut names = rest.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    let known: Vec<&str> = names.collect();
    nearest(unknown, known.iter().copied()).map(str::to_owned)
}
