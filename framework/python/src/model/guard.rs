//! Calls of Python from functions of the boundary, with faults in place of exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;
use simhost_abi::{Fault, fault_code};

use crate::errors::keep_exception;
use crate::runs;

/// Gives an object back, unless the interpreter has ended, and its objects with it.
pub fn release(object: Py<PyAny>) {
    let mut object = Some(object);
    let _ = Python::try_attach(|_| drop(object.take()));
    std::mem::forget(object);
}

/// Calls Python, and returns a fault in place of an exception or a panic.
pub fn guarded<R>(code: u32, act: impl FnOnce(Python<'_>) -> PyResult<R>) -> Result<R, Box<Fault>> {
    let called = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| {
            act(py).map_err(|error| {
                let text = described(py, &error);
                let fault = Box::new(Fault::new(code, &text));
                if let Some(error) = runs::note(py, error) {
                    keep_exception(fault.message(), error);
                }
                fault
            })
        })
    }));
    match called {
        Ok(Some(result)) => result,
        Ok(None) => {
            Err(Box::new(Fault::new(fault_code::PANIC, "the interpreter of Python has ended")))
        }
        Err(_) => Err(Box::new(Fault::new(fault_code::PANIC, "the call of Python panicked"))),
    }
}

/// Calls Python, and once more after an interrupt such as `KeyboardInterrupt`, so that the step is complete when it is raised.
pub fn uninterrupted<R>(py: Python<'_>, act: impl Fn() -> PyResult<R>) -> PyResult<R> {
    act().or_else(|error| runs::note(py, error).map_or_else(&act, Err))
}

/// Returns the text of an exception with the place where it was raised.
fn described(py: Python<'_>, error: &PyErr) -> String {
    let value = error.value(py);
    let shown = py.import("simhost.model_calls").and_then(|module| {
        // before Python 3.12, an error that has been fetched does not have it yet
        value.setattr("__traceback__", error.traceback(py))?;
        module.getattr("describe_exception")?.call1((value,))?.extract::<String>()
    });
    shown.unwrap_or_else(|_| error.to_string())
}

/// Returns the code of a call, and writes its fault.
///
/// # Safety
/// `to` is a place for a fault.
pub unsafe fn settle(outcome: Result<(), Box<Fault>>, to: *mut Fault) -> u32 {
    let Err(fault) = outcome else { return fault_code::NONE };
    let code = fault.code;
    // SAFETY: promised by the caller.
    unsafe { to.write(*fault) };
    code
}
