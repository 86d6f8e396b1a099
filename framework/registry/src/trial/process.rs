//! The parent side of a trial process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::library::open;
use crate::memory::Noticed;
use crate::quiet;
use crate::refusal::{Crash, Refusal};
use crate::surroundings::Surroundings;

/// Largest output that is kept, bytes.
const MAX_PRINTED: u64 = 1 << 16;
/// Interval between checks for the end of the process.
const PAUSE: Duration = Duration::from_millis(1);
/// Longest time for which a report is awaited before the trial can be stopped.
const LOOK: Duration = Duration::from_millis(20);

/// The end of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Normal end with code 0.
    Well,
    Code(i32),
    Signal(String),
    /// Ended because it exceeded the time limit.
    Silent,
}

/// The result of a process.
pub(super) struct Process {
    pub end: End,
    /// Verdicts on the files that it finished.
    pub finished: Vec<Verdict>,
    /// Observations of the file that it did not finish.
    pub unfinished: Noticed,
}

impl Process {
    /// Runs a process for files until it ends or exceeds the time limit of a file.
    pub(super) fn run(trial: &Trial, files: &[&Path]) -> std::io::Result<Self> {
        let mut command = Command::new(&trial.program);
        command.args(&trial.arguments).args(files);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // processes started by the file end with it
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let lines = listen(&mut child);
        let printed = collect(&mut child);
        let (outcomes, in_time) = follow(&lines, trial);
        let end =
            match in_time.then(|| wait(&mut child, trial.limit, || trial.is_stopped())).flatten() {
                Some(status) => end_of(status),
                None => End::Silent,
            };
        // also ends processes that a file has left running, so that the pipes close
        kill(&mut child);
        if trial.is_stopped() {
            return Err(std::io::Error::other("the trial was stopped"));
        }
        let printed = printed.recv_timeout(trial.limit).unwrap_or_default();
        let mut printed = divided(&printed).into_iter().chain(std::iter::repeat(String::new()));
        let finished = outcomes
            .into_iter()
            .zip(&mut printed)
            .map(|(outcome, printed)| Verdict {
                refusal: outcome.refusal,
                crash: None,
                noticed: Noticed { printed, threads: outcome.threads, ..Noticed::default() },
            })
            .collect();
        let unfinished =
            Noticed { printed: printed.next().unwrap_or_default(), ..Noticed::default() };
        Ok(Self { end, finished, unfinished })
    }
}

/// Receives the lines of the report.
fn listen(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(line) = serde_json::from_str(&line) else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// Collects the output until the process ends.
fn collect(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(mut output) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            let _ = output.by_ref().take(MAX_PRINTED).read_to_end(&mut kept);
            // a file that continues to print must not block
            let _ = std::io::copy(&mut output, &mut std::io::sink());
            let _ = sender.send(kept);
        });
    }
    receiver
}

/// Returns the outcomes up to the end of the report, and whether all lines arrived in time. Ends
/// early if the trial is stopped.
fn follow(lines: &Receiver<Line>, trial: &Trial) -> (Vec<Outcome>, bool) {
    let mut outcomes = Vec::new();
    let mut last = Instant::now();
    loop {
        let line = lines.recv_timeout(LOOK);
        if line.is_ok() {
            last = Instant::now();
        }
        match line {
            Ok(Line { file, outcome: Some(outcome) }) if file == outcomes.len() => {
                outcomes.push(outcome);
            }
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => {
                if last.elapsed() >= trial.limit || trial.is_stopped() {
                    return (outcomes, false);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return (outcomes, true),
        }
    }
}

/// Waits for the end of a process, until a time limit or until everything is stopped.
pub fn wait(
    child: &mut Child,
    limit: Duration,
    is_stopped: impl Fn() -> bool,
) -> Option<ExitStatus> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if began.elapsed() < limit && !is_stopped() => std::thread::sleep(PAUSE),
            _ => return None,
        }
    }
}

/// Ends a process that leads a group, and everything that it has started.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn end_of(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal_name(signal));
    }
    match status.code() {
        Some(0) => End::Well,
        Some(code) => End::Code(code),
        None => End::Signal("a signal".into()),
    }
}

/// Returns the name of a signal that ended a process.
#[cfg(unix)]
pub fn signal_name(number: i32) -> String {
    use rustix::process::Signal;
    let known = [
        (Signal::SEGV, "SIGSEGV"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::SYS, "SIGSYS"),
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
    ];
    let name = known.iter().find(|(signal, _)| signal.as_raw() == number);
    name.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

/// Splits the output by file.
fn divided(printed: &[u8]) -> Vec<String> {
    let parts = printed.split(|byte| *byte == DIVIDER).skip(1);
    parts.map(|part| String::from_utf8_lossy(part).trim().to_owned()).collect()
}

/// A message of the child: the start of a file, then its outcome.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Index of the file in the list.
    pub file: usize,
    pub outcome: Option<Outcome>,
}

/// The outcome of a file.
#[derive(Serialize, Deserialize)]
struct Outcome {
    pub refusal: Option<Refusal>,
    /// Number of threads that it started.
    pub threads: u32,
}

/// Separates the outputs of the files on standard error.
const DIVIDER: u8 = 0;

/// Opens files one after the other and reports to standard output. Call it in a separate process,
/// which the files can end. The output of the files goes to standard error.
///
/// # Errors
///
/// If standard output cannot be written, because it has no reader.
pub fn try_files(files: &[PathBuf]) -> std::io::Result<()> {
    let mut report = reserve_output()?;
    let surroundings = Surroundings::save();
    for (file, path) in files.iter().enumerate() {
        say(&mut report, &Line { file, outcome: None })?;
        std::io::stderr().write_all(&[DIVIDER])?;
        let before = threads();
        let refusal = open(path, &path.display().to_string(), &surroundings).0.err();
        quiet::flush();
        let threads = threads().saturating_sub(before);
        say(&mut report, &Line { file, outcome: Some(Outcome { refusal, threads }) })?;
    }
    Ok(())
}

fn say(report: &mut impl Write, line: &Line) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    report.write_all(text.as_bytes())?;
    report.flush()
}

/// Returns standard output under another descriptor, and redirects the original one to standard
/// error, so that what loaded code prints does not mix with messages.
///
/// # Errors
/// Standard output is closed.
#[cfg(unix)]
pub fn reserve_output() -> std::io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    let report = std::io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(std::io::stderr())?;
    Ok(report.into())
}

/// Returns standard output.
///
/// # Errors
/// None on this system.
#[cfg(not(unix))]
pub fn reserve_output() -> std::io::Result<std::io::Stdout> {
    Ok(std::io::stdout())
}

/// Returns the number of threads of this process, or 0 if unknown.
fn threads() -> u32 {
    let tasks = std::fs::read_dir(Path::new("/proc/self/task"));
    tasks.map_or(0, |tasks| tasks.count().try_into().unwrap_or(u32::MAX))
}

/// Options of a trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Program that calls `try_files` with the files after `arguments`.
    pub program: PathBuf,
    /// Arguments before the files.
    pub arguments: Vec<OsString>,
    /// Time limit per file.
    pub limit: Duration,
    /// File that records the results.
    pub memory: Option<PathBuf>,
    /// Whether known files are tried again.
    pub rescan: bool,
    /// Set to end a trial early.
    pub stop: Arc<AtomicBool>,
}

impl Trial {
    /// Returns whether the trial is to end early.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The result of the trial of a file.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Reason why the file is not used.
    pub refusal: Option<Refusal>,
    /// How the file ended its process.
    pub crash: Option<Crash>,
    pub noticed: Noticed,
}

impl Verdict {
    /// Returns the verdict on a file that ended its process.
    pub(crate) fn crashed(crash: Crash, noticed: Noticed) -> Self {
        let last_words = noticed.printed.lines().rfind(|line| !line.trim().is_empty());
        let last_words = last_words.unwrap_or_default().trim().chars().take(200).collect();
        let refusal = Refusal::Quarantined { crash: crash.clone(), last_words };
        Self { refusal: Some(refusal), crash: Some(crash), noticed }
    }
}
