//! The simulation: state tables, `pre / physics / post`, and rapier2d for contacts.
//!
//! Vehicles that share their models and parameters form a table with one column per quantity, and a
//! model is called once for all of them. rapier2d solves contacts and joints. The velocities that
//! result from wheel forces are integrated here (semi-implicit Euler).
//!
//! The modules form layers; a module uses only modules of the layers below it:
//!
//! | Layer | Modules |
//! |---|---|
//! | observation, many members | `batch`, `observers` |
//! | construction and access | `build`, `quantities`, `simulation`, `snapshot` |
//! | blueprint, state and step | `blueprint`, `divergence`, `state`, `step` |
//! | vehicles, sensors, fleets and environments | `environments`, `fleets`, `perception`, `sensors`, `table` |
//! | models | `fault`, `result_hash`, `model` |
//! | surroundings | `collisions`, `moment`, `surroundings`, `ground`, `plan`, `physics` |
//! | mathematics and data | `animation`, `clock`, `columns`, `commands`, `daylight`, `encoding`, `limits`, `loads`, `name_index`, `period`, `random`, `readings`, `scan_engine`, `springs`, `tiles`, `tilt`, `tipping`, `workers` |

// built-in models register themselves, but the linker drops crates that are not named
#[cfg(test)]
use simhost_families as _;

/// Defines functions that count what is examined, in tests.
macro_rules! count_work {
    () => {
        #[cfg(test)]
        thread_local! {
            static EXAMINED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
        }

        pub(super) fn count() {
            #[cfg(test)]
            EXAMINED.with(|examined| examined.set(examined.get() + 1));
        }

        #[cfg(test)]
        pub(crate) fn take_count() -> usize {
            EXAMINED.with(std::cell::Cell::take)
        }
    };
}
pub(crate) use count_work;

mod animation;
mod batch;
mod blueprint;
mod build;
mod clock;
mod collisions;
mod columns;
mod commands;
mod daylight;
mod divergence;
mod encoding;
mod environments;
mod fault;
mod fleets;
mod ground;
mod limits;
mod live_state;
mod loads;
mod model;
mod moment;
mod observers;
mod perception;
mod period;
mod physics;
mod plan;
mod quantities;
mod quantity_list;
mod random;
mod readings;
mod result_hash;
mod robot_faults;
mod scan_engine;
mod sensors;
mod simulation;
mod snapshot;
mod springs;
mod state;
mod step;
mod surroundings;
mod table;
#[cfg(test)]
mod tests;
mod tiles;
mod tilt;
mod tipping;
mod workers;

pub use batch::{
    BatchExchange, BatchProgress, ColumnView, MemberQuantities, ResetMask, StepGoals, Variants,
    WideTables, WideView, WorldBatch,
};
pub use blueprint::NameIndex;
pub use build::{BuildError, Options};
pub use clock::Clock;
pub use collisions::{Collision, ContactPoint};
pub use commands::{CommandError, CommandKind, TimedCommand};
pub use divergence::Divergence;
pub use encoding::SnapshotError;
pub use fault::{
    EVIDENCE_VERSION, Evidence, EvidenceValue, FaultReport, Replay, ReplayError, Replayed,
};
pub use limits::Limits;
pub use model::{Capture, ModelError, ModelStamp};
pub use observers::{ObserverError, Observers, RunEnding, Stop};
pub use perception::{EntityLabel, instances};
pub use period::Period;
pub use physics::{BodySearch, Overlaps};
pub use quantities::{
    Pattern, Patterns, Preset, PresetRow, Quantities, QuantityInfo, QuantityScope, UnknownQuantity,
};
pub use random::stream_key;
pub use readings::{
    BodyProperties, ReadingColumn, ReadingColumns, ReadingOutput, SensorInfo, Units,
    VehicleSnapshot, WheelSnapshot,
};
pub use robot_faults::{FaultEntry, FaultMemory};
pub use scan_engine::{
    Placed, ScanEngine, ScanError, ScanFallback, ScanPose, ScanReport, SensorEngine, TriangleHit,
    TriangleMesh,
};
pub use simhost_model::SensorImage;
pub use simulation::{FaultMemories, PlaceError, Samples, Simulation, Touches, UnknownCall};
pub use snapshot::{
    Fit, RestoreError, SNAPSHOT_FORMAT, Snapshot, SnapshotFileError, SnapshotHeader,
};
pub use springs::SpringRates;
pub use step::{StepError, TakeOverError};
pub use table::{EnergyBook, ModelRole};
