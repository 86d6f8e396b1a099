//! Options of `run` for snapshots, hashes and divergence limits.

use std::path::PathBuf;

use clap::Args;
use simhost_engine::Limits;

use super::positive;

/// Options for snapshots, hashes and divergence limits.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "State")]
pub struct Resuming {
    /// Write a snapshot of the complete state, `step-N.snapshot`, every S seconds of simulated time.
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub snapshot_every: Option<f64>,

    /// Directory for snapshots [default: the directory of --out].
    #[arg(long, value_name = "DIR", requires = "snapshot_every")]
    pub snapshot_dir: Option<PathBuf>,

    /// Resume the run from a snapshot, with its seed unless --seed is given.
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub resume: Option<PathBuf>,

    /// Resume even if the world, the plugins or the version of simhost differ from those of the
    /// snapshot, as long as the state fits.
    #[arg(long, requires = "resume")]
    pub resume_anyway: bool,

    /// Write the state hash to hash.csv every S seconds of simulated time, and print the last state
    /// hash and the result hash.
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub hash_every: Option<f64>,

    /// Speed above which a body counts as diverged, m/s.
    #[arg(long, value_name = "M/S", default_value_t = Limits::default().speed)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub max_speed: f64,

    /// Yaw rate above which a body counts as diverged, rad/s.
    #[arg(long, value_name = "RAD/S", default_value_t = Limits::default().yaw_rate)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub max_yaw_rate: f64,
}

impl Resuming {
    /// Returns the limits beyond which a run counts as diverged.
    pub fn limits(&self) -> Limits {
        Limits { speed: self.max_speed, yaw_rate: self.max_yaw_rate, ..Limits::default() }
    }
}
