//! Plans of tests and their results.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::case::GivenValue;
use crate::instance::Verdict;
use crate::process::{self, Job, Program};
use crate::subject::Subject;
use crate::table::{TESTS, Test};

/// The tests to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Files and models to test.
    pub subjects: Vec<Subject>,
    /// Ids of the selected tests; empty for all.
    pub only: Vec<String>,
    /// Ids of the skipped tests.
    pub skip: Vec<String>,
    /// Seed of the first random case.
    pub seed: u64,
    /// Number of random cases.
    pub cases: u64,
    /// Values of parameters that the user gives for models.
    pub given: Vec<(Subject, Vec<GivenValue>)>,
}

/// The result of a test of a subject.
#[derive(Clone, Debug, Serialize)]
pub struct ReportLine {
    /// Subject of the test.
    pub subject: Subject,
    /// Id of the test.
    pub test: &'static str,
    /// Result of the test.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Duration of the test.
    #[serde(skip)]
    pub took: Duration,
}

impl Plan {
    /// Returns whether no test of any subject is selected.
    pub fn is_empty(&self) -> bool {
        self.pairs().is_empty()
    }

    /// Returns the tests of each subject, in the order of the table.
    fn pairs(&self) -> Vec<(&Subject, &'static Test)> {
        let mut pairs = Vec::new();
        for subject in &self.subjects {
            let wanted = TESTS.iter().filter(|test| {
                let named = self.only.iter().any(|id| id == test.id);
                let fits = test.is_of(subject);
                fits && (self.only.is_empty() || named) && !self.skip.iter().any(|id| id == test.id)
            });
            pairs.extend(wanted.map(|test| (subject, test)));
        }
        pairs
    }
}

/// Runs a plan and calls `report` for each result in the order of the plan, until it breaks.
///
/// # Errors
///
/// If no process can be started, if its report cannot be stored, or if the tests are stopped.
pub fn run(
    plan: &Plan,
    program: &Program,
    mut report: impl FnMut(&ReportLine) -> ControlFlow<()>,
) -> std::io::Result<Vec<ReportLine>> {
    let pairs = plan.pairs();
    let reports = tempfile::tempdir()?;
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let (sender, receiver) = channel();
    let mut lines = Vec::with_capacity(pairs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, pairs, next, reports) = (sender.clone(), &pairs, &next, reports.path());
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some((subject, test)) = pairs.get(place) else { break };
                    if program.is_stopped() {
                        break;
                    }
                    let report = reports.join(place.to_string());
                    let line = one(plan, program, subject, test, report);
                    if sender.send((place, line)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (place, line) in receiver {
            waiting.insert(place, line?);
            while let Some(line) = waiting.remove(&lines.len()) {
                let flow = report(&line);
                lines.push(line);
                if flow.is_break() {
                    return Ok(lines);
                }
            }
        }
        if program.is_stopped() { Err(process::stopped()) } else { Ok(lines) }
    })
}

fn one(
    plan: &Plan,
    program: &Program,
    subject: &Subject,
    test: &'static Test,
    report: std::path::PathBuf,
) -> std::io::Result<ReportLine> {
    let began = Instant::now();
    let given = plan.given.iter().find(|(owner, _)| owner == subject);
    let job = Job {
        test: test.id.to_owned(),
        subject: subject.clone(),
        seed: plan.seed,
        cases: plan.cases,
        given: given.map(|(_, values)| values.clone()).unwrap_or_default(),
        report,
    };
    let verdict = match program.hangs_too_often() {
        true => Verdict::Skip { reason: "three tests did not respond".to_owned() },
        false => process::run(program, test, &job)?,
    };
    Ok(ReportLine { subject: subject.clone(), test: test.id, verdict, took: began.elapsed() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn three_tests_without_a_response_end_the_others() {
        let subject = Subject::of_plugin(Some("any.so".into()), None);
        let (only, skip) = (Vec::new(), Vec::new());
        let given = Vec::new();
        let plan = Plan { subjects: vec![subject], only, skip, seed: 1, cases: 1, given };
        let folder = tempfile::tempdir().unwrap();
        let program = |hangs: usize| Program {
            path: folder.path().join("missing"),
            arguments: Vec::new(),
            limit: Duration::from_secs(1),
            stop: Arc::default(),
            hangs: Arc::new(AtomicUsize::new(hangs)),
        };
        let lines = run(&plan, &program(3), |_| ControlFlow::Continue(())).unwrap();
        let is_skipped = |line: &ReportLine| matches!(&line.verdict, Verdict::Skip { reason } if reason.contains("three"));
        assert!(!lines.is_empty() && lines.iter().all(is_skipped), "{lines:?}");
        // the program is missing
        assert!(run(&plan, &program(2), |_| ControlFlow::Continue(())).is_err());
    }
}
