//! Simulating what is missing of a study, with threads or processes.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::batch;
use crate::error::StudyError;
use crate::folder::StudyFolder;
use crate::plan::StudyPlan;
use crate::row::{Best, RunRow};

/// Largest number of runs that are simulated together.
const MAX_BATCH: usize = 1024;
/// Number of runs of the first batch, which fill a table.
const FIRST_BATCH: usize = 128;
/// Wall time of a batch to aim at.
const BATCH: Duration = Duration::from_millis(250);

/// Processes that simulate runs for this one, so that a crash costs one run.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// Program, which is called with `sweep chunk DIR --print --runs RUN,…` and prints a row per line.
    pub program: PathBuf,
    /// Words between the program and `sweep`, such as `-m simhost` of Python.
    pub before: Vec<OsString>,
    /// Further arguments.
    pub arguments: Vec<String>,
}

/// Engine that simulates the runs of a study.
pub struct Hands<'h> {
    /// Number of threads or processes.
    pub threads: usize,
    /// Wall time of a run, s, after which it ends without results.
    pub time_limit: Option<f64>,
    /// Simulates in separate processes.
    pub isolation: Option<Isolation>,
    /// Whether everything is to stop. Runs that have not ended then have no rows.
    pub is_stopped: &'h (dyn Fn() -> bool + Sync),
    /// Called with the rows of each batch.
    pub on_rows: &'h (dyn Fn(&[RunRow]) + Sync),
    /// Called with the best points after each generation of an optimisation that has found a better one.
    pub on_best: &'h (dyn Fn(&[Best]) + Sync),
}

impl Default for Hands<'_> {
    /// One thread, which does not stop.
    fn default() -> Self {
        Self {
            threads: 1,
            time_limit: None,
            isolation: None,
            is_stopped: &|| false,
            on_rows: &|_| {},
            on_best: &|_| {},
        }
    }
}

/// Simulates all runs that have no row, and adds their rows to the folder.
///
/// # Errors
/// [`StudyError`] if a row cannot be written, or a process cannot be started.
pub fn run(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    hands: &Hands<'_>,
) -> Result<(), StudyError> {
    let missing = folder.missing(plan);
    run_some(plan, folder, &missing, hands).map(drop)
}

/// Simulates some runs, and adds their rows to the folder. Returns whether all have rows.
///
/// # Errors
/// As [`run`].
pub fn run_some(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    runs: &[u64],
    hands: &Hands<'_>,
) -> Result<bool, StudyError> {
    let mut runs: Vec<u64> = runs.to_vec();
    if plan.has_variables() {
        // runs of one world are simulated together
        runs.sort_by_cached_key(|run| (plan.variables(*run), *run));
    }
    let queue = Mutex::new(VecDeque::from(runs));
    let threads = hands.threads.max(1);
    let folder = Mutex::new(folder);
    let failure = Mutex::new(None);
    let worker = || {
        let outcome = work(plan, &folder, &queue, hands, threads);
        if let Err(error) = outcome {
            locked(&queue).clear();
            locked(&failure).get_or_insert(error);
        }
    };
    on_threads(threads, &worker);
    folder.into_inner().unwrap_or_else(PoisonError::into_inner).settle();
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(!(hands.is_stopped)()),
    }
}

/// Calls a worker on a number of threads, or on this thread if the number is one.
pub fn on_threads(threads: usize, worker: &(dyn Fn() + Sync)) {
    match threads {
        1 => worker(),
        _ => std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(worker);
            }
        }),
    }
}

/// Simulates runs again in this process, on one thread, and returns their rows in the order of the runs.
pub fn repeat(plan: &StudyPlan, runs: &[u64], hands: &Hands<'_>) -> Vec<RunRow> {
    let mut rows = Vec::with_capacity(runs.len());
    let mut queue: VecDeque<u64> = runs.to_vec().into();
    while !queue.is_empty() && !(hands.is_stopped)() {
        let batch = next_batch(plan, &mut queue, MAX_BATCH / 8, 1);
        rows.extend(
            batch::rows(plan, &batch, hands.is_stopped, hands.time_limit)
                .unwrap_or_else(|rows| rows),
        );
    }
    rows
}

pub fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes batches from the queue until it is empty.
fn work(
    plan: &StudyPlan,
    folder: &Mutex<&mut StudyFolder>,
    queue: &Mutex<VecDeque<u64>>,
    hands: &Hands<'_>,
    threads: usize,
) -> Result<(), StudyError> {
    let mut size = FIRST_BATCH;
    while !(hands.is_stopped)() {
        let runs = next_batch(plan, &mut locked(queue), size, threads);
        if runs.is_empty() {
            break;
        }
        let began = Instant::now();
        let simulated = match &hands.isolation {
            None => batch::rows(plan, &runs, hands.is_stopped, hands.time_limit),
            Some(isolation) => simulate_in_process(
                plan,
                isolation,
                locked(folder).path().to_owned(),
                &runs,
                hands,
            )?,
        };
        let rows = simulated.unwrap_or_else(|rows| rows);
        locked(folder).add(&rows)?;
        (hands.on_rows)(&rows);
        size = next_size(size, began.elapsed());
    }
    Ok(())
}

/// Returns the number of runs of the next batch after one has taken some time.
fn next_size(size: usize, taken: Duration) -> usize {
    match taken {
        short if short < BATCH / 4 => (size * 4).min(MAX_BATCH),
        short if short < BATCH / 2 => (size * 2).min(MAX_BATCH),
        long if long > BATCH * 4 => (size / 2).max(FIRST_BATCH),
        _ => size,
    }
}

/// Takes the next runs, which have the same variables.
pub fn next_batch(
    plan: &StudyPlan,
    queue: &mut VecDeque<u64>,
    size: usize,
    threads: usize,
) -> Vec<u64> {
    // all threads get a part of the last runs
    let size = size.min(queue.len().div_ceil(threads)).max(1);
    let mut count = size.min(queue.len());
    if plan.has_variables() && count > 0 {
        let first = plan.variables(queue[0]);
        count = (1..count).find(|at| plan.variables(queue[*at]) != first).unwrap_or(count);
    }
    queue.drain(..count).collect()
}

/// Wall time between two looks at a process.
const LOOK: Duration = Duration::from_millis(5);
/// Wall time in which a process starts and opens the world.
const START: Duration = Duration::from_secs(10);

type Simulated = Result<Vec<RunRow>, Vec<RunRow>>;

/// Simulates runs in a process. What is missing after a crash is divided until the run is found that has caused it.
fn simulate_in_process(
    plan: &StudyPlan,
    isolation: &Isolation,
    folder: PathBuf,
    runs: &[u64],
    hands: &Hands<'_>,
) -> Result<Simulated, StudyError> {
    let limit = hands
        .time_limit
        .map(|limit| START + Duration::from_secs_f64(2.0 * limit * runs.len() as f64));
    let Outcome { mut rows, end } = simulate(isolation, &folder, runs, limit, hands)?;
    let missing: Vec<u64> =
        runs.iter().copied().filter(|run| rows.iter().all(|row| row.run != *run)).collect();
    let reason = match end {
        _ if missing.is_empty() => return Ok(Ok(rows)),
        End::Stopped => return Ok(Err(rows)),
        End::TimedOut => "its process has not ended in time".to_owned(),
        End::Exit(status, message) => described(status, &message),
    };
    if let [run] = missing[..] {
        rows.push(batch::crashed(plan, run, &reason));
        return Ok(Ok(rows));
    }
    let more = halves(plan, isolation, &folder, &missing, hands)?;
    let join = |more: Vec<RunRow>| [rows, more].concat();
    Ok(match more {
        Ok(more) => Ok(join(more)),
        Err(more) => Err(join(more)),
    })
}

/// Simulates both halves of the runs, because one of them has crashed a process.
fn halves(
    plan: &StudyPlan,
    isolation: &Isolation,
    folder: &Path,
    missing: &[u64],
    hands: &Hands<'_>,
) -> Result<Simulated, StudyError> {
    let mut rows = Vec::new();
    let (first, second) = missing.split_at(missing.len().div_ceil(2));
    for half in [first, second] {
        match simulate_in_process(plan, isolation, folder.to_owned(), half, hands)? {
            Ok(more) => rows.extend(more),
            Err(more) => {
                rows.extend(more);
                return Ok(Err(rows));
            }
        }
    }
    Ok(Ok(rows))
}

/// How a process has ended.
enum End {
    Exit(ExitStatus, String),
    Stopped,
    TimedOut,
}

struct Outcome {
    rows: Vec<RunRow>,
    end: End,
}

fn simulate(
    isolation: &Isolation,
    folder: &Path,
    runs: &[u64],
    limit: Option<Duration>,
    hands: &Hands<'_>,
) -> Result<Outcome, StudyError> {
    let failed = |error: std::io::Error| StudyError::Child(error.to_string());
    let mut child = command(isolation, folder, runs, hands).spawn().map_err(failed)?;
    let (output, messages) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let lines = scope.spawn(|| read_rows(output));
        let texts = scope.spawn(|| {
            let mut text = String::new();
            if let Some(messages) = messages {
                let _ = messages.take(1 << 16).read_to_string(&mut text);
            }
            text
        });
        let end = follow(&mut child, limit, hands);
        let (rows, text) = (lines.join().unwrap_or_default(), texts.join().unwrap_or_default());
        let end = match end.map_err(failed)? {
            Followed::Exit(status) => End::Exit(status, text),
            Followed::Stopped => End::Stopped,
            Followed::TimedOut => End::TimedOut,
        };
        Ok(Outcome { rows, end })
    })
}

/// Returns the command that simulates runs and prints their rows.
fn command(isolation: &Isolation, folder: &Path, runs: &[u64], hands: &Hands<'_>) -> Command {
    let list: Vec<String> = runs.iter().map(u64::to_string).collect();
    let mut command = Command::new(&isolation.program);
    command.args(&isolation.before).args(["sweep", "chunk"]).arg(folder);
    command.args(&isolation.arguments).args(["--print", "--runs", &list.join(",")]);
    if let Some(limit) = hands.time_limit {
        command.args(["--time-limit", &limit.to_string()]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

enum Followed {
    Exit(ExitStatus),
    Stopped,
    TimedOut,
}

/// Waits for a process, and ends it when it takes too long.
fn follow(
    child: &mut Child,
    limit: Option<Duration>,
    hands: &Hands<'_>,
) -> std::io::Result<Followed> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Followed::Exit(status));
        }
        let end = match limit {
            _ if (hands.is_stopped)() => Followed::Stopped,
            Some(limit) if began.elapsed() > limit => Followed::TimedOut,
            _ => {
                std::thread::sleep(LOOK);
                continue;
            }
        };
        child.kill()?;
        child.wait()?;
        return Ok(end);
    }
}

fn read_rows(output: Option<impl Read>) -> Vec<RunRow> {
    let Some(output) = output else { return Vec::new() };
    let mut rows = Vec::new();
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    // what a crash has cut off is not a row
    while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
        rows.extend(line.strip_suffix(b"\n").and_then(RunRow::from_line));
        line.clear();
    }
    rows
}

/// Describes how a process has ended.
fn described(status: ExitStatus, message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    let message = lines.find(|line| line.contains("error")).map(str::trim).unwrap_or_default();
    let end = status.code().map_or_else(
        || format!("its process has crashed ({status})"),
        |code| format!("its process has ended with exit code {code}"),
    );
    if message.is_empty() { end } else { format!("{end}: {message}") }
}
