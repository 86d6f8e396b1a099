//! Progress of a study: runs, failures, rate, time left and the best point so far, on a terminal only.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use simhost_sweep::{Best, RunRow, RunStatus, StudyFolder, StudyPlan};

use crate::terminal;

/// Counts of runs, and the bar that shows them.
pub struct Tally {
    bar: ProgressBar,
    counts: Mutex<Counts>,
    began: Instant,
}

#[derive(Default)]
struct Counts {
    simulated: u64,
    failed: u64,
    best: Vec<Best>,
}

impl Counts {
    /// Returns the text next to the bar after some wall time, s.
    fn message(&self, wall: f64) -> String {
        let rate = self.simulated as f64 / wall.max(1e-3);
        let best = match &self.best[..] {
            [] => String::new(),
            [Best { run, values, is_feasible }] => {
                let missed = if *is_feasible { "" } else { ", which misses a condition" };
                let values: Vec<String> = values.iter().map(f64::to_string).collect();
                format!(", best {} in run {run}{missed}", values.join(", "))
            }
            front => format!(", {} best points", front.len()),
        };
        format!("{} failed, {rate:.0} runs/s{best}", self.failed)
    }
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
        let counts = Mutex::new(Counts { failed, ..Counts::default() });
        Self { bar, counts, began: Instant::now() }
    }

    /// Adds rows.
    pub fn add(&self, rows: &[RunRow]) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.simulated += rows.len() as u64;
        counts.failed += rows.iter().filter(|row| row.status != RunStatus::Ok).count() as u64;
        self.bar.inc(rows.len() as u64);
        self.show(&counts);
    }

    /// Notes the best points of an optimisation so far.
    pub fn improve(&self, best: &[Best]) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.best = best.to_vec();
        self.show(&counts);
    }

    fn show(&self, counts: &Counts) {
        if !self.bar.is_hidden() {
            self.bar.set_message(counts.message(self.began.elapsed().as_secs_f64()));
        }
    }

    /// Removes the bar. Returns the number of runs that were simulated.
    pub fn finish(&self) -> u64 {
        self.bar.finish_and_clear();
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).simulated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_point_is_beside_the_bar() {
        let mut counts = Counts { simulated: 30, failed: 2, best: Vec::new() };
        assert_eq!(counts.message(2.0), "2 failed, 15 runs/s");
        counts.best = vec![Best { run: 7, values: vec![0.25], is_feasible: false }];
        let text = "2 failed, 15 runs/s, best 0.25 in run 7, which misses a condition";
        assert_eq!(counts.message(2.0), text);
    }
}
