//! Inputs of a simulation.

use serde::{Deserialize, Serialize};

/// One input. It acts at the start of the next step, and is recorded before it acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// Setpoints of the controller of a vehicle.
    Command {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of command, as in files of commands: `twist`, `ackermann`, …
        kind: String,
        /// Values of the kind, in its order and units.
        values: Vec<f64>,
    },
    /// Pose of a vehicle or a block; its velocity becomes 0.
    Pose {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
        /// x, y, m; yaw, rad; world frame.
        pose: [f64; 3],
    },
    /// Velocity of a vehicle or a block, with the meaning of `<init_vel>`.
    Velocity {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
        /// Forward and leftward velocity, m/s; yaw rate, rad/s; frame of the entity. In the profile of MVSim, velocity
        /// of the centre of mass in the world frame.
        velocity: [f64; 3],
    },
    /// Value of a parameter of a model.
    Parameter {
        /// Name: `VEHICLE/ROLE/KEY`, such as `robot/controller/KP`.
        name: String,
        /// Value as in a world file.
        value: String,
    },
    /// A piece of a world file with new entities.
    Add {
        /// The piece, flat: with includes, loops and expressions resolved.
        fragment: String,
        /// Names and SHA-256 of the files that the piece refers to.
        files: Vec<(String, String)>,
    },
    /// Removal of an entity.
    Remove {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
    },
    /// Entry in the fault memory of a vehicle, with the time at which the input acts.
    AddFault {
        /// Name of the vehicle.
        vehicle: String,
        /// Part of the vehicle that reports the fault, such as `brake`.
        sensor: String,
        /// Severity: `ok`, `service_required`, `damaged`, `critical` or `failure`.
        severity: String,
        /// Number that identifies the fault among the faults of its component.
        code: u32,
        /// Description, empty if there is none.
        text: String,
    },
    /// Removal of all entries of the fault memory of a vehicle. Faults that are present stay.
    ClearFaults {
        /// Name of the vehicle.
        vehicle: String,
    },
    /// Return to the start of the world.
    Reset {
        /// Seed of all random numbers.
        seed: u64,
    },
    /// Return to a snapshot.
    Restore {
        /// State hash of the snapshot, in hexadecimal digits.
        state: String,
        /// Name of the file with the snapshot in the output folder.
        file: String,
    },
    /// Pause: no step is taken until [`Self::Resume`] or [`Self::Step`].
    Pause,
    /// End of a pause.
    Resume,
    /// A number of steps during a pause.
    Step {
        /// Number of steps.
        steps: u64,
    },
    /// Simulated time per wall time.
    Pace {
        /// Factor, greater than 0.
        factor: f64,
    },
    /// Switch of the logs that sinks write per vehicle. It does not affect the simulation.
    Recording {
        /// Name of the vehicle; empty for all vehicles.
        vehicle: String,
        /// Change of the recording.
        action: RecordingAction,
    },
    /// End of the run.
    Stop,
}

/// Change of the recording of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordingAction {
    /// Recording starts, or continues in the files of the present session.
    On,
    /// Recording pauses.
    Off,
    /// Recording starts in the files of a new session.
    New,
    /// The tables of the run begin anew, without the rows so far. Concerns all vehicles, and no logs.
    Clear,
}

impl RecordingAction {
    /// All actions.
    pub const ALL: [Self; 4] = [Self::On, Self::Off, Self::New, Self::Clear];

    /// Returns the name: `on`, `off`, `new` or `clear`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::New => "new",
            Self::Clear => "clear",
        }
    }

    /// Returns the action with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// An input is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// There is no such entity, command, parameter or stream.
    #[error("unknown {what}: '{found}'; {help}")]
    Unknown {
        /// The kind of thing, such as `vehicle`.
        what: &'static str,
        /// The name that was found.
        found: String,
        /// The nearest name, or all names.
        help: String,
    },
    /// A value is not accepted.
    #[error("{name} is {found}; expected {expected}")]
    Value {
        /// Name of the value.
        name: String,
        /// The value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// A message cannot be read.
    #[error("the message for '{stream}' cannot be read: {text}")]
    Message {
        /// Name of the stream.
        stream: String,
        /// The reason.
        text: String,
    },
    /// A fragment, a value or a removal would lead to a world with errors.
    #[error("{text}")]
    World {
        /// The errors, with their positions.
        text: String,
    },
    /// Too many inputs wait for the next step.
    #[error("{waiting} inputs wait for the next step already; send fewer inputs per step")]
    Busy {
        /// Number of inputs that wait.
        waiting: usize,
    },
    /// The session has ended.
    #[error("the session has ended")]
    Ended,
}
