//! Model instances.

use std::sync::Arc;

use simhost_abi::{WheelGeometry, fault_code};
use simhost_model::{Instance, ModelRef, defect_of_wheels};
use simhost_world::{ModelUse, Span};

/// A model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model rejected its parameters.
    #[error("{class} rejected its parameters: {text}")]
    Rejected {
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
    /// The model panicked while it was created.
    #[error("{class} panicked while it was created: {text}")]
    Panicked {
        /// Full name of the class.
        class: String,
        /// Message of the panic.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
    /// The model lacks something that its kind needs.
    #[error("{class} cannot be used: {text}")]
    Incomplete {
        /// Full name of the class.
        class: String,
        /// Description of the missing part.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
}

impl ModelError {
    /// Returns the position of the element that selects the class.
    pub fn span(&self) -> Span {
        match self {
            Self::Rejected { span, .. }
            | Self::Panicked { span, .. }
            | Self::Incomplete { span, .. } => *span,
        }
    }
}

/// Returns the error for a model that lacks something that its kind needs.
pub(crate) fn incomplete(class: &ModelRef, text: impl Into<String>, span: Span) -> ModelError {
    ModelError::Incomplete { class: class.full_name.to_string(), text: text.into(), span }
}

/// Creates the instance that a world file describes.
///
/// # Errors
/// [`ModelError`] if the model rejects its parameters or panics.
pub(crate) fn create(wanted: &ModelUse) -> Result<Arc<Instance>, ModelError> {
    let created = Instance::new(&wanted.model, Arc::clone(&wanted.values));
    let instance = created.map_err(|fault| {
        let (class, span) = (wanted.model.full_name.to_string(), wanted.span);
        let text = fault.message();
        match fault.code {
            fault_code::PANIC => ModelError::Panicked { class, text, span },
            _ => ModelError::Rejected { class, text, span },
        }
    })?;
    match instance.defect() {
        Some(defect) => Err(incomplete(&wanted.model, defect, wanted.span)),
        None => Ok(Arc::new(instance)),
    }
}

/// Lets a dynamics class change the positions of its wheels. `span` is the position of the element that
/// selects the class.
///
/// # Errors
/// [`ModelError`] if the model rejects the wheels, or places one where none can be.
pub(crate) fn arrange(
    instance: &Instance,
    wheels: &mut [WheelGeometry],
    span: Span,
) -> Result<(), ModelError> {
    instance.arrange(wheels).map_err(|fault| {
        let class = instance.class().full_name.to_string();
        ModelError::Rejected { class, text: fault.message(), span }
    })?;
    match defect_of_wheels(wheels) {
        None => Ok(()),
        Some(defect) => Err(incomplete(instance.class(), defect, span)),
    }
}
