//! simhost as a library: sessions that simulate ground vehicles and mobile robots.
//!
//! A [`Session`] owns one simulation. Inputs go in through [`Inputs`], which any thread can hold; each
//! acts at the start of the next step. Samples of streams come out, on request with
//! [`Session::latest`] or to a [`Sink`].
//!
//! ```
//! use simhost::{Odometry, Options, Session, Twist, seconds};
//!
//! # fn main() -> Result<(), simhost::Error> {
//! # let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
//! let mut sim = Session::open(world, Options::default())?;
//! let robot = sim.vehicle("robot")?;
//! robot.command(Twist { vx: 1.0, vy: 0.0, omega: 0.3 })?;
//! sim.run_until(seconds(2.0))?;
//! let odometry: Odometry = sim.latest("robot/odometry")?;
//! assert!(odometry.twist[0] > 0.9);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_families as _;

mod builds;
mod bus;
mod car_builder;
pub mod check;
mod commands;
mod data_sheet;
mod description;
mod ensemble;
mod error;
mod gpu;
mod hooks;
mod images;
mod inputs;
pub mod log;
pub mod manoeuvres;
mod metrics;
mod options;
pub mod output;
mod pace;
mod plugins;
mod ranges;
mod records;
mod session;
mod streams;
pub mod tables;
mod variation;
mod vehicle;
mod vehicle_file;

pub use bus::{Bus, Subscription};
pub use car_builder::CarBuilder;
pub use commands::CommandSchedule;
pub use data_sheet::{
    DataSheet, SheetOptions, SheetRow, SuspensionCurve, SuspensionCurves, TyreCurve, TyreCurves,
    data_sheet,
};
pub use ensemble::{
    Ensemble, EnsembleOptions, EnsembleSnapshot, Exchange, Member, MemberDifference, MemberEnd,
    MemberEvent, Selected, TableView, shared_random_values,
};
pub use error::{EnsembleError, Error, HookError, VariationError};
pub use gpu::{Fallback, Gpu, GpuEntry, GpuError, GpuMode, SensorEntry};
pub use hooks::{Context, Hook, HookId, Hooks, Time, seconds};
pub use images::image_forms;
pub use inputs::{InputLog, Inputs};
pub use log::{Log, LogLevel};
pub use metrics::{
    Expression, MemberMetrics, MetricError, MetricRequest, MetricResults, Metrics, ObservedNumber,
    QuantityPlaces, Reduction,
};
pub use options::Options;
pub use output::{Out, TableOptions};
pub use pace::{ClockError, ClockMode, Overruns, PaceStatus};
pub use ranges::{QuantityRange, quantity_range};
pub use records::{
    Clock, Command, CommandRecord, LaserScan, Odometry, Record, SpeedSteer, Twist, Values, Wheel,
    Wheels,
};
pub use session::{
    EditableWorld, Edits, Ended, Flow, Intake, LiveQuantities, Outputs, RunControl, Running,
    Session, SessionRecord, SinkId, StepsMade, WhenPaused,
};
pub use simhost_engine::{
    ColumnView, FaultEntry, FaultMemory, Fit, Limits, Quantities, QuantityInfo, RunEnding,
    ScanFallback, Snapshot, StepError, Stop, TimedCommand,
};
pub use simhost_registry::Catalogue;
pub use simhost_streams::{
    Bulk, Count, Direction, Effect, Field, Input, InputError, RecordingAction, Sample, Sink,
    SinkError, Stamp, Stream, StreamType, Trigger, ros, types,
};
pub use simhost_world::FaultSeverity;
pub use streams::{Selection, check as check_streams, streams as streams_of};
pub use variation::{Difference, Differences, Distribution, Draws, Variation, VariedValue};
pub use vehicle::Vehicle;
pub use vehicle_file::{ActuatorProperties, Brake, Road, VehicleFileError};
