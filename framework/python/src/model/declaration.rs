//! Models as Python declares them.

use pyo3::prelude::*;
use simhost_abi::{Kind, Scope};
use simhost_model::ports::shares_state;

/// A model as Python declares it. The boundary defines the numbers of kinds, scopes and flags.
#[derive(FromPyObject)]
pub struct ModelDeclaration {
    pub(super) kind: String,
    pub(super) vendor: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) doc: String,
    pub(super) flags: u32,
    pub(super) parameters: Vec<Parameter>,
    pub(super) states: Vec<State>,
    /// Kinds of commands, with the names of inputs or outputs.
    pub(super) commands: Vec<(String, Vec<String>)>,
    pub(super) phases: Vec<PhaseDeclaration>,
    pub(super) wheels: Vec<Wheel>,
    pub(super) chassis: Option<Chassis>,
    /// Addresses of the functions of the phases; none if Python is called.
    pub compiled: Vec<usize>,
}

#[derive(FromPyObject)]
pub(super) struct PhaseDeclaration {
    pub(super) id: String,
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<Port>,
}

#[derive(FromPyObject)]
pub(super) struct Parameter {
    pub(super) key: String,
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) kind: u32,
    pub(super) flags: u32,
    pub(super) count: u32,
    pub(super) scale: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) default: Option<Default>,
    pub(super) choices: Vec<String>,
}

/// The default of a parameter. Numbers come first: a boolean is one too.
#[derive(FromPyObject)]
pub(super) enum Default {
    Number(f64),
    Text(String),
    Items(Vec<f64>),
}

#[derive(FromPyObject)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) initial: f64,
    pub(super) initial_from: String,
    pub(super) scope: u32,
    pub(super) kind: u32,
}

#[derive(FromPyObject)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) default: f64,
    pub(super) flags: u32,
    pub(super) scope: u32,
    pub(super) key: String,
    pub(super) key_unit: String,
    pub(super) key_scale: f64,
}

#[derive(FromPyObject)]
pub(super) struct Wheel {
    pub(super) tag: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) flags: u32,
}

#[derive(FromPyObject)]
pub(super) struct Chassis {
    pub(super) mass: f64,
    pub(super) z_min: f64,
    pub(super) z_max: f64,
    pub(super) polygon: Vec<(f64, f64)>,
}

/// The columns of a phase.
pub struct PhaseShape {
    /// Scopes of the inputs.
    pub inputs: Vec<Scope>,
    /// Scopes of the outputs.
    pub outputs: Vec<Scope>,
    /// What its lanes are.
    pub lanes: Lanes,
}

/// The lanes of a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// Each has separate states.
    Plain,
    /// Sensors whose random numbers differ from `read`.
    Aiming,
    /// Points of an environment, which read the states of lane 0.
    Points,
}

impl ModelDeclaration {
    /// Returns the columns of each phase.
    pub fn shapes(&self) -> Vec<PhaseShape> {
        let scopes =
            |ports: &[Port]| ports.iter().map(|port| Scope::from_u32(port.scope)).collect();
        let shape = |phase: &PhaseDeclaration| PhaseShape {
            inputs: scopes(&phase.inputs),
            outputs: scopes(&phase.outputs),
            lanes: match &*phase.id {
                "aim" => Lanes::Aiming,
                id if shares_state(id) => Lanes::Points,
                _ => Lanes::Plain,
            },
        };
        self.phases.iter().map(shape).collect()
    }

    /// Returns the scopes of the states.
    pub fn state_scopes(&self) -> Vec<Scope> {
        self.states.iter().map(|state| Scope::from_u32(state.scope)).collect()
    }

    /// Returns whether the lanes of a call depend on each other.
    pub fn is_whole(&self) -> bool {
        self.flags & simhost_abi::model_flag::WHOLE_BATCH != 0 || self.kind == Kind::Fleet.tag()
    }
}
