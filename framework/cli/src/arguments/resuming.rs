//! Flags of `run` about snapshots, hashes, and when a run counts as lost.

use std::path::PathBuf;

use clap::Args;
use simhost_engine::Limits;

use super::positive;

/// Flags about the state of a run.
#[derive(Args, Clone, Debug)]
pub struct Resuming {
    /// Time between snapshots of the whole state, s: `step-N.snapshot` [default: none are written].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub snapshot_every: Option<f64>,

    /// Directory for snapshots [default: that of --out].
    #[arg(long, value_name = "DIR", requires = "snapshot_every")]
    pub snapshot_dir: Option<PathBuf>,

    /// Go on from a snapshot, with its seed unless --seed is given.
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub resume: Option<PathBuf>,

    /// Go on even if world, plugins or simhost are not those of the snapshot, where all that it holds has
    /// a place.
    #[arg(long, requires = "resume")]
    pub resume_anyway: bool,

    /// Time between rows of hash.csv, s: a hash of the whole state. The last one is printed.
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub hash_every: Option<f64>,

    /// Speed at which a body has diverged, m/s.
    #[arg(long, value_name = "M/S", default_value_t = Limits::default().speed)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub max_speed: f64,

    /// Yaw rate at which a body has diverged, rad/s.
    #[arg(long, value_name = "RAD/S", default_value_t = Limits::default().yaw_rate)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub max_yaw_rate: f64,
}

impl Resuming {
    /// What no sane run goes beyond.
    pub fn limits(&self) -> Limits {
        Limits { speed: self.max_speed, yaw_rate: self.max_yaw_rate, ..Limits::default() }
    }
}
