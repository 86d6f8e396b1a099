//! Progress of a study: runs, failures, rate and time left, on a terminal only.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use simhost_sweep::{RunRow, RunStatus, StudyFolder, StudyPlan};

use crate::terminal;

/// Counts of runs, and the bar that shows them.
pub struct Tally {
    bar: ProgressBar,
    counts: Mutex<Counts>,
    began: Instant,
}

struct Counts {
    simulated: u64,
    failed: u64,
}

impl Tally {
    /// Begins with the rows that the folder has.
    pub fn new(plan: &StudyPlan, folder: &StudyFolder) -> Self {
        let target = match terminal::is_quiet() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(10),
        };
        let bar = ProgressBar::with_draw_target(Some(plan.runs()), target);
        let style = "{bar:40.cyan/blue} {pos}/{len} runs  {msg}  {elapsed} (ETA {eta})";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        let earlier = folder.ended();
        bar.set_position(earlier.len() as u64);
        bar.reset_eta();
        let failed = earlier.iter().filter(|one| one.status != RunStatus::Ok).count() as u64;
        let counts = Mutex::new(Counts { simulated: 0, failed });
        Self { bar, counts, began: Instant::now() }
    }

    /// Adds rows.
    pub fn add(&self, rows: &[RunRow]) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.simulated += rows.len() as u64;
        counts.failed += rows.iter().filter(|row| row.status != RunStatus::Ok).count() as u64;
        self.bar.inc(rows.len() as u64);
        if !self.bar.is_hidden() {
            let wall = self.began.elapsed().as_secs_f64().max(1e-3);
            let rate = counts.simulated as f64 / wall;
            self.bar.set_message(format!("{} failed, {rate:.0} runs/s", counts.failed));
        }
    }

    /// Removes the bar. Returns the number of runs that were simulated.
    pub fn finish(&self) -> u64 {
        self.bar.finish_and_clear();
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).simulated
    }
}
