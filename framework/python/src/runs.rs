//! Calls from Python that run models, and the interrupts that end these calls.
//!
//! An interrupt is an exception that does not derive from `Exception`, above all `KeyboardInterrupt` and `SystemExit`. To the
//! host, it would be a fault of the model that raises it, whose call it may undo and repeat. An interrupt is therefore noted
//! where it is raised, and the call from Python raises it a few steps later.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::errors::Failure;

/// Number of calls from Python that are in progress.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// Number of times that the last call in progress has ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);
/// Interrupts that have not been raised yet, each with the thread that is to raise it; any thread raises those that a worker
/// of the simulation has noted.
static NOTED: Mutex<Vec<(Option<ThreadId>, PyErr)>> = Mutex::new(Vec::new());
/// Whether there are such interrupts.
static IS_NOTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Number of nested calls from Python on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A call from Python.
struct ActiveCall;

impl ActiveCall {
    fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::SeqCst);
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            ENDED.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Runs a call from Python. Returns an interrupt that has been noted during the call in place of its result.
pub fn call<R>(act: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    let run = ActiveCall::begin();
    let result = act();
    drop(run);
    match DEPTH.get() {
        0 => check().map_err(Failure::Raised).and(result),
        _ => result,
    }
}

/// Notes an exception if it is an interrupt, and returns it otherwise.
pub fn note(py: Python<'_>, error: PyErr) -> Option<PyErr> {
    if ACTIVE.load(Ordering::SeqCst) == 0 || error.is_instance_of::<PyException>(py) {
        return Some(error);
    }
    let owner = (DEPTH.get() > 0).then(|| thread::current().id());
    let mut noted = noted();
    if noted.iter().all(|(other, _)| *other != owner) {
        noted.push((owner, error));
        IS_NOTED.store(true, Ordering::SeqCst);
    }
    None
}

/// Returns a number that is another one once all calls that are in progress have ended.
pub fn period() -> usize {
    ENDED.load(Ordering::SeqCst)
}

/// Returns whether an interrupt has been noted.
pub fn is_noted() -> bool {
    IS_NOTED.load(Ordering::SeqCst)
}

/// Raises an interrupt that has been noted for the present thread.
pub fn check() -> PyResult<()> {
    if !is_noted() {
        return Ok(());
    }
    let own = thread::current().id();
    let mut noted = noted();
    let place = noted.iter().position(|(owner, _)| owner.is_none_or(|owner| owner == own));
    let taken = place.map(|place| noted.remove(place));
    IS_NOTED.store(!noted.is_empty(), Ordering::SeqCst);
    taken.map_or(Ok(()), |(_, error)| Err(error))
}

fn noted() -> MutexGuard<'static, Vec<(Option<ThreadId>, PyErr)>> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}
