//! `simhost sweep`: studies, one row per run.

mod chunk;
mod cluster;
mod pictures;
mod show;
mod summary;
mod tally;
mod verify;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};
use simhost::{MetricRequest, Variation};
use simhost_sweep::{
    Existing, Hands, Isolation, Kept, RunStatus, Study, StudyError, StudyFolder, StudyPlan,
    run_some,
};

use crate::arguments::{Models, fixed, metric, positive, threads};
use crate::interrupt::Phase;
use crate::later::Later;
use crate::process::{Code, Failure, Process};
use crate::{catalogue, failures, interrupt, working_folder};
use summary::{Statistics, StudySummary};
use tally::Tally;
use verify::failure;

pub use pictures::{PlottedStudy, is_study, page, repeat_for_plot};

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

    /// Simulate in separate processes, so that a crash affects only one run [default: if the world
    /// uses plugins from files].
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

/// Runs a study, or a part of one.
pub fn sweep(arguments: &Sweep) -> Result<Code, Failure> {
    match &arguments.part {
        None => run(&arguments.study),
        Some(SweepPart::Show(arguments)) => show::show(arguments),
        Some(SweepPart::Chunk(arguments)) => chunk::chunk(arguments),
    }
}

/// Runs a study.
fn run(arguments: &PlannedSweep) -> Result<Code, Failure> {
    let study = planned(arguments)?;
    let mut models = arguments.models.clone();
    models.plugin_dir.clone_from(&study.plugin_dirs);
    let catalogue = catalogue::collect(&models)?;
    let plan = StudyPlan::new(study, Some(catalogue)).map_err(failure)?;
    working_folder::restore();
    if let Some(shared) = plan.shared_random_values() {
        failures::warn_of_shared_values("runs", &shared);
    }
    let path = folder(arguments);
    if let Some(engine) = arguments.on {
        if plan.study().objective.is_some() {
            let text = "an optimisation asks for one generation after the other; expected a study without [objective] \
                        for --on";
            return Err(Failure::new(Code::Usage, text));
        }
        if arguments.print_script {
            return cluster::print(arguments, engine, &plan, &path);
        }
    }
    let existing = existing(arguments, &path);
    let mut folder = StudyFolder::open(&path, &plan, existing).map_err(failure)?;
    let is_isolated = arguments.isolate || plan.uses_plugin_files();
    let isolation = is_isolated.then(|| isolation(&arguments.models)).flatten();
    let threads = arguments.threads.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
    });
    let tally = Tally::new(&plan, &folder);
    let hands = Hands {
        threads,
        time_limit: arguments.time_limit,
        isolation,
        is_stopped: &interrupt::is_requested,
        on_rows: &|rows| tally.add(rows),
        on_best: &|best| tally.improve(best),
    };
    let began = Instant::now();
    // from here on, Ctrl-C leads to a complete table
    interrupt::enter(Phase::Steps);
    let simulated = match arguments.on {
        None => simulate(&plan, &mut folder, arguments.retry, &hands),
        Some(engine) => {
            cluster::simulate(arguments, engine, &plan, &folder)?;
            if engine == Engine::Folder && !folder.missing(&plan).is_empty() {
                return Ok(Code::Done);
            }
            folder.read_again()
        }
    };
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let simulated_runs = tally.finish();
    let wall = began.elapsed();
    // the table is completed however the study ended
    let mut statistics = Statistics::new(&plan);
    let table = folder.write_table_with(&plan, &mut |row| statistics.add(row)).map_err(failure)?;
    simulated.map_err(failure)?;
    let is_interrupted = interrupt::is_requested();
    if !is_interrupted {
        keep(&plan, &folder)?;
    }
    let best = match plan.study().objective {
        Some(_) => simhost_sweep::optimised(&plan, &mut folder).map_err(failure)?,
        None => Vec::new(),
    };
    let code =
        StudySummary { plan: &plan, folder: &folder, simulated_runs, wall, best, statistics }
            .print(&table)?;
    if is_interrupted {
        return Ok(Code::Interrupted);
    }
    if arguments.on.is_some() {
        check_complete(&plan, &folder)?;
    }
    match arguments.verify {
        Some(count) => verify::verify(&plan, &folder, count, &hands),
        None => code,
    }
}

/// Checks that an engine has simulated all runs.
fn check_complete(plan: &StudyPlan, folder: &StudyFolder) -> Result<(), Failure> {
    let missing = folder.missing(plan).len();
    if missing == 0 {
        return Ok(());
    }
    let text = format!(
        "{missing} runs have no rows; messages of chunks are in {}\nhelp: continue the study with --resume",
        folder.path().join("chunks").display()
    );
    Err(Failure::new(Code::Output, text))
}

/// Returns what to do with a study that the folder has.
fn existing(arguments: &PlannedSweep, path: &Path) -> Existing {
    match arguments {
        PlannedSweep { resume: true, .. } => Existing::Resume,
        PlannedSweep { extend: true, .. } => Existing::Extend,
        PlannedSweep { new: true, .. } => Existing::Replace,
        PlannedSweep { verify: Some(_), .. } if path.join("study.json").exists() => {
            Existing::Resume
        }
        _ => Existing::Refuse,
    }
}

fn simulate(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    is_retried: bool,
    hands: &Hands<'_>,
) -> Result<(), StudyError> {
    if plan.study().objective.is_some() {
        return simhost_sweep::optimise(plan, folder, hands).map(drop);
    }
    let mut runs = folder.missing(plan);
    if is_retried {
        let failed = folder.ended().into_iter().filter(|one| one.status != RunStatus::Ok);
        // a condition of the plan gives the same answer again
        let failed = failed.filter(|one| one.status != RunStatus::Failed && one.run < plan.runs());
        runs.extend(failed.map(|one| one.run));
        runs.sort_unstable();
    }
    run_some(plan, folder, &runs, hands).map(drop)
}

/// Returns how runs are isolated.
fn isolation(models: &Models) -> Option<Isolation> {
    let mut own = Vec::new();
    for without in &models.builtin {
        own.extend(["--builtin".to_owned(), without.to_string()]);
    }
    let Process { program, before, .. } = Process::present().clone();
    Some(Isolation { program: program?, before, arguments: own })
}

/// Writes the files that the study keeps of its runs, each in a separate folder.
fn keep(plan: &StudyPlan, folder: &StudyFolder) -> Result<(), Failure> {
    let options: Vec<String> = match &plan.study().keep {
        Kept::Nothing => return Ok(()),
        Kept::All => Vec::new(),
        Kept::Quantities(patterns) => {
            patterns.iter().flat_map(|one| ["--record".to_owned(), one.clone()]).collect()
        }
    };
    let ended = folder.ended().into_iter().filter(|ended| ended.status.has_results());
    for ended in ended {
        let out = run_folder(folder.path(), &plan.id(ended.run));
        if !out.exists() && !interrupt::is_requested() {
            let out = ["--out".to_owned(), out.display().to_string()];
            show::repeat(plan, ended.run, &[&options[..], &out].concat(), true)?;
        }
    }
    Ok(())
}

/// Returns the folder for the files of a run.
fn run_folder(folder: &Path, id: &str) -> std::path::PathBuf {
    folder.join("runs").join(id)
}

/// Returns the study. Options of the command line replace options of the plan or add to them.
fn planned(arguments: &PlannedSweep) -> Result<Study, Failure> {
    let path = path(arguments);
    let is_plan = path.extension().is_some_and(|extension| extension == "toml");
    let mut study = match is_plan {
        true => Study::read(path).map_err(failure)?,
        false => Study::new(path),
    };
    study.vary.extend(arguments.vary.iter().cloned().map(Into::into));
    study.set.extend(arguments.set.iter().cloned().map(Into::into));
    let metrics = arguments.metric.iter().map(|metric| {
        let text = metric.text();
        (metric.name.clone().unwrap_or_else(|| text.clone()), text.into())
    });
    study.metrics.extend(metrics);
    if let Some(failed) = &arguments.failed {
        study.failed = Some(failed.clone().into());
    }
    study.samples = arguments.samples.map(Into::into).or(study.samples);
    study.repeat = arguments.repeat.map_or(study.repeat, Into::into);
    study.duration = arguments.duration.map(Into::into).or(study.duration);
    study.commands = arguments.commands.clone().or(study.commands);
    study.seed = arguments.seed.or(study.seed);
    study.plugin_dirs.extend(arguments.models.plugin_dir.iter().cloned());
    Ok(study)
}

/// Returns the folder of the study: the folder of `--out`, or a folder with the name of the plan.
fn folder(arguments: &PlannedSweep) -> PathBuf {
    let default = || {
        let name = path(arguments).file_name().unwrap_or_default().to_string_lossy().into_owned();
        Path::new("out").join(name.split('.').next().unwrap_or("study"))
    };
    arguments.out.clone().unwrap_or_else(default)
}

fn path(arguments: &PlannedSweep) -> &Path {
    // the command line requires it
    arguments.plan.as_deref().unwrap_or(Path::new(""))
}
