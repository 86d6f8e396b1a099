//! Instances of models: their creation from values of parameters, and their end.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use simhost_abi::{Fault, Scope, Slice, Value, fault_code, value_tag};
use simhost_registry::PhaseShape;

use crate::errors::keep_exception;
use crate::runs;

/// A class of models.
pub struct Class {
    /// Makes an object from the values of parameters: with methods that are called in place of the functions of the
    /// boundary, or the numbers that compiled functions read.
    pub make: Py<PyAny>,
    pub phases: Vec<PhaseShape>,
    /// Scopes of the states.
    pub states: Vec<Scope>,
    /// Whether the lanes of a call depend on each other.
    pub is_whole: bool,
    /// Whether the phases are compiled functions.
    pub is_compiled: bool,
}

/// An instance of a model that Python calls.
pub struct Instance {
    pub class: &'static Class,
    pub object: Py<PyAny>,
    /// Its method that runs a phase.
    pub call: Py<PyAny>,
    /// Number of rays of a sensor.
    pub rays: usize,
}

/// All classes, in the order of their numbers.
pub static CLASSES: Mutex<Vec<&'static Class>> = Mutex::new(Vec::new());

/// Creates an instance of the class with a number.
///
/// # Safety
/// As of [`CreateFn`].
pub unsafe fn create_of(
    number: usize,
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    let made = guarded(fault_code::REFUSED, |py| {
        let class = CLASSES.lock().unwrap_or_else(PoisonError::into_inner)[number];
        // SAFETY: the host passes valid values during the call.
        let values = unsafe { values.as_slice() };
        let values = values.iter().map(|value| parameter(py, value));
        let object = class.make.call1(py, (values.collect::<PyResult<Vec<_>>>()?,))?;
        if class.is_compiled {
            return Ok(numbers(&object.extract::<Vec<f64>>(py)?));
        }
        let call = object.getattr(py, intern!(py, "call"))?;
        let rays = object.getattr(py, intern!(py, "rays"))?.extract(py)?;
        Ok(Box::into_raw(Box::new(Instance { class, object, call, rays })).cast())
    });
    // SAFETY: the host passes places for the handle and the fault.
    unsafe { settle(made.map(|made| handle.write(made)), fault) }
}

/// Returns the value of a parameter.
fn parameter<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the host passes valid values during the call of `create`.
    let (text, items) = unsafe { (value.text.as_str(), value.items.as_slice()) };
    Ok(match value.tag {
        value_tag::NONE => py.None().into_bound(py),
        value_tag::BOOL => (value.number != 0.0).into_pyobject(py)?.to_owned().into_any(),
        value_tag::TEXT => text.into_pyobject(py)?.into_any(),
        value_tag::ITEMS => {
            let items = items.iter().map(|item| parameter(py, item));
            items.collect::<PyResult<Vec<_>>>()?.into_pyobject(py)?.into_any()
        }
        _ => value.number.into_pyobject(py)?.into_any(),
    })
}

/// Returns a handle with the numbers that compiled functions read. Their count comes before the first one.
fn numbers(values: &[f64]) -> *mut c_void {
    let all: Box<[f64]> =
        std::iter::once(values.len() as f64).chain(values.iter().copied()).collect();
    // SAFETY: the numbers begin behind the count.
    unsafe { Box::into_raw(all).cast::<f64>().add(1).cast() }
}

/// Destroys the numbers of a compiled model.
pub unsafe extern "C" fn destroy_numbers(handle: *mut c_void) {
    // SAFETY: `numbers` has made the handle, and the host destroys it once.
    unsafe {
        let start = handle.cast::<f64>().sub(1);
        let count = start.read() as usize + 1;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)));
    }
}

/// Destroys an instance that Python calls.
pub unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    let Instance { object, call, .. } = *unsafe { Box::from_raw(handle.cast::<Instance>()) };
    release(call);
    release(object);
}

/// Gives an object back, unless the interpreter has ended, and its objects with it.
pub(super) fn release(object: Py<PyAny>) {
    let mut object = Some(object);
    let _ = Python::try_attach(|_| drop(object.take()));
    std::mem::forget(object);
}

/// Calls Python, and returns a fault in place of an exception or a panic.
pub(super) fn guarded<R>(
    code: u32,
    act: impl FnOnce(Python<'_>) -> PyResult<R>,
) -> Result<R, Box<Fault>> {
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
pub(super) fn uninterrupted<R>(py: Python<'_>, act: impl Fn() -> PyResult<R>) -> PyResult<R> {
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
pub(super) unsafe fn settle(outcome: Result<(), Box<Fault>>, to: *mut Fault) -> u32 {
    let Err(fault) = outcome else { return fault_code::NONE };
    let code = fault.code;
    // SAFETY: promised by the caller.
    unsafe { to.write(*fault) };
    code
}
