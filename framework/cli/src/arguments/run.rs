//! Arguments of `simhost run`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser};
use simhost::{GpuMode, Variation};
use simhost_sweep::VARIABLE;

use super::{
    Arguments, Live, Loading, Mcap, Models, Pacing, Resuming, Ros2, StreamGroups, Varying, Verb,
    fixed, pattern, positive, size, threads,
};

/// Arguments of `simhost run`.
#[derive(Args, Clone, Debug)]
pub struct Run {
    /// World file, or `-` for standard input.
    pub world: PathBuf,

    /// Simulated time, s [default: the duration of the world, else 10].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub duration: Option<f64>,

    /// Output directory: trajectory.csv, odometry.csv, wheels.csv, trajectory.svg, one file per sensor,
    /// and manifest.json, world.flat.xml and inputs.jsonl, from which `simhost rerun DIR` repeats the run.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write to the output directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    /// Time between rows of the output files, s [default: every step].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub log_period: Option<f64>,

    /// Write quantities that match PATTERN to quantities.csv; can be repeated. `*` does not cross `/`,
    /// `**` does, `!` excludes. `simhost quantities WORLD` lists all.
    #[arg(long, value_name = "PATTERN", requires = "out", value_parser = pattern)]
    pub record: Vec<String>,

    #[command(flatten)]
    pub mcap: Mcap,

    #[command(flatten)]
    pub groups: StreamGroups,

    /// Write energy.csv: the work of motors, brakes, tyres, damping, air and contacts per vehicle.
    #[arg(long, requires = "out")]
    pub energy: bool,

    /// Command file: CSV rows `time_s,vehicle,kind,v1[,v2...]`.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    /// Fix a value before the first step, such as robot/friction/mu=0.8, robot/pose/x=2 or robot/cmd_vel='1 0 0.3', or a
    /// variable of the world, such as variable/speed=3; can be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = fixed)]
    pub set: Vec<Variation>,

    /// Number of threads. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Write the first call of a phase at or after a simulated time, such as `car/wheel/fl/force@3.2`, to
    /// call-N.json, for `simhost plugin replay`; can be repeated.
    #[arg(long, value_name = "NAME@S")]
    pub capture: Vec<crate::capture::Request>,

    /// End the run if a call of a model takes longer than S seconds of wall time [default: never].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub watchdog: Option<f64>,

    /// End the run if the program takes more memory than SIZE: bytes, or a number with K, M, G or T
    /// [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,

    /// Reload plugins and the world when they change, and continue the run. Such a run is not repeatable.
    #[arg(long)]
    pub watch: bool,

    /// Device that casts the rays of sensors in space: `off` (the CPU), `auto` (a GPU if there is one), `require` (a
    /// GPU, or the run ends) or `software` (an adapter that runs on the CPU, to test scans).
    #[arg(long, value_name = "MODE", default_value_t = GpuMode::Off)]
    pub gpu: GpuMode,

    #[command(flatten)]
    pub varying: Varying,

    #[command(flatten)]
    pub pacing: Pacing,

    #[command(flatten)]
    pub live: Live,

    #[command(flatten)]
    pub ros2: Ros2,

    #[command(flatten)]
    pub resuming: Resuming,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

impl Run {
    /// Returns what is fixed for all members, and what differs between them.
    pub fn variations(&self) -> Vec<Variation> {
        let fixed = self.set.iter().filter(|one| !one.name.starts_with(VARIABLE));
        fixed.chain(&self.varying.vary).cloned().collect()
    }

    /// Returns the values of variables of the world.
    pub fn variables(&self) -> BTreeMap<String, String> {
        let value = |one: &Variation| {
            let name = one.name.strip_prefix(VARIABLE)?;
            Some((name.to_owned(), one.values.items().first()?.to_string()))
        };
        self.set.iter().filter_map(value).collect()
    }

    /// Parses the words of a command line.
    ///
    /// # Errors
    /// Returns clap's error for invalid arguments, and for another verb.
    pub fn parse(words: Vec<OsString>) -> Result<Self, clap::Error> {
        match Arguments::try_parse_from(words)?.verb {
            Verb::Run(run) => Ok((*run).clone()),
            _ => Err(clap::Error::new(ErrorKind::InvalidSubcommand)),
        }
    }
}
