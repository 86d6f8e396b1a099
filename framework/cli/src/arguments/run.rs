//! Arguments of `simhost run`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use serde_json::{Value, json};
use simhost::{ClockMode, GpuMode, LogLevel, MetricRequest, Variation};
use simhost_engine::Limits;
use simhost_sweep::VARIABLE;
use simhost_world::{LoadOptions, StreamRequest};

use super::{
    Display, Live, Loading, Mcap, Models, Ros2, fixed, metric, pattern, positive, size, threads,
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

    /// Measure the wall time per model, phase and vehicle, and print it after the run; with a file, also write a trace for
    /// Perfetto (https://ui.perfetto.dev).
    #[arg(long, value_name = "TRACE", num_args = 0..=1, require_equals = true, default_missing_value = "",
        conflicts_with = "members")]
    pub profile: Option<PathBuf>,

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
        let RunLine { verb: RunVerb::Run(run), .. } = RunLine::try_parse_from(words)?;
        Ok(*run)
    }

    /// Returns the arguments of a run whose world is not a file: its output folder, the quantities to record in addition, and
    /// whether the folder may have other files.
    ///
    /// # Errors
    /// Returns clap's error for an invalid pattern.
    pub fn of_folder(
        out: Option<&Path>,
        recorded: &[&str],
        force: bool,
        models: &Models,
    ) -> Result<Self, clap::Error> {
        let mut words: Vec<OsString> = ["simhost", "run", "-"].map(OsString::from).to_vec();
        words.extend(out.into_iter().flat_map(|out| ["--out".into(), out.into()]));
        words.extend(recorded.iter().flat_map(|pattern| ["--record".into(), pattern.into()]));
        words.extend(force.then(|| "--force".into()));
        Ok(Self { models: models.clone(), ..Self::parse(words)? })
    }
}

/// Arguments of `simhost view`.
#[derive(Args, Clone, Debug)]
pub struct View {
    /// Print the address of the page, and open no browser.
    #[arg(long)]
    pub no_open: bool,

    /// A world with the options of `run`; or an output directory, or an MCAP file.
    #[command(flatten)]
    pub run: Run,
}

/// The command line of `simhost run`.
#[derive(Parser)]
#[command(name = "simhost")]
struct RunLine {
    #[command(subcommand)]
    verb: RunVerb,
    #[command(flatten)]
    _display: Display,
}

/// The only verb of [`RunLine`].
#[derive(Subcommand)]
enum RunVerb {
    /// Run a world.
    Run(Box<Run>),
}

/// Options for an ensemble.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Ensembles")]
pub struct Varying {
    /// Run N members of the world, with the seeds SEED, SEED + 1, … and the differences of --vary, and write
    /// metrics.csv to the directory of --out: one row per member.
    #[arg(long, value_name = "N", value_parser = members)]
    pub members: Option<usize>,

    /// Vary a value between members, such as robot/friction/mu=uniform:0.3:1 or robot/pose='list:0 0 0,1 0 0'; can be
    /// repeated. Kinds: constant, list, range, uniform, loguniform, normal, truncated, choice, lhs, sobol.
    #[arg(long, value_name = "NAME=KIND:…", requires = "members", value_parser = variation)]
    pub vary: Vec<Variation>,

    /// Add a metric to metrics.csv, such as peak='max(abs(car/acceleration[1]))', or max:car/twist for each of its values;
    /// can be repeated [default: final x, y and yaw of the first 8 vehicles].
    #[arg(long, value_name = "[NAME=]EXPRESSION", requires = "members", value_parser = metric)]
    pub metric: Vec<MetricRequest>,

    /// Simulated time between the samples of metrics, s. The first is at the start, the last at the end.
    #[arg(long, value_name = "S", requires = "members", default_value_t = 0.1)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub metric_period: f64,

    /// Also write the usual files of each member, to member-K in the directory of --out.
    #[arg(long, requires_all = ["members", "out"])]
    pub each: bool,

    /// Run N members, spread over all, again by themselves, and compare their result hashes. The exit code is 1 if one
    /// differs, which a model causes that keeps something outside of its states.
    #[arg(long, value_name = "N", requires = "members", conflicts_with = "member")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub verify: Option<u64>,

    /// Run member K of --members alone, as a usual run with all its options and the same results.
    #[arg(long, value_name = "K", requires = "members", conflicts_with_all = ["each", "resume"])]
    pub member: Option<usize>,
}

impl Varying {
    /// Returns the options for the manifest; none without members.
    pub fn options(&self) -> Vec<(String, Value)> {
        let Self { members, vary, metric, metric_period, each, verify: _, member } = self;
        let texts = |list: &[Variation]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let metrics: Vec<String> = metric.iter().map(ToString::to_string).collect();
        let all = [
            ("members", json!(members)),
            ("member", json!(member)),
            ("vary", json!(texts(vary))),
            ("metrics", json!(metrics)),
            ("metric_period_s", json!(metric_period)),
            ("each", json!(each)),
        ];
        let all = all.into_iter().filter(|_| members.is_some());
        all.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the number of members of an ensemble that runs as a whole.
    pub fn all(&self) -> Option<usize> {
        self.members.filter(|_| self.member.is_none())
    }

    /// Returns whether the members run as an ensemble and then one by one, with their files.
    pub fn runs_twice(&self) -> bool {
        self.each && self.member.is_none()
    }

    /// Returns the member that runs alone, and the number of members.
    pub fn alone(&self) -> Option<(usize, usize)> {
        self.member.zip(self.members)
    }
}

fn members(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if (1..=1 << 32).contains(&(count as u64)) => Ok(count),
        _ => Err("expected a whole number from 1 to 4294967296".into()),
    }
}

fn variation(text: &str) -> Result<Variation, String> {
    text.parse().map_err(|error: simhost::VariationError| error.to_string())
}

/// Names of the levels, from the least to the most detailed.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// Options for the clock and the log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Clock and log")]
pub struct Pacing {
    /// `fixed` runs as fast as possible, `realtime[:FACTOR]` makes each step when its time has come, at
    /// FACTOR times real time, and `max` makes frames of all steps whose time has come. Results do not
    /// depend on it [default: fixed].
    #[arg(long, value_name = "CLOCK")]
    pub clock: Option<ClockMode>,

    /// Write messages of LEVEL and more severe ones to simhost.log in the directory of --out, or to
    /// standard error without --out.
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    pub log: Option<LogLevel>,
}

fn levels() -> impl TypedValueParser<Value = LogLevel> {
    PossibleValuesParser::new(LEVELS).try_map(|name| name.parse::<LogLevel>())
}

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

    /// Resume even if the world, the plugins or the version of simhost differ from the snapshot, if
    /// the state fits.
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

/// Streams that the command line groups.
#[derive(Args, Clone, Debug, Default)]
pub struct StreamGroups {
    /// Group quantities into a stream, as `<stream>` does: names or patterns, and a rate in Hz [default:
    /// every step]; can be repeated. `simhost quantities WORLD` lists all.
    #[arg(long = "stream", value_name = "NAME=QUANTITY,…[@RATE]")]
    pub list: Vec<StreamRequest>,
}

impl StreamGroups {
    /// Adds the streams to the options of the world reader.
    pub fn add_to(&self, options: LoadOptions) -> LoadOptions {
        LoadOptions { streams: self.list.clone(), ..options }
    }
}
