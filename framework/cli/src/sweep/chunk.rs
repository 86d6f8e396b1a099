//! `simhost sweep chunk`: simulates a part of a study for another process.

use simhost_sweep::{Hands, RunRow, StudyFolder, StudyPlan, run_some};

use super::isolation;
use super::verify::{failure, open_opening};
use crate::interrupt::{self, Phase};
use crate::process::{Code, Failure};
use crate::sweep::Chunk;
use crate::terminal;

/// Simulates the runs of a chunk that have no rows.
pub fn chunk(arguments: &Chunk) -> Result<Code, Failure> {
    StudyFolder::check_version(&arguments.folder).map_err(failure)?;
    let plan = open_opening(&arguments.folder, &arguments.models)?;
    let mut folder = StudyFolder::at(&arguments.folder).map_err(failure)?;
    folder.check(&plan).map_err(failure)?;
    if let Some(chunk) = arguments.chunk {
        folder.lease(chunk).map_err(failure)?;
    }
    // a process that prints is the one that can crash
    let is_isolated = plan.uses_plugin_files() && !arguments.print;
    let hands = Hands {
        isolation: is_isolated.then(|| isolation(&arguments.models)).flatten(),
        threads: arguments.threads,
        time_limit: arguments.time_limit,
        is_stopped: &interrupt::is_requested,
        on_rows: if arguments.print { &print } else { &|_| {} },
        ..Hands::default()
    };
    let runs = runs(arguments, &plan, &folder);
    interrupt::enter(Phase::Steps);
    if arguments.print {
        folder.forget_rows();
    }
    let is_complete = run_some(&plan, &mut folder, &runs, &hands).map_err(failure);
    interrupt::enter(Phase::Completion);
    Ok(if is_complete? { Code::Done } else { Code::Interrupted })
}

/// Prints rows.
fn print(rows: &[RunRow]) {
    let lines: Vec<String> = rows.iter().map(RunRow::to_line).collect();
    // without a reader, there is nobody to simulate for
    if !lines.is_empty() && terminal::result(&lines.join("\n")).is_err() {
        std::process::exit(i32::from(Code::Output as u8));
    }
}

/// Returns the runs to simulate.
fn runs(arguments: &Chunk, plan: &StudyPlan, folder: &StudyFolder) -> Vec<u64> {
    match arguments.chunk {
        Some(chunk) => {
            let first = chunk.saturating_mul(arguments.size);
            let last = first.saturating_add(arguments.size).min(plan.runs());
            (first..last).filter(|run| !folder.has(*run)).collect()
        }
        None => arguments.runs.iter().copied().filter(|run| *run < plan.runs()).collect(),
    }
}
