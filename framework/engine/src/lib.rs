//! The simulation: state tables, `pre / physics / post`, rapier2d for what touches.
//!
//! Vehicles that share their models and parameters stand in one table, a column for each quantity,
//! and a model is called once for all of them. rapier2d moves the bodies and solves contacts; the
//! velocities that the wheels give them are integrated here (semi-implicit Euler).

pub mod breadcrumb;
mod build;
mod clock;
mod columns;
mod commands;
mod divergence;
mod error;
mod fault;
mod ground;
mod loads;
mod memory;
mod model;
mod moment;
mod physics;
mod plan;
mod random;
mod readings;
mod result_hash;
mod sensors;
mod simulation;
mod snapshot;
mod springs;
mod table;
mod take_over;
mod tilt;
mod walls;
mod wiring;

pub use clock::Clock;
pub use commands::{Commands, CommandsError};
pub use divergence::{Divergence, Limits};
pub use error::{BuildError, StepError};
pub use fault::{EVIDENCE_VERSION, Evidence, FaultReport, Quantity, Replay, ReplayError, Replayed};
pub use readings::{BodyMass, SensorInfo, VehicleSnapshot, WheelSnapshot};
pub use simulation::{Options, Simulation};
pub use snapshot::{
    Fit, ModelStamp, RestoreError, SNAPSHOT_FORMAT, Snapshot, SnapshotError, SnapshotFileError,
    SnapshotHeader,
};
pub use table::EnergyBook;
pub use take_over::TakeOverError;
