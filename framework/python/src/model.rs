//! Models that are classes of Python.
//!
//! The functions of the boundary do not know the class of a model, so there is one `create` per class. A handle is an
//! instance of the class, which Python calls with arrays of all lanes; the arrays are copies, which the model may keep.
//! A compiled class has functions of its own for the phases, and its handle is the values of its parameters.

mod columns;
mod declaration;
mod descriptor;
mod failed_calls;
mod guard;
mod instances;
mod observer;
mod ports;

use std::ffi::c_void;
use std::sync::PoisonError;

use numpy::PyReadonlyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use simhost_abi::{Batch, CallFn, Fault, WheelGeometry, fault_code};

use crate::errors::raise;
use crate::runs;
use declaration::{Lanes, ModelDeclaration, PhaseShape};
use descriptor::Functions;
use guard::{guarded, settle, uninterrupted};
use instances::{CLASSES, CREATE, Class, Instance, SIDE, destroy, destroy_numbers};
pub use ports::{Random, host_ports};

/// Turns the key of the random numbers of a sample in `read` into that in `aim`, as in the SDK.
const AIM_STREAM: u64 = 0xA1A1_5EED_0000_0001;

/// Adds a class to the models of all worlds that are opened from now on. `make` returns an object
/// for the values of parameters, with the methods `call`, which gets the index of a phase, arrays
/// of inputs and of states, and the other values of a step, and returns arrays of outputs and of
/// states; `arrange` for dynamics classes; and the methods of observers. If the class is compiled,
/// it returns the numbers that its functions read.
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

/// The functions of the phases of a model.
static CALL: [CallFn; 4] = [call::<0>, call::<1>, call::<2>, call::<3>];

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
    // SAFETY: as above.
    let known = unsafe { failed_calls::find(instance, PHASE, batch) };
    let called = match known {
        // the lanes before are to be complete
        Some(fault) => {
            let before = Batch { count: fault.lane as usize - batch.first, ..*batch };
            attempt(instance, PHASE, &before).and_then(|()| Err(Box::new(fault)))
        }
        None => attempt(instance, PHASE, batch),
    };
    // SAFETY: as above, and the host passes a place for the fault.
    unsafe {
        if let Err(fault) = &called
            && !runs::is_noted()
        {
            failed_calls::keep(instance, PHASE, batch, fault);
        }
        settle(called, fault)
    }
}

/// Calls a phase. Returns a fault with the first lane that fails on its own; the lanes before it
/// are complete.
fn attempt(instance: &Instance, phase: usize, batch: &Batch) -> Result<(), Box<Fault>> {
    if batch.count == 0 {
        return Ok(());
    }
    let run = |batch: &Batch, writes: bool| {
        guarded(fault_code::PANIC, |py| {
            uninterrupted(py, || run(py, instance, phase, batch, writes))
        })
    };
    run(batch, true).map_err(|error| {
        let mut lanes = batch.first..batch.first + batch.count;
        if instance.class.is_whole || batch.count < 2 {
            return Box::new(Fault { lane: batch.first as u64, ..*error });
        }
        let alone = lanes.find_map(|lane| {
            let error = run(&Batch { first: lane, count: 1, ..*batch }, false).err()?;
            let before = Batch { count: lane - batch.first, ..*batch };
            let is_complete = before.count == 0 || run(&before, true).is_ok();
            is_complete.then(|| Box::new(Fault { lane: lane as u64, ..*error }))
        });
        alone.unwrap_or_else(|| Box::new(Fault { lane: batch.first as u64, ..*error }))
    })
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
