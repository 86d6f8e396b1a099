//! Commands: setpoints of controllers at given times.

/// A command with the time from which it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedCommand {
    /// Time, s. It acts on the first step that starts at this time or later.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Kind of the command.
    pub kind: String,
    /// Values of the kind, in its order and units.
    pub values: Vec<f64>,
}

impl TimedCommand {
    /// Returns whether it acts on a step that starts at `time`, s, or earlier.
    pub fn is_due(&self, time: f64) -> bool {
        acts(self.time, time)
    }
}

/// Returns whether a command from `at` on acts on a step that starts at `time`, s.
pub(crate) fn acts(at: f64, time: f64) -> bool {
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

impl CommandError {
    /// Returns whether the command names a vehicle or a kind that the world does not have.
    pub fn is_misfit(&self) -> bool {
        matches!(self, Self::Vehicle { .. } | Self::Kind { .. })
    }
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
    /// The controller of the vehicle does not accept this kind of command with so many values.
    #[error(
        "the controller of vehicle '{vehicle}' has no command `{kind}` with {count} values (command at {time} s)"
    )]
    Kind {
        /// Time of the command, s.
        time: f64,
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of the command.
        kind: String,
        /// Number of its values.
        count: usize,
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
