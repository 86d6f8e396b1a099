//! The interface of an FMU: its variables, and what they refer to.

use serde::{Deserialize, Serialize};

/// Name of the interface among the resources.
pub const INTERFACE_FILE: &str = "simhost.json";
/// Name of the world among the resources.
pub const WORLD_FILE: &str = "world.xml";

/// The variables of an FMU, in the order of their value references, which start at 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interface {
    /// Name of the model.
    pub name: String,
    /// Instantiation token of FMI 3.0 and GUID of FMI 2.0: a hash of the resources.
    pub token: String,
    /// Time step of the world, or suggested communication step of a model, s.
    pub dt: f64,
    /// Duration of the world, s.
    pub duration: Option<f64>,
    /// Subject of the FMU: a world or a model.
    pub simulated: Simulated,
    /// Plugins among the resources.
    pub plugins: Vec<BundledPlugin>,
    /// The variables.
    pub variables: Vec<Variable>,
}

/// Subject of an FMU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Simulated {
    /// The world among the resources, with the commands that inputs set.
    World(Vec<CommandGroup>),
    /// One model without a world.
    Model(ModelSource),
}

/// A command of a vehicle, whose values are inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandGroup {
    /// Name of the input stream, such as `car/cmd_ackermann`.
    pub stream: String,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Kind of the command.
    pub kind: String,
    /// Number of its values.
    pub width: usize,
}

/// A model and how it is created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSource {
    /// Tag of the kind, such as `friction`.
    pub kind: String,
    /// Full name of the class, such as `simhost/default`.
    pub class: String,
    /// Index among the variants of the class.
    pub variant: usize,
    /// Parameters that differ from their defaults, as a world file has them, with paths relative to
    /// the resources.
    pub parameters: Vec<(String, String)>,
    /// Number of wheels of a vehicle with the model.
    pub wheels: usize,
    /// Whether an importer can integrate the states, for model exchange.
    pub has_rates: bool,
}

/// A plugin among the resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundledPlugin {
    /// Path below the resources.
    pub path: String,
    /// SHA-256 of the file, as hexadecimal digits.
    pub sha256: String,
}

/// A variable of an FMU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Name, unique within the FMU.
    pub name: String,
    /// Its place in the world or the model.
    pub role: Role,
    /// Value at the start, which also decides its type.
    pub start: StartValue,
    /// Unit; empty for texts and truth values.
    pub unit: String,
    /// Meaning.
    pub description: String,
    /// Smallest value, if it is known.
    pub min: Option<f64>,
    /// Largest value, if it is known.
    pub max: Option<f64>,
}

/// Quantity or setting to which a variable refers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Simulated time.
    Time,
    /// A value of a command.
    Input {
        /// Index of the command in [`Simulated::World`].
        command: usize,
        /// Index of the value.
        index: usize,
    },
    /// A value of a quantity.
    Output {
        /// Name of the quantity.
        quantity: String,
        /// Index of the value.
        index: usize,
    },
    /// The parameter of a world with the name of the variable.
    Parameter,
    /// A value of an input of a model, for all phases that have an input with this name.
    PortInput {
        /// Name of the port.
        port: String,
        /// Index of the value.
        index: usize,
    },
    /// A value of an output of a model.
    PortOutput {
        /// Index of the phase.
        phase: usize,
        /// Index of the output.
        port: usize,
        /// Index of the value.
        index: usize,
    },
    /// A value of a state slot.
    State {
        /// Index of the slot.
        slot: usize,
        /// Index of the value.
        index: usize,
        /// Whether the value jumps, as a gear does.
        is_discrete: bool,
    },
    /// Rate of change of a value of a state slot.
    Rate {
        /// Index of the slot.
        slot: usize,
        /// Index of the value.
        index: usize,
    },
    /// A parameter of a model.
    ModelParameter {
        /// Key of the parameter.
        key: String,
        /// Whether it cannot change after the initialisation.
        is_fixed: bool,
    },
    /// Seed of the random numbers of a model.
    Seed,
}

impl Role {
    /// Returns whether it is a parameter that cannot change after the initialisation.
    pub const fn is_fixed(&self) -> bool {
        matches!(self, Self::ModelParameter { is_fixed: true, .. } | Self::Seed)
    }

    /// Returns whether it is a parameter.
    pub const fn is_parameter(&self) -> bool {
        matches!(self, Self::Parameter | Self::ModelParameter { .. } | Self::Seed)
    }

    /// Returns whether it is an output.
    pub const fn is_output(&self) -> bool {
        matches!(self, Self::Output { .. } | Self::PortOutput { .. })
    }
}

/// Value of a variable at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StartValue {
    /// A truth value.
    Truth(bool),
    /// A number, or `None` for a number that is calculated.
    Number(Option<f64>),
    /// A text.
    Text(String),
}
