//! `simhost sweep --verify`: repeats random runs, and compares their result hashes.

use std::path::Path;

use simhost_sweep::{EndedRun, Hands, StudyError, StudyFolder, StudyPlan};

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, interrupt, terminal, working_folder};

/// Repeats `count` random runs that have rows.
pub fn verify(
    plan: &StudyPlan,
    folder: &StudyFolder,
    count: u64,
    hands: &Hands<'_>,
) -> Result<Code, Failure> {
    let runs = random_runs(plan, folder, count);
    let count = runs.len();
    let again = simhost_sweep::repeat(plan, &runs, hands);
    if interrupt::is_requested() {
        return Ok(Code::Interrupted);
    }
    for row in &again {
        let known = folder.row(row.run).map_err(failure)?;
        if let Some(known) = known.filter(|known| known.hash != row.hash) {
            let (run, id) = (row.run, &row.id);
            let text = format!(
                "run {run} ({id}) has the result hash {} when it is repeated; expected {} as in its row",
                row.hash, known.hash
            );
            return Err(Failure::new(Code::Negative, text));
        }
    }
    terminal::result(&format!("{count} runs have the result hashes of their rows"))?;
    Ok(Code::Done)
}

/// Returns the numbers of random runs that have rows, in their order.
fn random_runs(plan: &StudyPlan, folder: &StudyFolder, count: u64) -> Vec<u64> {
    let mut ended = folder.ended();
    let count = (count as usize).min(ended.len());
    for at in 0..count {
        let left = ended.len() - at;
        ended.swap(at, at + drawn(plan.seed(), at, left));
    }
    let mut runs: Vec<u64> = ended[..count].iter().map(|EndedRun { run, .. }| *run).collect();
    runs.sort_unstable();
    runs
}

/// Returns a random number below `most`, which is the same for all studies with the seed.
fn drawn(seed: u64, number: usize, most: usize) -> usize {
    (simhost_engine::stream_key(seed, [number as u64]) % most as u64) as usize
}

/// Returns the failure of a study.
pub(super) fn failure(error: StudyError) -> Failure {
    let code = match error {
        StudyError::World(error) => return diagnostics::session_failure(error),
        StudyError::Plan { .. } | StudyError::Read { .. } | StudyError::Content { .. } => {
            Code::BadInput
        }
        StudyError::Exists { .. }
        | StudyError::Changed { .. }
        | StudyError::Version { .. }
        | StudyError::Run { .. } => Code::Usage,
        StudyError::Child(_) => Code::PluginFault,
        _ => Code::Output,
    };
    // advice is on a line of its own, as of all errors
    Failure::new(code, error.to_string().replace("; help: ", "\nhelp: "))
}

/// Opens the study of a folder with the models of the command line.
pub(super) fn open_opening(folder: &Path, models: &Models) -> Result<StudyPlan, Failure> {
    let mut study = StudyFolder::study(folder).map_err(failure)?;
    study.plugin_dirs.extend(models.plugin_dir.iter().cloned());
    let mut models = models.clone();
    models.plugin_dir.clone_from(&study.plugin_dirs);
    let catalogue = catalogue::collect(&models)?;
    let plan = StudyPlan::new(study, Some(catalogue)).map_err(failure)?;
    working_folder::restore();
    if plan.study().objective.is_some() {
        let mut rows = StudyFolder::at(folder).map_err(failure)?;
        simhost_sweep::optimised(&plan, &mut rows).map_err(failure)?;
    }
    Ok(plan)
}
