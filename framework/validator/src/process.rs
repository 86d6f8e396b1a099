//! The process of a test: its start and supervision, and its work.

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::guarded;
use crate::subject::Subject;
use crate::table::{Run, Test};
use crate::verdict::{Failure, Verdict};

/// Largest output of a model that is kept, bytes.
const MAX_PRINTED: u64 = 1 << 14;

/// The program that runs tests by passing its job to [`perform`].
#[derive(Clone, Debug)]
pub struct Program {
    /// Path of the program.
    pub path: PathBuf,
    /// Arguments before the job.
    pub arguments: Vec<OsString>,
    /// Time limit per test.
    pub limit: Duration,
    /// Set to end all tests early.
    pub stop: Arc<AtomicBool>,
}

impl Program {
    /// Returns whether all tests are to end early.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Returns the error of tests that were stopped.
pub(crate) fn stopped() -> std::io::Error {
    std::io::Error::other("the tests were stopped")
}

/// The job of a process.
#[derive(Serialize, Deserialize)]
pub(crate) struct Job {
    pub test: String,
    pub subject: Subject,
    pub seed: u64,
    pub cases: u64,
    pub report: PathBuf,
}

/// Performs a job. Call it in a separate process, which the model can end. The job is one argument,
/// created by [`crate::run`].
///
/// # Errors
///
/// If the job is invalid, or its report cannot be written.
pub fn perform(job: &str) -> std::io::Result<()> {
    let job: Job = serde_json::from_str(job)?;
    let unknown = || std::io::Error::other(format!("unknown test `{}`", job.test));
    let test = Test::named(&job.test).ok_or_else(unknown)?;
    guarded::report_to(&job.report);
    let verdict = verdict(test, &job);
    std::fs::write(&job.report, serde_json::to_vec(&verdict)?)
}

fn verdict(test: &Test, job: &Job) -> Verdict {
    let plugin = job.subject.open();
    match (test.run, plugin) {
        (Run::File(run), plugin) => run(&plugin).into(),
        (Run::Model(_), Err(refusal)) => Verdict::Skip { reason: format!("the file {refusal}") },
        (Run::Model(run), Ok(plugin)) => match job.subject.model(plugin) {
            Some(class) => run(&Case::new(class, job.seed, job.cases)).into(),
            None => Verdict::Skip { reason: "the plugin has no such model".into() },
        },
    }
}

/// Runs a test of a subject in a separate process.
pub(crate) fn run(program: &Program, test: &Test, job: &Job) -> std::io::Result<Verdict> {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).arg(serde_json::to_string(job)?);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // processes started by the model end with it
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let printed = [collect(child.stdout.take()), collect(child.stderr.take())];
    let status = simhost_registry::wait(&mut child, program.limit, || program.is_stopped());
    simhost_registry::kill(&mut child);
    if program.is_stopped() {
        return Err(stopped());
    }
    let printed = printed.map(|text| text.recv_timeout(program.limit).unwrap_or_default());
    let Some(status) = status else {
        return Ok(failed(
            format!("did not respond within {} s", program.limit.as_secs_f64()),
            &printed,
        ));
    };
    let report = std::fs::read(&job.report).ok();
    match (report.and_then(|report| serde_json::from_slice(&report).ok()), end_of(status)) {
        (Some(verdict), None) => Ok(judged(test, verdict, &printed)),
        (Some(_), Some(end)) => Ok(failed(format!("{end} after the test"), &printed)),
        (None, Some(end)) => Ok(failed(end, &printed)),
        (None, None) => Ok(failed("the model ended the process (exit code 0)".into(), &printed)),
    }
}

/// Turns the output of a model that must not print into a failure.
fn judged(test: &Test, verdict: Verdict, printed: &[String; 2]) -> Verdict {
    if !test.silent || verdict != Verdict::Pass {
        return verdict;
    }
    let named = ["standard output", "standard error"].into_iter().zip(printed);
    match named.into_iter().find(|(_, text)| !text.is_empty()) {
        None => Verdict::Pass,
        Some((stream, text)) => {
            let what = format!("it printed {:?} on {stream}", shortened(text));
            Verdict::Fail(Failure { what, ..Failure::default() })
        }
    }
}

fn failed(what: String, printed: &[String; 2]) -> Verdict {
    let last =
        printed.iter().rev().find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()));
    let input = last.map(|line| format!("last output: {}", shortened(line)));
    Verdict::Fail(Failure { what, input, seed: None, ended: true })
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(200).collect()
}

/// Collects the output until the process ends.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut kept = Vec::new();
        let _ = pipe.by_ref().take(MAX_PRINTED).read_to_end(&mut kept);
        // a model that continues to print must not block
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
    });
    receiver
}

/// Describes the abnormal end of a process.
fn end_of(status: ExitStatus) -> Option<String> {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(format!("the process crashed ({})", simhost_registry::signal_name(signal)));
    }
    match status.code() {
        Some(0) => None,
        Some(code) => Some(format!("the model ended the process (exit code {code})")),
        None => Some("the process crashed".into()),
    }
}
