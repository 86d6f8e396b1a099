//! `simhost sweep --verify`: repeats random runs, and compares their result hashes.

use simhost_sweep::{EndedRun, Hands, StudyFolder, StudyPlan};

use super::opening::failure;
use crate::exit::{Code, Failure};
use crate::{interrupt, terminal};

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
