//! Arguments of `simhost sweep` and its subcommands.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};
use simhost::{MetricRequest, Variation};

use super::later::Later;
use super::{Models, fixed, metric, positive, threads};

/// Arguments of `simhost sweep`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Sweep {
    /// Subcommand.
    #[command(subcommand)]
    pub part: Option<SweepPart>,

    #[command(flatten)]
    pub study: PlannedSweep,
}

impl Sweep {
    /// Returns whether this is a process that simulates runs for another one.
    pub fn is_child(&self) -> bool {
        matches!(&self.part, Some(SweepPart::Chunk(chunk)) if chunk.print)
    }
}

/// Subcommands of `simhost sweep`.
#[derive(Clone, Debug, Subcommand)]
pub enum SweepPart {
    /// Repeat a run of a study with all its files: pictures, tables, recordings.
    Show(Later<Show>),
    /// Simulate a chunk of the runs of a study. Workers of a cluster run this.
    Chunk(Later<Chunk>),
}

/// Arguments of a study.
#[derive(Args, Clone, Debug)]
pub struct PlannedSweep {
    /// Plan of the study (.toml), or a world file.
    #[arg(required = true, value_name = "PLAN|WORLD")]
    pub plan: Option<PathBuf>,

    /// Folder of the study: study.json, rows-*.jsonl, runs.csv [default: out/ and the name of the plan].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Vary a value, such as car/friction/LKY=range:0.6:1.5:20 or variable/speed=list:10,20; can be repeated. Lists and
    /// ranges form a grid; other kinds are drawn --samples times.
    #[arg(long, value_name = "NAME=KIND:…", value_parser = variation)]
    pub vary: Vec<Variation>,

    /// Fix a value in all runs; can be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = fixed)]
    pub set: Vec<Variation>,

    /// Add a metric, such as peak='max(abs(car/acceleration[1]))'; can be repeated [default: final x, y and yaw of the
    /// first 8 vehicles].
    #[arg(long, value_name = "[NAME=]EXPRESSION", value_parser = metric)]
    pub metric: Vec<MetricRequest>,

    /// Count a run as failed if a condition over metrics holds, such as 'peak > 9'.
    #[arg(long, value_name = "CONDITION")]
    pub failed: Option<String>,

    /// Number of points to draw of each distribution.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub samples: Option<u64>,

    /// Number of runs per point, with different seeds.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub repeat: Option<u64>,

    /// Simulated time, s [default: the duration of the world].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub duration: Option<f64>,

    /// Command file of all runs.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    /// Seed of the first run, and key of all draws [default: the seed of the world, else 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Number of threads, or of processes with --isolate [default: the number of cores].
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Continue the study in the folder.
    #[arg(long, group = "existing")]
    pub resume: bool,

    /// Continue the study in the folder with a plan that has more runs.
    #[arg(long, group = "existing")]
    pub extend: bool,

    /// Replace the study in the folder.
    #[arg(long, group = "existing")]
    pub new: bool,

    /// With --resume or --extend, also repeat the runs that have failed.
    #[arg(long, requires = "existing", conflicts_with = "new")]
    pub retry: bool,

    /// End a run that takes longer than S seconds of wall time.
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub time_limit: Option<f64>,

    /// Simulate in processes of their own, so that a crash costs one run [default: if the world uses plugins from files].
    #[arg(long)]
    pub isolate: bool,

    /// Repeat K random runs that have rows, and compare their result hashes.
    #[arg(long, value_name = "K", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub verify: Option<u64>,

    /// Let an engine simulate chunks of the study: `hyperqueue` (PyPI hyperqueue 0.27) or `slurm` (sbatch). `folder` starts
    /// none, and writes the folder for one that is not listed.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["isolate", "retry"])]
    pub on: Option<Engine>,

    /// Print the script for the engine instead of running it.
    #[arg(long, requires = "on")]
    pub print_script: bool,

    /// Directory of a running HyperQueue server [default: a server and --threads workers here].
    #[arg(long, value_name = "DIR", requires = "on")]
    pub server_dir: Option<PathBuf>,

    /// Number of runs per chunk for an engine.
    #[arg(long, value_name = "N", requires = "on", default_value_t = 1000)]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub chunk_size: u64,

    #[command(flatten)]
    pub models: Models,
}

/// Program that starts chunks of a study on one or several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// HyperQueue, through its Python interface.
    Hyperqueue,
    /// Slurm, with an array script.
    Slurm,
    /// None: the folder has all that chunks need, and whoever simulates them.
    Folder,
}

/// Arguments of `simhost sweep show`.
#[derive(Args, Clone, Debug)]
pub struct Show {
    /// Folder of the study.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Identifier of a run or its first digits, or number of the run after `#`, such as #12.
    #[arg(value_name = "ID")]
    pub id: String,

    /// Options of `simhost run`, such as --out DIR and --mcap.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<String>,
}

/// Arguments of `simhost sweep chunk`.
#[derive(Args, Clone, Debug)]
pub struct Chunk {
    /// Folder of the study.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Number of the chunk, from 0.
    #[arg(value_name = "K", required_unless_present = "runs")]
    pub chunk: Option<u64>,

    /// Number of runs per chunk.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub size: u64,

    /// Simulate these runs.
    #[arg(
        long,
        value_name = "RUN,…",
        value_delimiter = ',',
        conflicts_with = "chunk",
        hide = true
    )]
    pub runs: Vec<u64>,

    /// Print the rows instead of adding them to the folder.
    #[arg(long, hide = true)]
    pub print: bool,

    /// Number of threads.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// End a run that takes longer than S seconds of wall time.
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub time_limit: Option<f64>,

    #[command(flatten)]
    pub models: Models,
}

fn variation(text: &str) -> Result<Variation, String> {
    text.parse().map_err(|error: simhost::VariationError| error.to_string())
}
