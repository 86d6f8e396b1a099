//! Errors of exports.

use std::path::PathBuf;

/// A world cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FmuError {
    /// The world has errors, or a pattern of outputs selects nothing.
    #[error(transparent)]
    World(Box<simhost::Error>),
    /// A pattern selects nothing.
    #[error("no {what} matches '{found}'; {help}")]
    Unknown {
        /// The kind of variable.
        what: &'static str,
        /// The pattern.
        found: String,
        /// The nearest name, or some names.
        help: String,
    },
    /// A model of the world comes from a plugin, which the library in the FMU does not contain.
    #[error(
        "the world uses {models} from plugins; an FMU contains the built-in models only; help: replace them by built-in models"
    )]
    Plugin {
        /// The models with their files.
        models: String,
    },
    /// The library is not there.
    #[error(
        "file not found: {}, the library that every FMU contains; help: build it with `cargo build --release -p simhost-fmu`, \
         or name it with --library", path.display()
    )]
    Library {
        /// Expected path.
        path: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("failed to {act} {}: {source}", path.display())]
    File {
        /// `read` or `write`.
        act: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
}

impl<E: Into<simhost::Error>> From<E> for FmuError {
    fn from(error: E) -> Self {
        Self::World(Box::new(error.into()))
    }
}

impl FmuError {
    pub(crate) fn file(
        act: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { act, path, source }
    }
}
