//! Summary that is printed at the end of an ensemble.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use simhost::{Ensemble, MemberEnd, MemberMetrics};
use simhost_engine::Clock;

use crate::process::{Code, Failure};
use crate::terminal;

/// Largest numbers of members that have failed, and of metrics, that are listed.
const MAX_FAILED: usize = 3;
const MAX_METRICS: usize = 24;

/// Summary of an ensemble.
pub struct EnsembleSummary<'a> {
    /// The ensemble after its last step.
    pub ensemble: &'a mut Ensemble,
    /// Its metrics.
    pub metrics: &'a MemberMetrics,
    /// Number of the last step; `None` if observers end the members.
    pub steps: Option<u64>,
    /// Wall time of all steps.
    pub wall: Duration,
}

impl EnsembleSummary<'_> {
    /// Prints the summary, unless the command line asks for none. Returns the members that have failed, with their
    /// reasons.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print(
        mut self,
        table: Option<&Path>,
        files: &[PathBuf],
    ) -> Result<Vec<(usize, MemberEnd)>, Failure> {
        let failed = self.failed();
        if terminal::is_quiet() {
            return Ok(failed);
        }
        let mut lines = vec![self.outcome()];
        for (number, end) in failed.iter().take(MAX_FAILED) {
            let reason = end.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            lines.push(format!("  member {number}: {reason}"));
        }
        if failed.len() > MAX_FAILED {
            lines.push(format!("  and {} more", failed.len() - MAX_FAILED));
        }
        lines.push(self.speed());
        lines.push(self.statistics());
        lines.push(match table {
            Some(table) if files.len() > 1 => {
                format!(
                    "{} files, and the metrics of each member in {}",
                    files.len() - 1,
                    table.display()
                )
            }
            Some(table) => format!("metrics of each member in {}", table.display()),
            None => "--out DIR writes the metrics of each member to metrics.csv".to_owned(),
        });
        lines.push("next: add --member K to run member K alone, with all its files".to_owned());
        terminal::result(&lines.join("\n"))?;
        Ok(failed)
    }

    /// Returns how many members have ended how.
    fn outcome(&mut self) -> String {
        let (ensemble, steps) = (&mut *self.ensemble, self.steps);
        let clock = ensemble.session().simulation().clock();
        let last = steps.map(|steps| Clock { steps, ..clock }.time());
        let reached = last.map_or_else(String::new, |last| format!("reached {last} s"));
        let names = ["duration", "observer", "diverged", "fault", "scan", "running"];
        let texts = [
            &*reached,
            "ended by an observer",
            "diverged",
            "faulted",
            "without a GPU",
            "interrupted",
        ];
        let mut counts = [0; 6];
        let members = ensemble.members();
        for number in 0..members {
            let member = ensemble.member(number);
            let end = member.as_ref().ok().and_then(|member| member.end());
            let end = end.map_or("running", MemberEnd::name);
            if let Some(at) = names.iter().position(|name| *name == end) {
                counts[at] += 1;
            }
        }
        let all = counts.iter().zip(texts).filter(|(count, _)| **count > 0);
        let all: Vec<String> = all.map(|(count, text)| format!("{count} {text}")).collect();
        let plural = if members == 1 { "" } else { "s" };
        format!("{members} member{plural}: {}", all.join(", "))
    }

    /// Returns the line with the speed.
    fn speed(&mut self) -> String {
        let (ensemble, wall) = (&mut *self.ensemble, self.wall);
        let numbers = 0..ensemble.members();
        let steps: u64 = numbers.filter_map(|one| Some(ensemble.member(one).ok()?.steps())).sum();
        let wall = wall.as_secs_f64().max(1e-9);
        let dt = ensemble.session().simulation().clock().dt;
        format!(
            "{steps} steps of {} ms in {wall:.3} s of wall time: {:.0} steps/s, {:.1} times real time",
            dt * 1e3,
            steps as f64 / wall,
            steps as f64 * dt / wall
        )
    }

    /// Returns a table of the metrics over all members.
    fn statistics(&self) -> String {
        let head = ["metrics", "min", "mean", "max"].map(str::to_owned);
        let rows = self.metrics.metrics().names().iter().enumerate().take(MAX_METRICS).map(
            |(at, name)| {
                let numbers =
                    (0..self.ensemble.members()).map(|member| self.metrics.row(member)[at]);
                let (mut least, mut most, mut sum, mut count) = (f64::NAN, f64::NAN, 0.0, 0_u64);
                for number in numbers.filter(|number| number.is_finite()) {
                    (least, most) = (number.min(least), number.max(most));
                    (sum, count) = (sum + number, count + 1);
                }
                let [least, mean, most] = [least, sum / count as f64, most].map(rounded);
                [format!("  {name}"), least, mean, most]
            },
        );
        let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
        let mut text = terminal::table(&rows);
        let more = self.metrics.metrics().names().len().saturating_sub(MAX_METRICS);
        if more > 0 {
            let _ = write!(text, "  and {more} more metrics");
        }
        text.trim_end().to_owned()
    }

    /// Returns the members that have failed, with their reasons.
    fn failed(&mut self) -> Vec<(usize, MemberEnd)> {
        let ensemble = &mut *self.ensemble;
        let numbers = 0..ensemble.members();
        let failed = numbers.filter_map(|number| {
            let member = ensemble.member(number).ok()?;
            let end = member.end()?;
            let is_failure = !matches!(end, MemberEnd::Duration | MemberEnd::Observer(_));
            is_failure.then(|| (number, end.clone()))
        });
        failed.collect()
    }
}

/// Returns a number with a few significant digits.
fn rounded(number: f64) -> String {
    match number.abs() {
        0.0 | 1e-3..1e7 => format!("{number:.4}"),
        _ => format!("{number:.3e}"),
    }
}

/// Returns the exit code for the reason of a member.
pub fn code_of(end: &MemberEnd) -> Code {
    match end {
        MemberEnd::Diverged(_) => Code::Diverged,
        MemberEnd::Scan(_) => Code::Gpu,
        _ => Code::PluginFault,
    }
}
