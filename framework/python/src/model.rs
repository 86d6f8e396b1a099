//! Models that are classes of Python.
//!
//! The functions of the boundary do not know the class of a model, so there is one `create` per class. A handle is an
//! instance of the class, which Python calls with arrays of all lanes; the arrays are copies, which the model may keep.
//! A compiled class has functions of its own for the phases, and its handle is the values of its parameters.

mod columns;
mod descriptor;
mod observer;
mod ports;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use simhost_abi::{
    Batch, CallFn, CreateFn, Fault, Scope, Slice, Value, WheelGeometry, fault_code, value_tag,
};

use crate::errors::{keep_exception, raise};
use descriptor::{Functions, Lanes, ModelDeclaration, PhaseShape};
pub use ports::{Random, host_ports};

/// Number of classes that a process can declare, as a square.
const SIDE: usize = 16;
/// Turns the key of the random numbers of a sample in `read` into that in `aim`, as in the SDK.
const AIM_STREAM: u64 = 0xA1A1_5EED_0000_0001;

/// A class of models.
struct Class {
    /// Makes an object from the values of parameters: with methods that are called in place of the functions of the
    /// boundary, or the numbers that compiled functions read.
    make: Py<PyAny>,
    phases: Vec<PhaseShape>,
    /// Scopes of the states.
    states: Vec<Scope>,
    /// Whether the lanes of a call depend on each other.
    is_whole: bool,
    /// Whether the phases are compiled functions.
    is_compiled: bool,
}

/// An instance of a model that Python calls.
struct Instance {
    class: &'static Class,
    object: Py<PyAny>,
    /// Its method that runs a phase.
    call: Py<PyAny>,
    /// Number of rays of a sensor.
    rays: usize,
}

static CLASSES: Mutex<Vec<&'static Class>> = Mutex::new(Vec::new());

/// Adds a class to the models of all worlds that are opened from now on. `make` returns an object for the values of
/// parameters, with the methods `call`, which gets the index of a phase, arrays of inputs and of states, and what else
/// describes a step, and returns arrays of outputs and of states; `arrange` for dynamics classes; and those of observers. If
/// the class is compiled, it returns the numbers that its functions read.
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
    let (phases, states) = (described.shapes(), described.state_scopes());
    let (is_whole, is_compiled) = (described.is_whole(), !described.compiled.is_empty());
    // SAFETY: these are addresses of functions of the boundary that are never freed.
    let compiled = described.compiled.iter().map(|address| unsafe {
        std::mem::transmute::<*const (), CallFn>(std::ptr::with_exposed_provenance(*address))
    });
    let compiled: Vec<CallFn> = compiled.collect();
    let plugin = described.plugin(&Functions {
        create: CREATE[classes.len() / SIDE][classes.len() % SIDE],
        destroy: if is_compiled { destroy_numbers } else { destroy },
        calls: if is_compiled { &compiled } else { &CALL },
        arrange,
        capacity,
        ability: observer::ability,
    });
    // SAFETY: all parts of the descriptor have been leaked.
    unsafe { simhost_registry::add_linked(plugin.map_err(refused)?) }.map_err(refused)?;
    classes.push(Box::leak(Box::new(Class { make, phases, states, is_whole, is_compiled })));
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
static CALL: [CallFn; 4] = [call::<0>, call::<1>, call::<2>, call::<3>];

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

unsafe extern "C" fn destroy_numbers(handle: *mut c_void) {
    // SAFETY: `numbers` has made the handle, and the host destroys it once.
    unsafe {
        let start = handle.cast::<f64>().sub(1);
        let count = start.read() as usize + 1;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)));
    }
}

unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    let Instance { object, call, .. } = *unsafe { Box::from_raw(handle.cast::<Instance>()) };
    release(call);
    release(object);
}

/// Gives an object back, unless the interpreter has ended, and its objects with it.
fn release(object: Py<PyAny>) {
    let mut object = Some(object);
    let _ = Python::try_attach(|_| drop(object.take()));
    std::mem::forget(object);
}

unsafe extern "C" fn capacity(handle: *const c_void) -> usize {
    // SAFETY: `create` has made the handle.
    unsafe { &*handle.cast::<Instance>() }.rays
}

unsafe extern "C" fn arrange(
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: `create` has made the handle, and the host passes this number of wheels.
    let (instance, wheels) =
        unsafe { (&*handle.cast::<Instance>(), std::slice::from_raw_parts_mut(wheels, count)) };
    let arranged = guarded(fault_code::REFUSED, |py| {
        let given = wheels.iter().map(|wheel| [wheel.x, wheel.y, wheel.yaw, wheel.radius]);
        let given: Vec<[f64; 4]> = given.collect();
        let placed = instance.object.call_method1(py, intern!(py, "arrange"), (given,))?;
        placed.extract::<Vec<[f64; 4]>>(py)
    });
    let placed = arranged.map(|placed| {
        for (wheel, [x, y, yaw, radius]) in wheels.iter_mut().zip(placed) {
            *wheel = WheelGeometry { x, y, yaw, radius };
        }
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(placed, fault) }
}

unsafe extern "C" fn call<const PHASE: usize>(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create` and a batch that are valid during the call.
    let (instance, batch) = unsafe { (&*handle.cast::<Instance>(), &*batch) };
    let run = |batch: &Batch, writes: bool| {
        guarded(fault_code::PANIC, |py| run(py, instance, PHASE, batch, writes))
    };
    let called = run(batch, true).map_err(|error| {
        let lanes = batch.first..batch.first + batch.count;
        if instance.class.is_whole || batch.count < 2 {
            return Box::new(Fault { lane: batch.first as u64, ..*error });
        }
        // the first lane that fails on its own is at fault, and those before it are to be complete
        let alone = lanes.clone().find_map(|lane| {
            let error = run(&Batch { first: lane, count: 1, ..*batch }, false).err()?;
            let before = Batch { count: lane - batch.first, ..*batch };
            let is_complete = before.count == 0 || run(&before, true).is_ok();
            is_complete.then(|| Box::new(Fault { lane: lane as u64, ..*error }))
        });
        alone.unwrap_or_else(|| Box::new(Fault { lane: batch.first as u64, ..*error }))
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(called, fault) }
}

/// Calls a phase with copies of the columns, and copies what it returns, if it `writes`.
fn run(
    py: Python<'_>,
    instance: &Instance,
    phase: usize,
    batch: &Batch,
    writes: bool,
) -> PyResult<()> {
    let class = instance.class;
    let PhaseShape { inputs, outputs, lanes } = &class.phases[phase];
    // the states of an environment are those of lane 0
    let own = match lanes {
        Lanes::Points => &Batch { first: 0, count: 1, ..*batch },
        _ => batch,
    };
    // SAFETY: the host passes as many columns as the descriptor declares, with the lanes and wheels of the batch.
    let (given, states) = unsafe {
        (
            columns::read(py, batch, batch.inputs, inputs)?,
            columns::read(py, own, batch.states.cast(), &class.states)?,
        )
    };
    let random = (!batch.streams.is_null()).then(|| {
        let of_aim = if *lanes == Lanes::Aiming { AIM_STREAM } else { 0 };
        // SAFETY: the host passes a key for each lane.
        let keys =
            (0..batch.count).map(|k| unsafe { *batch.streams.add(batch.first + k) ^ of_aim });
        Random::new(keys)
    });
    let size = (batch.count, batch.wheels, batch.rays);
    let arguments = (phase, given, states, size, batch.time, batch.dt, random);
    let returned = instance.call.call1(py, arguments)?;
    let (results, states): (Vec<PyReadonlyArray1<'_, f64>>, Vec<PyReadonlyArray1<'_, f64>>) =
        returned.extract(py)?;
    columns::check(batch, outputs, &results)?;
    if *lanes != Lanes::Points {
        columns::check(batch, &class.states, &states)?;
    }
    if !writes {
        return Ok(());
    }
    // SAFETY: as above; the columns of a call overlap neither each other nor the arrays of Python.
    unsafe {
        columns::write(batch, batch.outputs, outputs, &results)?;
        match lanes {
            Lanes::Points => Ok(()),
            _ => columns::write(batch, batch.states, &class.states, &states),
        }
    }
}

/// Calls Python, and returns a fault in place of an exception or a panic.
fn guarded<R>(code: u32, act: impl FnOnce(Python<'_>) -> PyResult<R>) -> Result<R, Box<Fault>> {
    let called = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| {
            act(py).map_err(|error| {
                let text = described(py, &error);
                let fault = Box::new(Fault::new(code, &text));
                keep_exception(fault.message(), error);
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
unsafe fn settle(outcome: Result<(), Box<Fault>>, to: *mut Fault) -> u32 {
    let Err(fault) = outcome else { return fault_code::NONE };
    let code = fault.code;
    // SAFETY: promised by the caller.
    unsafe { to.write(*fault) };
    code
}
