//! Calls from Python that run models, and exceptions in models that end these calls instead of the model.
//!
//! Such exceptions are those that are no `Exception`, above all `KeyboardInterrupt` and `SystemExit`. The host would report a
//! fault, and it may undo and repeat the call of a model. So they are noted, and the call from Python raises them at the end of
//! the step.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::errors::Failure;
use crate::model::forget_failed_calls;

/// Number of calls from Python that are in progress.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// Exceptions that have not been raised yet, each with the thread of the call that raises it; without one if a thread of the
/// simulation has noted it.
static NOTED: Mutex<Vec<(Option<ThreadId>, PyErr)>> = Mutex::new(Vec::new());
/// Whether there are such exceptions.
static IS_NOTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Number of calls from Python in which this thread is.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A call from Python.
struct Run;

impl Run {
    fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::SeqCst);
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            forget_failed_calls();
        }
    }
}

/// Does what a call from Python asks for. Returns an exception that has been noted meanwhile in place of the result.
pub fn call<R>(act: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    let run = Run::begin();
    let result = act();
    drop(run);
    match DEPTH.get() {
        0 => check().map_err(Failure::Raised).and(result),
        _ => result,
    }
}

/// Notes an exception that ends a call from Python, and returns any other.
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

/// Returns whether a call from Python is to raise an exception.
pub fn is_noted() -> bool {
    IS_NOTED.load(Ordering::SeqCst)
}

/// Raises an exception that has been noted for the present thread.
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
