//! Models of modules, as the host calls them.

use std::sync::{Arc, Mutex, PoisonError};

use simhost_abi::{AliasesTable, Batch, PortDesc, ScalingTable, Scope, model_flag};
use simhost_model::View;
use simhost_model::ports::shares_state;

use crate::engine::Code;

/// Addresses of the parts of a model in the memory of a module.
#[derive(Clone, Debug)]
pub(crate) struct ModelAddresses {
    pub model: u32,
    pub phases: Vec<u32>,
    /// Whether the model has the function `arrange`.
    pub arranges: bool,
    /// Whether the model has the function `capacity`.
    pub has_capacity: bool,
}

/// The tables of a model.
#[derive(Default)]
pub(crate) struct ModelTables {
    /// Address of the table of memories in the module, or 0.
    pub memory: u32,
    /// Address of the table for older states, or 0.
    pub migrate: u32,
    /// Address of the table of spatial sensors, or 0.
    pub spatial: u32,
    /// Address of the table of warnings, or 0.
    pub warnings: u32,
    /// Address of the table of images, or 0.
    pub images: u32,
    /// Further names of the class.
    pub aliases: Option<&'static AliasesTable>,
    /// Exponents of the parameters.
    pub scaling: Option<&'static ScalingTable>,
}

/// A model of a module.
pub(crate) struct ModuleModel {
    pub code: Arc<dyn Code>,
    pub addresses: ModelAddresses,
    pub flags: u32,
    pub phases: Vec<ModulePhase>,
    /// Scopes of the states.
    pub states: Vec<Scope>,
    pub tables: ModelTables,
}

/// A phase of a model.
pub(crate) struct ModulePhase {
    /// Scopes of the inputs.
    pub inputs: Vec<Scope>,
    /// Scopes of the outputs.
    pub outputs: Vec<Scope>,
    pub lanes: PhaseLanes,
}

/// The lanes of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhaseLanes {
    /// Each has its states.
    Own,
    /// Points of an environment, which read the states of lane 0.
    Points,
}

impl PhaseLanes {
    /// Returns the batch whose lanes have the states and memories.
    pub const fn owners(self, batch: &Batch) -> Batch {
        match self {
            Self::Own => *batch,
            Self::Points => Batch { first: 0, count: 1, ..*batch },
        }
    }
}

/// All models, by their numbers. They are never removed, as libraries are never unloaded.
pub(crate) static MODELS: Mutex<Vec<&'static ModuleModel>> = Mutex::new(Vec::new());

/// Returns the model with a number, which a function of the boundary has been made for.
pub(crate) fn model(number: usize) -> &'static ModuleModel {
    MODELS.lock().unwrap_or_else(PoisonError::into_inner)[number]
}

impl ModuleModel {
    /// Returns the model with this descriptor.
    pub fn new(
        code: &Arc<dyn Code>,
        addresses: ModelAddresses,
        model: &'static View<simhost_abi::Model>,
        tables: ModelTables,
    ) -> Self {
        let scopes = |ports: &'static [View<PortDesc>]| {
            ports.iter().map(|port| Scope::from_u32(port.scope)).collect()
        };
        let phases = model.phases().iter().map(|phase| ModulePhase {
            inputs: scopes(phase.inputs()),
            outputs: scopes(phase.outputs()),
            lanes: match shares_state(phase.id()) {
                true => PhaseLanes::Points,
                false => PhaseLanes::Own,
            },
        });
        Self {
            code: Arc::clone(code),
            addresses,
            flags: model.flags,
            phases: phases.collect(),
            states: model.states().iter().map(|state| Scope::from_u32(state.scope)).collect(),
            tables,
        }
    }

    /// Returns whether the lanes of a call depend on each other.
    pub fn is_whole(&self) -> bool {
        self.flags & model_flag::WHOLE_BATCH != 0
    }
}
