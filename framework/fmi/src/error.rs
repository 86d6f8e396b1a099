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
    /// A model of the world comes from a plugin, which the FMU would not contain.
    #[error(
        "the world uses models from plugins: {models}; expected built-in models\nhelp: add the plugins to the FMU with \
         --with-plugins, or replace the models by built-in ones"
    )]
    Plugin {
        /// The models with their files.
        models: String,
    },
    /// A model of the world comes from a file that is not a plugin.
    #[error(
        "the world uses a model from {}, which an FMU cannot contain\nhelp: replace it by a built-in model or a plugin",
        file.display()
    )]
    FileModel {
        /// The file.
        file: PathBuf,
    },
    /// A model cannot be used without a world.
    #[error("{class} cannot be an FMU: {reason}")]
    Model {
        /// Kind and full name of the class.
        class: String,
        /// The port, the service, the parameter or the call that prevents it.
        reason: String,
    },
    /// The value of a parameter of a model is not accepted.
    #[error(transparent)]
    Value(simhost_world::ParameterError),
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
