//! Summary that is printed at the end of a study.

use std::path::Path;
use std::time::Duration;

use simhost_record::csv_number;
use simhost_sweep::{Best, RunRow, RunStatus, StudyFolder, StudyPlan};

use crate::process::{Code, Failure};
use crate::terminal;

/// Largest numbers of failed runs and of metrics that are listed.
const MAX_FAILED: usize = 3;
const MAX_METRICS: usize = 24;
/// Largest number of points of a front that are listed.
const MAX_FRONT: usize = 12;

/// Summary of a study.
pub struct StudySummary<'s> {
    /// The plan.
    pub plan: &'s StudyPlan,
    /// Its rows.
    pub folder: &'s StudyFolder,
    /// Number of runs that this process has simulated.
    pub simulated_runs: u64,
    /// Wall time of these runs.
    pub wall: Duration,
    /// The best points of an optimisation.
    pub best: Vec<Best>,
    /// Totals of its rows.
    pub statistics: Statistics,
}

/// Totals and statistics of the rows of a study.
pub struct Statistics {
    counts: [u64; RunStatus::ALL.len()],
    failed: Vec<RunRow>,
    /// Least, sum, greatest and number of the values of each metric.
    metrics: Vec<(f64, f64, f64, u64)>,
}

impl Statistics {
    /// Begins without rows.
    pub fn new(plan: &StudyPlan) -> Self {
        let none = (f64::INFINITY, 0.0, f64::NEG_INFINITY, 0);
        let metrics = vec![none; plan.metric_names().len()];
        Self { counts: [0; RunStatus::ALL.len()], failed: Vec::new(), metrics }
    }

    /// Adds a row.
    pub fn add(&mut self, row: RunRow) {
        self.counts[position(row.status)] += 1;
        for (of_all, value) in self.metrics.iter_mut().zip(row.metrics.iter().flatten()) {
            *of_all = (of_all.0.min(*value), of_all.1 + value, of_all.2.max(*value), of_all.3 + 1);
        }
        let is_failure = !matches!(row.status, RunStatus::Ok | RunStatus::Failed);
        if is_failure && self.failed.len() < MAX_FAILED {
            self.failed.push(row);
        }
    }
}

impl StudySummary<'_> {
    /// Prints the summary, unless the command line asks for none. Returns the exit code, which is
    /// the code of the first run if all have failed.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print(&self, table: &Path) -> Result<Result<Code, Failure>, Failure> {
        let statistics = &self.statistics;
        if !terminal::is_quiet() {
            terminal::result(&self.lines(statistics, table).join("\n"))?;
        }
        let count: u64 = statistics.counts.iter().sum();
        let is_ok = |status: RunStatus| statistics.counts[position(status)];
        Ok(match statistics.failed.first() {
            Some(first) if is_ok(RunStatus::Ok) + is_ok(RunStatus::Failed) == 0 && count > 0 => {
                let text = format!("all runs have failed; the first one: {}", first.reason);
                Err(Failure::new(code_of(first.status), text))
            }
            _ => Ok(Code::Done),
        })
    }

    fn lines(&self, statistics: &Statistics, table: &Path) -> Vec<String> {
        let count: u64 = statistics.counts.iter().sum();
        let ends = RunStatus::ALL.iter().zip(statistics.counts).filter(|(_, count)| *count > 0);
        let ends: Vec<String> =
            ends.map(|(status, count)| format!("{count} {}", status.name())).collect();
        let of = match self.plan.runs() {
            all if all == count => String::new(),
            all => format!(" of {all}"),
        };
        let mut lines = vec![format!("{count}{of} runs: {}", ends.join(", "))];
        for row in &statistics.failed {
            lines.push(format!("  run {} ({}): {}", row.run, row.id, row.reason));
        }
        let wall = self.wall.as_secs_f64();
        let rate = self.simulated_runs as f64 / wall.max(1e-9);
        if self.simulated_runs > 0 {
            lines.push(format!(
                "simulated {} runs in {wall:.2} s of wall time, {rate:.0} runs/s",
                self.simulated_runs
            ));
        }
        lines.extend(self.metrics(statistics));
        lines.extend(self.front());
        lines.push(format!("rows in {}", table.display()));
        lines.push(format!(
            "next: `simhost sweep show {} ID --out DIR` repeats a run with all its files",
            self.folder.path().display()
        ));
        lines
    }

    /// Returns what the best run of an optimisation is, or the best ones for several goals.
    fn front(&self) -> Vec<String> {
        let (count, few) = (self.best.len(), self.best.iter().take(MAX_FRONT));
        let mut lines: Vec<String> = few.map(|best| self.best(best)).collect();
        if self.plan.study().objective.as_ref().is_some_and(|one| one.goals.len() > 1) {
            lines.insert(
                0,
                format!(
                    "{count} points that no other one surpasses in all goals, also in journal.csv:"
                ),
            );
        }
        lines
    }

    /// Returns what one of the best runs is.
    fn best(&self, Best { run, values, is_feasible }: &Best) -> String {
        let found: Vec<String> = values.iter().map(f64::to_string).collect();
        let names = self.plan.varied().zip(self.plan.values(*run));
        let values: Vec<String> = names.map(|(name, value)| format!("{name}={value}")).collect();
        let missed = if *is_feasible { "" } else { ", which misses a condition" };
        let (found, values) = (found.join(", "), values.join(" "));
        format!("best: {found} in run {run} ({}){missed}: {values}", self.plan.id(*run))
    }

    /// Returns a table of the metrics.
    fn metrics(&self, statistics: &Statistics) -> Option<String> {
        let head = ["metric", "least", "mean", "greatest"].map(str::to_owned);
        let mut rows = vec![head];
        let names = self.plan.metric_names().iter().zip(self.plan.metric_units());
        for ((name, unit), (least, sum, most, count)) in
            names.zip(&statistics.metrics).take(MAX_METRICS)
        {
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let shown = |value: f64| match count {
                0 => "none".to_owned(),
                // six digits are enough to look at
                _ => csv_number(format!("{value:.5e}").parse().unwrap_or(value)),
            };
            rows.push([
                format!("{name}{unit}"),
                shown(*least),
                shown(sum / *count as f64),
                shown(*most),
            ]);
        }
        (rows.len() > 1).then(|| terminal::table(&rows).trim_end().to_owned())
    }
}

fn position(status: RunStatus) -> usize {
    RunStatus::ALL.iter().position(|one| *one == status).unwrap_or(0)
}

fn code_of(status: RunStatus) -> Code {
    match status {
        RunStatus::Diverged => Code::Diverged,
        RunStatus::Scan => Code::Gpu,
        RunStatus::Refused => Code::BadInput,
        _ => Code::PluginFault,
    }
}
