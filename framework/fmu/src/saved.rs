//! Saved states of what an FMU simulates.

use serde::{Deserialize, Serialize};
use simhost::Snapshot;

/// State of what an FMU simulates.
pub enum SimulatorState {
    /// State of a world.
    World {
        snapshot: Snapshot,
        commands: Vec<CommandState>,
        /// Time of the importer at which the simulated time is 0, s.
        start: f64,
    },
    /// State of a model.
    Model(ModelState),
}

/// A command whose values are inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandState {
    pub values: Vec<f64>,
    /// Whether the importer has set a value that the next step has to send.
    pub is_new: bool,
}

/// State of a model without a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelState {
    /// States, inputs and outputs as bits, which can be no finite numbers.
    pub numbers: Vec<u64>,
    pub memory: Option<Vec<u8>>,
    /// Parameters that differ from their defaults, as in a world file.
    pub parameters: Vec<(String, String)>,
    pub seed: u64,
    /// Number of steps.
    pub steps: u64,
    /// Time of the importer, s.
    pub time: f64,
    pub is_initialized: bool,
}
