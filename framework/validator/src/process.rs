//! The process of a test: its start and supervision, and its work.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::case::{Case, GivenValue};
use crate::instance::{Failure, Outcome, Stop, Verdict, fail};
use crate::subject::Subject;
use crate::table::{Run, Test};
use crate::{guarded, rig};

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
    /// Number of tests that did not respond in time. After three, the others are skipped.
    pub hangs: Arc<AtomicUsize>,
}

/// Number of tests that do not respond after which the others are skipped.
const MOST_HANGS: usize = 3;

impl Program {
    /// Returns whether so many tests have not responded that the others would take too long.
    pub(crate) fn hangs_too_often(&self) -> bool {
        self.hangs.load(Ordering::Relaxed) >= MOST_HANGS
    }

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
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub test: String,
    pub subject: Subject,
    pub seed: u64,
    pub cases: u64,
    /// Values of parameters that the user gives.
    #[serde(default)]
    pub given: Vec<GivenValue>,
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
    if let Some(bits) = take_bits() {
        let bytes: Vec<u8> = bits.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(trace_of(&job.report), bytes)?;
    }
    std::fs::write(&job.report, serde_json::to_vec(&verdict)?)
}

/// Returns the path of the trace of a process with a report.
fn trace_of(report: &Path) -> PathBuf {
    report.with_extension("trace")
}

/// Time at which steps begin in the second part of a test, s.
const LATE: f64 = 1e5;
/// Random cases of the second part of a test.
const LATE_CASES: u64 = 10;

fn verdict(test: &Test, job: &Job) -> Verdict {
    let plugin = job.subject.open();
    match (test.run, plugin) {
        (Run::File(run), plugin) => run(&plugin).into(),
        (Run::Model(_), Err(refusal)) => Verdict::Skip { reason: format!("the file {refusal}") },
        (Run::Model(run), Ok(plugin)) => match job.subject.model(plugin) {
            Some(class) => {
                let case =
                    Case { given: job.given.clone(), ..Case::new(class, job.seed, job.cases) };
                if let Some(what) = case.lacks() {
                    return untested(test, what);
                }
                match on_some_vehicle(run, &case).into() {
                    Verdict::Pass if !test.in_two_processes => late(run, case),
                    verdict => verdict,
                }
            }
            None => Verdict::Skip { reason: "the plugin has no such model".into() },
        },
    }
}

/// Returns the verdict of a model that cannot be tested. The test of parameters reports that, and the others are
/// skipped.
fn untested(test: &Test, what: String) -> Verdict {
    if !test.examines_parameters() {
        return Verdict::Skip { reason: "a required parameter is missing".to_owned() };
    }
    Verdict::Fail(Failure { what, lacks: true, ..Failure::default() })
}

/// Number of vehicles that a model can reject.
const VEHICLES: u64 = 40;

/// Runs a test. Repeats it with other vehicles if the model rejects its vehicle.
fn on_some_vehicle(run: fn(&Case) -> Outcome, case: &Case) -> Outcome {
    let mut outcome = run(case);
    for vehicle in 1..=VEHICLES {
        if !matches!(outcome, Err(Stop::Unsuited(_))) {
            break;
        }
        rig::drive_vehicle(vehicle);
        outcome = run(case);
    }
    outcome
}

/// Repeats a test that has passed, with steps that begin later.
fn late(run: fn(&Case) -> Outcome, case: Case) -> Verdict {
    rig::start_at(LATE);
    match on_some_vehicle(run, &Case { cases: case.cases.min(LATE_CASES), ..case }).into() {
        Verdict::Fail(failure) => {
            let what = format!("{} in steps from {LATE} s on", failure.what);
            Verdict::Fail(Failure { what, ..failure })
        }
        _ => Verdict::Pass,
    }
}

/// Surroundings of the process of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProcessEnvironment {
    /// The environment of this process.
    Own,
    /// Another environment and working folder, and a fixed address layout where that is possible.
    Other,
}

/// Least time between two processes whose traces are compared: clocks with seconds differ.
const APART: Duration = Duration::from_millis(1100);

/// Runs a test of a subject in a separate process, or in two whose traces are compared.
pub(crate) fn run(program: &Program, test: &Test, job: &Job) -> std::io::Result<Verdict> {
    let began = Instant::now();
    let verdict = run_in(program, test, job, ProcessEnvironment::Own)?;
    if !test.in_two_processes || verdict != Verdict::Pass {
        return Ok(verdict);
    }
    let first = std::fs::read(trace_of(&job.report))?;
    while began.elapsed() < APART && !program.is_stopped() {
        std::thread::sleep(APART.saturating_sub(began.elapsed()).min(LOOK));
    }
    let _ = std::fs::remove_file(&job.report);
    let verdict = run_in(program, test, job, ProcessEnvironment::Other)?;
    if verdict != Verdict::Pass {
        return Ok(verdict);
    }
    let second = std::fs::read(trace_of(&job.report))?;
    let words = |bytes: &[u8]| -> Vec<u64> {
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    };
    Ok(compare_trace(&words(&first), &words(&second), "in another process").into())
}

/// Longest pause between checks whether tests are stopped.
const LOOK: Duration = Duration::from_millis(20);

/// Changes the surroundings of a process: its environment, its working folder and the layout of its addresses. Its working
/// folder is a new one next to `report`, because interpreters also load modules from there. Its home folder does not exist.
fn change(command: &mut Command, report: &Path) -> std::io::Result<()> {
    let folder = report.with_extension("folder");
    std::fs::create_dir(&folder)?;
    command.current_dir(folder).env("HOME", report.with_extension("home"));
    for (name, value) in [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "tr_TR.UTF-8"),
        ("TZ", "Asia/Kathmandu"),
        ("USER", "nobody"),
        ("HOSTNAME", "elsewhere"),
        ("SIMHOST_PADDING", PADDING),
    ] {
        command.env(name, value);
    }
    #[cfg(target_os = "linux")]
    // SAFETY: the call has no effect on memory.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            Ok(())
        });
    }
    Ok(())
}

/// Text that moves the stack of a process.
const PADDING: &str = "a value that is long enough to move the stack of the process by some lines of the cache, \
    so that addresses differ from those of a process without it also where they are not random";

fn run_in(
    program: &Program,
    test: &Test,
    job: &Job,
    surroundings: ProcessEnvironment,
) -> std::io::Result<Verdict> {
    let mut command = Command::new(&program.path);
    // for any working folder
    let file = job.subject.file.as_deref().map(std::path::absolute).transpose()?;
    let subject = Subject { file, ..job.subject.clone() };
    let job = &Job { subject, ..job.clone() };
    command.args(&program.arguments).arg(serde_json::to_string(job)?);
    if surroundings == ProcessEnvironment::Other {
        change(&mut command, &job.report)?;
    }
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
        program.hangs.fetch_add(1, Ordering::Relaxed);
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
    Verdict::Fail(Failure { what, input, ended: true, ..Failure::default() })
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

/// Trace of this process, for the program that started it.
static TRACE: Mutex<Option<Vec<u64>>> = Mutex::new(None);

/// Keeps a trace for the program that started this process.
pub(super) fn keep(bits: Vec<u64>) {
    *TRACE.lock().unwrap_or_else(PoisonError::into_inner) = Some(bits);
}

/// Returns the trace that was kept.
fn take_bits() -> Option<Vec<u64>> {
    TRACE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Checks that two traces are equal.
pub(super) fn compare_trace(expected: &[u64], found: &[u64], when: &str) -> Outcome {
    match expected.iter().zip(found).position(|(one, other)| one != other) {
        None if expected.len() == found.len() => Ok(()),
        None => fail(format!("the number of outputs changes {when}")),
        Some(place) => fail(format!(
            "an output changes {when}: {} becomes {} (number {place} of the trace)",
            f64::from_bits(expected[place]),
            f64::from_bits(found[place])
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Files of others in a shared working folder would change what an interpreter loads.
    #[test]
    fn the_other_process_works_in_an_empty_folder_of_its_own() {
        let reports = tempfile::tempdir().unwrap();
        let mut command = Command::new("program");
        change(&mut command, &reports.path().join("0")).unwrap();
        let folder = command.get_current_dir().unwrap();
        assert_eq!(folder.parent(), Some(reports.path()));
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
    }
}
