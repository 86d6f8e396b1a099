//! Options of a session.

use std::path::PathBuf;

use simhost_engine::Limits;
use simhost_registry::Catalogue;
use simhost_world::LoadOptions;

use crate::gpu::Gpu;
use crate::log::Log;
use crate::output::Out;
use crate::pace::ClockMode;

/// How a world is opened and simulated.
#[derive(Clone, Default)]
pub struct Options {
    /// Models that worlds can use. Sessions with the same catalogue share its plugins: opening another
    /// session loads none again. Without one, the plugin folders are searched.
    pub catalogue: Option<Catalogue>,
    /// Plugin folders to search if no catalogue is given.
    pub plugin_folders: Vec<PathBuf>,
    /// Seed of all random numbers; by default the seed of the world, or 0.
    pub seed: Option<u64>,
    /// Number of threads; 0 counts as 1. Results do not depend on it.
    pub threads: usize,
    /// Limits beyond which a state counts as diverged.
    pub limits: Limits,
    /// Simulated time without a command, s, after which a vehicle stops that a `twist` or `ackermann` command has set
    /// in motion during the run; otherwise it keeps its last command. Commands whose times are known do not count.
    pub command_time_out: Option<f64>,
    /// Folder for the record of the session, from which it can be repeated.
    pub out: Option<Out>,
    /// Folder for the files of observers; without one, they write none.
    pub observer_folder: Option<PathBuf>,
    /// Relation between simulated time and wall time.
    pub clock: ClockMode,
    /// Log of the session; without one, its events go to the subscriber of the program.
    pub log: Option<Log>,
    /// GPU that casts the rays of sensors in space; by default the CPU.
    pub gpu: Gpu,
    /// Options for reading the world file.
    pub load: LoadOptions,
}
