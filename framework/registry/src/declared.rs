//! Models that are declared as data, in JSON: the classes of Python, and the scripts of a tab.

mod descriptor;
mod ports;
mod reading;

use simhost_abi::{Kind, Scope};
use simhost_model::ports::shares_state;

pub use descriptor::DeclaredFunctions;
pub use ports::{DeclaredPorts, PortRow};

/// A model as data. The boundary defines the numbers of kinds, scopes and flags. A number that JSON cannot express is a text,
/// such as `"inf"`.
#[derive(Debug)]
pub struct ModelDeclaration {
    kind: String,
    vendor: String,
    name: String,
    version: String,
    doc: String,
    flags: u32,
    parameters: Vec<Parameter>,
    states: Vec<State>,
    /// Kinds of commands, with the names of inputs or outputs.
    commands: Vec<(String, Vec<String>)>,
    phases: Vec<PhaseDeclaration>,
    wheels: Vec<Wheel>,
    chassis: Option<Chassis>,
    /// Addresses of the functions of the phases; none if the model is interpreted.
    pub compiled: Vec<usize>,
}

#[derive(Debug)]
struct PhaseDeclaration {
    id: String,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

#[derive(Debug)]
struct Parameter {
    key: String,
    unit: String,
    description: String,
    kind: u32,
    flags: u32,
    count: u32,
    scale: f64,
    low: f64,
    high: f64,
    default: Option<Default>,
    choices: Vec<String>,
}

/// The default of a parameter.
#[derive(Debug)]
enum Default {
    Bool(bool),
    Number(f64),
    Text(String),
    Items(Vec<f64>),
}

#[derive(Debug)]
struct State {
    name: String,
    unit: String,
    description: String,
    initial: f64,
    initial_from: String,
    scope: u32,
    kind: u32,
}

#[derive(Debug)]
struct Port {
    name: String,
    unit: String,
    description: String,
    default: f64,
    flags: u32,
    scope: u32,
    key: String,
    key_unit: String,
    key_scale: f64,
}

#[derive(Debug)]
struct Wheel {
    tag: String,
    x: f64,
    y: f64,
    flags: u32,
}

#[derive(Debug)]
struct Chassis {
    mass: f64,
    z_min: f64,
    z_max: f64,
    polygon: Vec<(f64, f64)>,
}

/// The columns of a phase.
#[derive(Debug)]
pub struct PhaseShape {
    /// Scopes of the inputs.
    pub inputs: Vec<Scope>,
    /// Scopes of the outputs.
    pub outputs: Vec<Scope>,
    /// What its lanes are.
    pub lanes: LaneRole,
}

/// The lanes of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneRole {
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
                "aim" => LaneRole::Aiming,
                id if shares_state(id) => LaneRole::Points,
                _ => LaneRole::Plain,
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
