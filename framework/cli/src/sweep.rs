//! `simhost sweep`: studies, one row per run.

mod chunk;
mod cluster;
mod opening;
mod pictures;
mod show;
mod study;
mod summary;
mod tally;
mod verify;

use std::path::Path;
use std::time::Instant;

use simhost_sweep::{
    Existing, Hands, Isolation, Kept, RunStatus, StudyError, StudyFolder, StudyPlan, run_some,
};

use crate::arguments::{Engine, Models, PlannedSweep, Sweep, SweepPart};
use crate::exit::{Code, Failure};
use crate::interrupt::{self, Phase};
use crate::process::Process;
use crate::{catalogue, failures, working_folder};

use opening::failure;
pub use pictures::{is_study, page, repeat_for_plot};
use summary::{Statistics, StudySummary};
use tally::Tally;

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
    let study = study::planned(arguments)?;
    let mut models = arguments.models.clone();
    models.plugin_dir.clone_from(&study.plugin_dirs);
    let catalogue = catalogue::collect(&models)?;
    let plan = StudyPlan::new(study, Some(catalogue)).map_err(failure)?;
    working_folder::restore();
    if let Some(shared) = plan.shared_random_values() {
        failures::warn_of_shared_values("runs", &shared);
    }
    let path = study::folder(arguments);
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

/// Writes what the study keeps of its runs, each in a folder of its own.
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
