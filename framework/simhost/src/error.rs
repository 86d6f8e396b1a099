//! Errors of sessions.

use simhost_engine::{
    BuildError, CommandError, ObserverError, RestoreError, SnapshotError, StepError, TakeOverError,
    UnknownQuantity,
};
use simhost_record::CommandFileError;
use simhost_registry::FolderError;
use simhost_streams::{InputError, SinkError};
use simhost_world::{LoadError, Sources, Span};

use crate::gpu::GpuError;
use crate::output::OutputError;

/// An error of a hook, which ends the run.
pub type HookError = Box<dyn std::error::Error + Send + Sync>;

/// A session cannot be opened, or cannot do what it is asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A plugin folder cannot be read.
    #[error(transparent)]
    Plugins(#[from] FolderError),
    /// The world file has errors.
    #[error("{}", .0.diagnostics.iter().map(|one| one.render(&.0.sources, false)).collect::<Vec<_>>().join("\n"))]
    Load(Box<LoadError>),
    /// The world cannot be simulated.
    #[error("{error}")]
    Build {
        /// The error, with its position in the world file if it has one.
        error: Box<BuildError>,
        /// The texts that the position refers to.
        sources: Box<Sources>,
    },
    /// An observer of the world cannot be created or begin.
    #[error("{error}")]
    Observer {
        /// The error, with its position in the world file if it has one.
        error: Box<ObserverError>,
        /// The texts that the position refers to.
        sources: Box<Sources>,
    },
    /// A pattern selects no quantity to record.
    #[error("{error}")]
    Quantity {
        /// The error.
        error: Box<UnknownQuantity>,
        /// Position of the pattern in the world file; `None` if the program has given it.
        span: Option<Span>,
        /// The texts that the position refers to.
        sources: Box<Sources>,
    },
    /// A driver cannot drive a vehicle through a manoeuvre.
    #[error(
        "the controller `{controller}` of vehicle '{vehicle}' with the dynamics class `{class}` takes {}; expected the \
         command `pedals` (drive torque, brake torque, steering angle) or `drive` (throttle, brake, steering angle, gear)",
        if commands.is_empty() { "no command".to_owned() } else { format!("the command {}", commands.join(", ")) }
    )]
    Undrivable {
        /// Name of the vehicle.
        vehicle: String,
        /// Dynamics class.
        class: &'static str,
        /// Class of its controller.
        controller: &'static str,
        /// Commands that it takes, in backticks.
        commands: Vec<String>,
    },
    /// A manoeuvre has no result, because the vehicle does not do what its metrics need.
    #[error("{manoeuvre} has no result: {reason}")]
    Manoeuvre {
        /// Name of the manoeuvre.
        manoeuvre: &'static str,
        /// Behaviour of the vehicle, and the condition for the metrics.
        reason: String,
    },
    /// A manoeuvre does not have a setting, or its value is out of range.
    #[error("{manoeuvre}: {reason}")]
    ManoeuvreSetting {
        /// Name of the manoeuvre.
        manoeuvre: &'static str,
        /// The setting, and what was expected.
        reason: String,
    },
    /// A step failed. The session cannot continue, apart from a reset or a restored snapshot.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An input is not accepted.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A variation cannot be read, or does not fit the world.
    #[error(transparent)]
    Variation(#[from] VariationError),
    /// An ensemble cannot be opened, or a call does not fit it.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// A snapshot cannot be taken.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A snapshot cannot be restored.
    #[error(transparent)]
    Restore(Box<RestoreError>),
    /// A sink cannot take samples.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The session cannot be recorded, or a recorded one cannot be read.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Commands do not fit the world.
    #[error(transparent)]
    Commands(#[from] CommandError),
    /// A file of commands cannot be used.
    #[error(transparent)]
    CommandFile(#[from] CommandFileError),
    /// A stream does not have the type that is asked for.
    #[error("stream '{stream}' has the type {found}; expected {expected}")]
    Type {
        /// Name of the stream.
        stream: String,
        /// Its type.
        found: String,
        /// The type that is asked for.
        expected: &'static str,
    },
    /// The description of the world has been dropped with
    /// [`Edits::forget_description`](crate::Edits::forget_description).
    #[error("the session has dropped the description of its world, which this requires")]
    Forgotten,
    /// A hook failed.
    #[error("a hook failed: {source}")]
    Hook {
        /// The error of the hook.
        source: HookError,
    },
    /// The thread of a session cannot be started.
    #[error("failed to start the thread of the session: {source}")]
    Thread {
        /// Error of the system.
        source: std::io::Error,
    },
    /// Entities cannot be added or removed, because the session was opened from a world without its
    /// elements.
    #[error(
        "entities cannot be added or removed: the world was loaded without its elements; open it from a file or a text, or set `LoadOptions::keep_tree`"
    )]
    NoTree,
    /// A fragment cannot be read.
    #[error("failed to read {}: {source}", path.display())]
    Fragment {
        /// Path of the file.
        path: std::path::PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The changes of the world in a snapshot cannot be made.
    #[error("the changes of the world in the snapshot cannot be made: {text}")]
    Edits {
        /// The reason.
        text: String,
    },
    /// Values cannot be written into the world file.
    #[error(transparent)]
    Placement(#[from] simhost_world::PlacementError),
    /// A changed world cannot continue.
    #[error(transparent)]
    TakeOver(#[from] TakeOverError),
    /// No GPU casts rays, and one is required.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A run cannot be extended by this time.
    #[error("cannot extend the run by {found} s; expected a finite time of at least 0 s")]
    Extension {
        /// Time that is asked for, s.
        found: f64,
    },
    /// A time is not finite, or has passed.
    #[error("cannot run until {until} s: the time is {now} s; expected a later, finite time")]
    Past {
        /// Time that is asked for, s.
        until: f64,
        /// Present time, s.
        now: f64,
    },
}

/// An ensemble cannot be opened, or a call does not fit it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// The members would take too much memory.
    #[error(
        "{members} members need about {needed} bytes of memory; expected at most {most}; help: use fewer members, or \
         allow more memory"
    )]
    Memory {
        /// Number of members.
        members: usize,
        /// Estimate, bytes.
        needed: u64,
        /// Limit, bytes.
        most: u64,
    },
    /// The world of a session is no longer the world of the ensemble.
    #[error(
        "cannot start the members from the session: its world has been edited; expected the world with which the \
         ensemble was opened; help: open another ensemble from the session"
    )]
    Edited,
    /// The session plans values of parameters, for example from a command file.
    #[error(
        "the commands set '{name}' after {step} steps; expected commands without values of parameters, which the members \
         of an ensemble keep; help: vary the parameter, or run a member alone"
    )]
    Planned {
        /// Name of the first parameter.
        name: String,
        /// Number of completed steps at which it would change.
        step: u64,
    },
    /// There is no such member.
    #[error("unknown member {found}; the members are 0 to {}", members - 1)]
    Member {
        /// Number that was given.
        found: usize,
        /// Number of members.
        members: usize,
    },
    /// A metric cannot be read, or there is no such value.
    #[error("cannot use the metric '{text}': {problem}")]
    Metric {
        /// Text of the metric.
        text: String,
        /// Value that was found, and the expected one.
        problem: String,
    },
    /// A list does not have the length that the ensemble requires.
    #[error("{what} has {found} values; expected {expected}: {shape}")]
    Shape {
        /// Value that was given.
        what: String,
        /// Number of values that was given.
        found: usize,
        /// Number of values that fits.
        expected: usize,
        /// Meaning of the number that fits.
        shape: String,
    },
    /// A value is not finite.
    #[error("{what}: value {index} of member {member} is {found}; expected a finite number")]
    NotFinite {
        /// Value that was given.
        what: String,
        /// Number of the member.
        member: usize,
        /// Index of the value among the values of the member.
        index: usize,
        /// The value.
        found: f64,
    },
}

impl From<BuildError> for Error {
    /// Wraps an error without a position in a text.
    fn from(error: BuildError) -> Self {
        Self::Build { error: Box::new(error), sources: Box::default() }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::Load(Box::new(error))
    }
}

impl From<RestoreError> for Error {
    fn from(error: RestoreError) -> Self {
        Self::Restore(Box::new(error))
    }
}

/// A variation cannot be read, or does not fit the world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariationError {
    /// The text cannot be read.
    #[error("cannot read the variation '{text}': column {column}: {problem}")]
    Syntax {
        /// The text.
        text: String,
        /// Position of the problem, counted in characters from 1.
        column: usize,
        /// Value that was found, and the expected one.
        problem: String,
    },
    /// Nothing that can vary has this name.
    #[error("cannot vary '{name}': {help}")]
    Name {
        /// The name.
        name: String,
        /// The reason, and the nearest name.
        help: String,
    },
    /// A value is not accepted.
    #[error("cannot vary '{name}': {problem}")]
    Value {
        /// Name of what varies.
        name: String,
        /// Value that was found, and the expected one.
        problem: String,
    },
    /// A model rejects its parameters.
    #[error("member {member}: a model of vehicle '{vehicle}' rejects its parameters: {text}")]
    Rejected {
        /// Number of the member.
        member: usize,
        /// Name of the vehicle.
        vehicle: String,
        /// Message of the model.
        text: String,
    },
    /// There cannot be so many members.
    #[error("found {found} members; expected 1 to 4294967296")]
    Members {
        /// Number of members.
        found: usize,
    },
}
