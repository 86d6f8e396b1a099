//! Errors of observers before a run.

use std::path::{Path, PathBuf};

use simhost_abi::{Fault, fault_code};
use simhost_world::Span;

use crate::model::ModelError;
use crate::quantities::UnknownQuantity;

/// An observer cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObserverError {
    /// The model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The observer selects a quantity that the world does not have.
    #[error("observer '{observer}': {source}")]
    Quantity {
        /// Name of the observer.
        observer: String,
        /// The pattern, and the nearest one.
        source: UnknownQuantity,
        /// Position of the element.
        span: Span,
    },
    /// The observer has failed before its first sample.
    #[error("observer '{observer}': {class} {} in `{function}`: {text}", verb(*.panicked))]
    Failed {
        /// Name of the observer.
        observer: String,
        /// Full name of the class.
        class: String,
        /// Function of the call.
        function: &'static str,
        /// Message of the observer.
        text: String,
        /// Whether it panicked.
        panicked: bool,
        /// Position of the element.
        span: Span,
    },
    /// The folder for the files of observers cannot be created.
    #[error("cannot create {path}: {source}")]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
}

const fn verb(panicked: bool) -> &'static str {
    if panicked { "panicked" } else { "failed" }
}

impl ObserverError {
    /// Returns the position in the world file, if the error has one.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Model(error) => Some(error.span()),
            Self::Quantity { span, .. } | Self::Failed { span, .. } => Some(*span),
            Self::Folder { .. } => None,
        }
    }

    /// Returns whether a model has panicked.
    pub fn is_panic(&self) -> bool {
        matches!(
            self,
            Self::Model(ModelError::Panicked { .. }) | Self::Failed { panicked: true, .. }
        )
    }

    /// Returns the error of a call that faulted.
    pub(super) fn of_fault(
        observer: &str,
        class: &str,
        function: &'static str,
        fault: &Fault,
        span: Span,
    ) -> Self {
        Self::Failed {
            observer: observer.to_owned(),
            class: class.to_owned(),
            function,
            text: fault.message(),
            panicked: fault.code == fault_code::PANIC,
            span,
        }
    }
}

/// Creates a folder and returns its absolute path, which is a text for observers.
pub(super) fn usable_folder(folder: &Path) -> Result<PathBuf, ObserverError> {
    let failed = |source| ObserverError::Folder { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let path = std::path::absolute(folder).map_err(failed)?;
    if path.to_str().is_none() {
        return Err(failed(std::io::Error::other("its path is not valid UTF-8")));
    }
    Ok(path)
}
