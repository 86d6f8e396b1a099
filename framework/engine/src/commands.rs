//! Commands: setpoints of controllers at given times.

/// A command for one vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Time from which it acts, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Values by the name of the controller's input.
    pub values: Vec<(String, f64)>,
}

/// Returns whether a command from `at` on acts on a step that starts at `time`, s.
pub fn acts(at: f64, time: f64) -> bool {
    time >= at - 1e-9
}

/// A kind of command that a controller accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandKind {
    /// Name of the kind.
    pub name: String,
    /// Inputs that the values of the command set, in order; `None` for a value that is ignored.
    pub values: Vec<Option<String>>,
}

/// A command cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// No vehicle has this name.
    #[error("unknown vehicle '{vehicle}' in the command at {time} s")]
    Vehicle {
        /// Time of the command, s.
        time: f64,
        /// Name in the command.
        vehicle: String,
    },
    /// The controller of the vehicle does not have this input.
    #[error("the controller of vehicle '{vehicle}' has no input `{input}` (command at {time} s)")]
    Input {
        /// Time of the command, s.
        time: f64,
        /// Name of the vehicle.
        vehicle: String,
        /// Name in the command.
        input: String,
    },
    /// A time or a value is not finite.
    #[error("a number of the command at {time} s for vehicle '{vehicle}' is not finite")]
    NotFinite {
        /// Time of the command, s.
        time: f64,
        /// Name of the vehicle.
        vehicle: String,
    },
    /// The commands are not sorted by time.
    #[error("the command at {time} s comes after one at {latest} s: sort commands by time")]
    Order {
        /// Time of the command, s.
        time: f64,
        /// Time of an earlier command in the list, s.
        latest: f64,
    },
}
