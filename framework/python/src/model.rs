//! Models that are classes of Python.
//!
//! The functions of the boundary do not know the class of a model, so there is one `create` per class. A handle is an
//! instance of the class, which Python calls with arrays of all lanes; the arrays are copies, which the model may keep.

mod descriptor;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;
use simhost_abi::{Batch, CallFn, CreateFn, Fault, Scope, Slice, Value, fault_code};

use crate::errors::{keep_exception, raise};
use descriptor::ModelDeclaration;

/// Number of classes that a process can declare, as a square.
const SIDE: usize = 16;

/// A class of models.
struct Class {
    /// Makes an instance from the values of parameters, and returns the function that calls it.
    make: Py<PyAny>,
    /// Scopes of the inputs and of the outputs of each phase.
    phases: Vec<[Vec<Scope>; 2]>,
    /// Scopes of the states.
    states: Vec<Scope>,
}

/// An instance of a model.
struct Instance {
    class: &'static Class,
    call: Py<PyAny>,
}

static CLASSES: Mutex<Vec<&'static Class>> = Mutex::new(Vec::new());

/// Adds a class to the models of all worlds that are opened from now on. `make` returns a function for the values of
/// parameters, which is called with the index of a phase, arrays of inputs and of states, time and length of the step, and
/// returns arrays of outputs and of states.
#[pyfunction]
pub fn add_model(described: ModelDeclaration, make: Py<PyAny>) -> PyResult<()> {
    let refused = |text: String| raise("ModelError", text);
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    if classes.len() == SIDE * SIDE {
        return Err(refused(format!(
            "there are {} models in Python; a process can declare no more",
            SIDE * SIDE
        )));
    }
    let create = CREATE[classes.len() / SIDE][classes.len() % SIDE];
    let (phases, states) = (described.scopes(), described.state_scopes());
    let plugin = described.plugin(create, destroy, &CALL).map_err(refused)?;
    // SAFETY: all parts of the descriptor have been leaked.
    unsafe { simhost_registry::add_linked(plugin) }.map_err(refused)?;
    classes.push(Box::leak(Box::new(Class { make, phases, states })));
    Ok(())
}

const fn row<const ROW: usize>() -> [CreateFn; SIDE] {
    [
        create::<ROW, 0>,
        create::<ROW, 1>,
        create::<ROW, 2>,
        create::<ROW, 3>,
        create::<ROW, 4>,
        create::<ROW, 5>,
        create::<ROW, 6>,
        create::<ROW, 7>,
        create::<ROW, 8>,
        create::<ROW, 9>,
        create::<ROW, 10>,
        create::<ROW, 11>,
        create::<ROW, 12>,
        create::<ROW, 13>,
        create::<ROW, 14>,
        create::<ROW, 15>,
    ]
}

static CREATE: [[CreateFn; SIDE]; SIDE] = [
    row::<0>(),
    row::<1>(),
    row::<2>(),
    row::<3>(),
    row::<4>(),
    row::<5>(),
    row::<6>(),
    row::<7>(),
    row::<8>(),
    row::<9>(),
    row::<10>(),
    row::<11>(),
    row::<12>(),
    row::<13>(),
    row::<14>(),
    row::<15>(),
];

/// The functions of the phases of a model.
static CALL: [CallFn; 3] = [call::<0>, call::<1>, call::<2>];

unsafe extern "C" fn create<const ROW: usize, const COLUMN: usize>(
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes valid values and places during the call.
    unsafe { create_of(ROW * SIDE + COLUMN, values, handle, fault) }
}

/// Creates an instance of the class with a number.
///
/// # Safety
/// As of [`CreateFn`].
unsafe fn create_of(
    number: usize,
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    let made = guarded(fault_code::REFUSED, |py| {
        let class = CLASSES.lock().unwrap_or_else(PoisonError::into_inner)[number];
        // SAFETY: the host passes valid values during the call.
        let values = unsafe { values.as_slice() };
        let numbers: Vec<f64> = values.iter().map(|value| value.number).collect();
        let call = class.make.call1(py, (numbers,))?;
        Ok(Box::into_raw(Box::new(Instance { class, call })))
    });
    match made {
        Ok(instance) => {
            // SAFETY: the host passes a place for the handle.
            unsafe { handle.write(instance.cast()) };
            fault_code::NONE
        }
        // SAFETY: the host passes a place for the fault.
        Err(error) => unsafe { report(*error, fault) },
    }
}

unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    let instance = unsafe { Box::from_raw(handle.cast::<Instance>()) };
    let Instance { call, .. } = *instance;
    let mut call = Some(call);
    let _ = Python::try_attach(|_| drop(call.take()));
    // the interpreter has ended, and its objects with it
    std::mem::forget(call);
}

unsafe extern "C" fn call<const PHASE: usize>(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create` and a batch that are valid during the call.
    let (instance, batch) = unsafe { (&*handle.cast::<Instance>(), &*batch) };
    match guarded(fault_code::PANIC, |py| run(py, instance, PHASE, batch)) {
        Ok(()) => fault_code::NONE,
        Err(error) => {
            let error = Fault { lane: batch.first as u64, ..*error };
            // SAFETY: the host passes a place for the fault.
            unsafe { report(error, fault) }
        }
    }
}

/// Calls a phase with copies of the columns, and copies what it returns.
fn run(py: Python<'_>, instance: &Instance, phase: usize, batch: &Batch) -> PyResult<()> {
    let Instance { class, call } = instance;
    let [inputs, outputs] = &class.phases[phase];
    // SAFETY: the host passes as many columns as the descriptor declares, with the lanes and wheels of the batch.
    let (given, states) = unsafe {
        (
            read(py, batch, batch.inputs, inputs)?,
            read(py, batch, batch.states.cast(), &class.states)?,
        )
    };
    let returned = call.call1(py, (phase, given, states, batch.time, batch.dt))?;
    let (results, states): (Vec<PyReadonlyArray1<'_, f64>>, Vec<PyReadonlyArray1<'_, f64>>) =
        returned.extract(py)?;
    // SAFETY: as above; the columns of a call overlap neither each other nor the arrays of Python.
    unsafe {
        write(batch, batch.outputs, outputs, &results)?;
        write(batch, batch.states, &class.states, &states)
    }
}

/// Returns the number of rows of a column: wheels, or one.
fn rows(batch: &Batch, scope: Scope) -> usize {
    if scope == Scope::Wheel { batch.wheels as usize } else { 1 }
}

/// Copies the lanes of columns: an array of one row per wheel, or of the lanes alone.
///
/// # Safety
/// `columns` has a column for each scope, with the lanes of the batch.
unsafe fn read<'py>(
    py: Python<'py>,
    batch: &Batch,
    columns: *const *const f64,
    scopes: &[Scope],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (index, scope) in scopes.iter().enumerate() {
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        let mut values = Vec::with_capacity(rows(batch, *scope) * batch.count);
        for row in 0..rows(batch, *scope) {
            // SAFETY: promised by the caller.
            let lanes = unsafe {
                let first = column.add(row * batch.wheel_stride + batch.first);
                std::slice::from_raw_parts(first, batch.count)
            };
            values.extend_from_slice(lanes);
        }
        let values = PyArray1::from_vec(py, values);
        match scope {
            Scope::Wheel => {
                let shape = [rows(batch, *scope), batch.count];
                let values: Bound<'py, PyArray2<f64>> = values.reshape(shape)?;
                list.append(values)?;
            }
            _ => list.append(values)?,
        }
    }
    Ok(list)
}

/// Copies arrays to the lanes of columns.
///
/// # Safety
/// As of [`read`].
unsafe fn write(
    batch: &Batch,
    columns: *const *mut f64,
    scopes: &[Scope],
    arrays: &[PyReadonlyArray1<'_, f64>],
) -> PyResult<()> {
    for (index, (scope, array)) in scopes.iter().zip(arrays).enumerate() {
        let values = array.as_slice()?;
        let expected = rows(batch, *scope) * batch.count;
        if values.len() != expected {
            let text = format!("column {index} has {} values; expected {expected}", values.len());
            return Err(raise("ShapeError", text));
        }
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        for (row, lanes) in values.chunks_exact(batch.count.max(1)).enumerate() {
            // SAFETY: promised by the caller.
            unsafe {
                let first = column.add(row * batch.wheel_stride + batch.first);
                std::ptr::copy_nonoverlapping(lanes.as_ptr(), first, lanes.len());
            }
        }
    }
    Ok(())
}

/// Calls Python, and returns a fault in place of an exception or a panic.
fn guarded<R>(code: u32, act: impl FnOnce(Python<'_>) -> PyResult<R>) -> Result<R, Box<Fault>> {
    let called = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| {
            act(py).map_err(|error| {
                let text = described(py, &error);
                keep_exception(error);
                Box::new(Fault::new(code, &text))
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

/// Returns the text of an exception with the place where it was raised.
fn described(py: Python<'_>, error: &PyErr) -> String {
    let shown = py.import("simhost.models").and_then(|module| {
        module.getattr("describe_exception")?.call1((error.value(py),))?.extract::<String>()
    });
    shown.unwrap_or_else(|_| error.to_string())
}

/// Writes a fault, and returns its code.
///
/// # Safety
/// `to` is a place for a fault.
unsafe fn report(fault: Fault, to: *mut Fault) -> u32 {
    let code = fault.code;
    // SAFETY: promised by the caller.
    unsafe { to.write(fault) };
    code
}
