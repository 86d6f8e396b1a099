//! Model instances.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{Fault, Model, Phase, Str, fault_code};
use simhost_model::{ModelRef, ParamValue, View};
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

/// One model with its parameters.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The class.
    pub class: ModelRef,
    /// The parameters, in the order of their declaration.
    pub values: Vec<ParamValue>,
    handle: *mut c_void,
}

// SAFETY: the boundary promises that calls may come from any thread, and the handle is immutable
// between `create` and `destroy`.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and nothing uses it after this.
        unsafe { (self.class.model.destroy)(self.handle) }
    }
}

impl Instance {
    /// Creates the instance that a world file describes.
    ///
    /// # Errors
    /// [`ModelError`] if the model rejects its parameters or panics.
    pub fn new(wanted: &ModelUse) -> Result<Arc<Self>, ModelError> {
        let model = wanted.model.model;
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        let code = ParamValue::with_abi(&wanted.values, |values| {
            // SAFETY: the values live during the call; handle and fault are ours.
            unsafe { (model.create)(values, &raw mut handle, &raw mut fault) }
        });
        let (class, span, text) =
            (wanted.model.full_name.to_string(), wanted.span, fault.message());
        match code {
            fault_code::NONE => Ok(Arc::new(Self {
                class: wanted.model.clone(),
                values: wanted.values.clone(),
                handle,
            })),
            fault_code::PANIC => Err(ModelError::Panicked { class, text, span }),
            _ => Err(ModelError::Rejected { class, text, span }),
        }
    }

    /// Returns the descriptor.
    pub fn model(&self) -> &'static View<Model> {
        self.class.model
    }

    /// Returns the handle that `create` has set.
    pub fn handle(&self) -> *mut c_void {
        self.handle
    }

    /// Returns the table of an ability, or null if the model does not have it.
    pub fn ability(&self, id: &str) -> *const c_void {
        // SAFETY: the id lives during the call.
        self.model().ability.map_or(std::ptr::null(), |ask| unsafe { ask(Str::borrowed(id)) })
    }

    /// Returns whether the model has set a bit of [`simhost_abi::model_flag`].
    pub fn has_flag(&self, flag: u32) -> bool {
        self.model().flags & flag != 0
    }

    /// Returns a phase by its id.
    pub fn phase(&self, id: &str) -> Option<&'static View<Phase>> {
        self.model().phase(id)
    }

    /// Lets a dynamics class change the positions of its wheels.
    ///
    /// # Errors
    /// Message of the model if it rejects the wheels.
    pub fn arrange(&self, wheels: &mut [simhost_abi::WheelGeometry]) -> Result<(), String> {
        let Some(arrange) = self.model().arrange else { return Ok(()) };
        let mut fault = Fault::NONE;
        // SAFETY: the wheels are ours for the call.
        let code =
            unsafe { arrange(self.handle, wheels.as_mut_ptr(), wheels.len(), &raw mut fault) };
        if code == fault_code::NONE { Ok(()) } else { Err(fault.message()) }
    }

    /// Returns the number of rays of a sensor.
    pub fn rays(&self) -> usize {
        // SAFETY: the handle is the model's.
        self.model().capacity.map_or(0, |capacity| unsafe { capacity(self.handle) })
    }
}
