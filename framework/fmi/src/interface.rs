//! The variables of an FMU, and what they refer to in its world.

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
    /// Time step of the world, s.
    pub dt: f64,
    /// Duration of the world, s.
    pub duration: Option<f64>,
    /// Commands that inputs set.
    pub commands: Vec<CommandGroup>,
    /// The variables.
    pub variables: Vec<Variable>,
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

/// A variable of an FMU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Name, unique within the FMU.
    pub name: String,
    /// Its place in the world.
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

/// What a variable refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Simulated time.
    Time,
    /// A value of a command.
    Input {
        /// Index of the command in [`Interface::commands`].
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
    /// The parameter with the name of the variable.
    Parameter,
}

/// Value of a variable at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StartValue {
    /// A truth value.
    Truth(bool),
    /// A number. Outputs have `None`, since it is calculated.
    Number(Option<f64>),
    /// A text.
    Text(String),
}
