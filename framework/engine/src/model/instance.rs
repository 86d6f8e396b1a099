//! Model instances.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{Model, Phase, fault_code};
use simhost_model::{
    MemoryFunctions, ModelRef, ParamValue, View, defect_of_wheels, initial_states,
};
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

/// Creates the instance that a world file describes, without its parameters.
///
/// # Errors
/// [`ModelError`] if the model rejects its parameters or panics.
pub(crate) fn create(wanted: &ModelUse) -> Result<simhost_model::Instance, ModelError> {
    let created = simhost_model::Instance::new(&wanted.model, &wanted.values);
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
        None => Ok(instance),
    }
}

/// A model instance with its class and parameters.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The class.
    pub class: ModelRef,
    /// The parameters, in the order of their declaration.
    pub values: Arc<[ParamValue]>,
    /// The values of the state slots at the start of a run.
    pub initial_states: Vec<f64>,
    instance: simhost_model::Instance,
}

impl Instance {
    /// Creates the instance that a world file describes.
    ///
    /// # Errors
    /// [`ModelError`] if the model rejects its parameters or panics.
    pub fn new(wanted: &ModelUse) -> Result<Arc<Self>, ModelError> {
        let instance = create(wanted)?;
        let (class, values) = (wanted.model.clone(), Arc::clone(&wanted.values));
        let initial_states = initial_states(class.model, &values);
        Ok(Arc::new(Self { class, values, initial_states, instance }))
    }

    /// Returns the descriptor.
    pub fn model(&self) -> &'static View<Model> {
        self.class.model
    }

    /// Returns the handle that `create` has set.
    pub fn handle(&self) -> *mut c_void {
        self.instance.handle()
    }

    /// Returns the instance without its parameters.
    pub fn inner(&self) -> &simhost_model::Instance {
        &self.instance
    }

    /// Returns the functions for the memory of lanes, or `None` for a model without memory.
    pub fn memory_functions(&self) -> Option<MemoryFunctions> {
        MemoryFunctions::of(&self.instance)
    }

    /// Returns whether the model has set a bit of [`simhost_abi::model_flag`].
    pub fn has_flag(&self, flag: u32) -> bool {
        self.model().flags & flag != 0
    }

    /// Returns a phase by its id.
    pub fn phase(&self, id: &str) -> Option<&'static View<Phase>> {
        self.model().phase(id)
    }

    /// Lets a dynamics class change the positions of its wheels. `span` is the position of the element
    /// that selects the class.
    ///
    /// # Errors
    /// [`ModelError`] if the model rejects the wheels, or places one where none can be.
    pub fn arrange(
        &self,
        wheels: &mut [simhost_abi::WheelGeometry],
        span: Span,
    ) -> Result<(), ModelError> {
        self.instance.arrange(wheels).map_err(|fault| {
            let class = self.class.full_name.to_string();
            ModelError::Rejected { class, text: fault.message(), span }
        })?;
        match defect_of_wheels(wheels) {
            None => Ok(()),
            Some(defect) => Err(incomplete(&self.class, defect, span)),
        }
    }

    /// Returns the number of rays of a sensor.
    pub fn rays(&self) -> usize {
        self.instance.rays()
    }
}
