//! Simulating what is missing of a study, with threads or processes.

mod child;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
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
            Some(isolation) => {
                child::rows(plan, isolation, locked(folder).path().to_owned(), &runs, hands)?
            }
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
