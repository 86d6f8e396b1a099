//! Models that are classes of Python.
//!
//! The functions of the boundary do not know the class of a model, so there is one `create` per class. A handle is an
//! instance of the class, which Python calls with arrays of all lanes; the arrays are copies, which the model may keep.
//! A compiled class has functions of its own for the phases, and its handle is the values of its parameters.

mod columns;
mod instances;
mod observer;
mod ports;

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use simhost_abi::{Batch, CallFn, Fault, Slice, Str, Value, WheelGeometry, fault_code};
use simhost_model::{NumberedFunctions, NumberedModels};
use simhost_registry::{DeclaredFunctions, LaneRole, ModelDeclaration, PhaseShape};

use crate::errors::raise;
use crate::runs;
use columns::Bits;
use instances::{
    CLASSES, Class, Instance, create_of, destroy, destroy_numbers, guarded, settle, uninterrupted,
};

pub use ports::{Random, host_ports};

/// Turns the key of the random numbers of a sample in `read` into that in `aim`, as in the SDK.
const AIM_STREAM: u64 = 0xA1A1_5EED_0000_0001;

/// Functions of the classes by their numbers.
type ClassFunctions = NumberedFunctions<PythonClasses>;

/// The classes of a process.
struct PythonClasses;

impl NumberedModels for PythonClasses {
    unsafe fn create(
        number: usize,
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host passes valid values and places during the call.
        unsafe { create_of(number, values, handle, fault) }
    }

    unsafe fn ability(_: usize, id: Str) -> *const c_void {
        // SAFETY: promised by the caller.
        unsafe { observer::ability(id) }
    }
}

/// Adds a class, which is declared in JSON, to the models of all worlds that are opened from now on. `make` returns an object
/// for the values of parameters, with the methods `call`, which gets the index of a phase, arrays
/// of inputs and of states, and the other values of a step, and returns arrays of outputs and of
/// states; `arrange` for dynamics classes; and the methods of observers. If the class is compiled,
/// it returns the numbers that its functions read.
#[pyfunction]
pub fn add_model(described: &str, make: Py<PyAny>) -> PyResult<()> {
    let refused = |text: String| raise("ModelError", text);
    let described = ModelDeclaration::from_json(described.as_bytes()).map_err(refused)?;
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let (create, ability) = ClassFunctions::get(classes.len()).ok_or_else(|| {
        let count = ClassFunctions::COUNT;
        refused(format!("there are {count} models in Python; a process can declare no more"))
    })?;
    let (phases, states) = (described.shapes(), described.state_scopes());
    let (is_whole, is_compiled) = (described.is_whole(), !described.compiled.is_empty());
    // SAFETY: these are addresses of functions of the boundary that are never freed.
    let compiled = described.compiled.iter().map(|address| unsafe {
        std::mem::transmute::<*const (), CallFn>(std::ptr::with_exposed_provenance(*address))
    });
    let compiled: Vec<CallFn> = compiled.collect();
    let plugin = described.plugin(&DeclaredFunctions {
        create,
        destroy: if is_compiled { destroy_numbers } else { destroy },
        calls: if is_compiled { &compiled } else { &CALL },
        arrange,
        capacity,
        ability,
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
    let known = unsafe { find_failed_calls(instance, PHASE, batch) };
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
            keep(instance, PHASE, batch, fault);
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
        LaneRole::Points => &Batch { first: 0, count: 1, ..*batch },
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
        let of_aim = if *lanes == LaneRole::Aiming { AIM_STREAM } else { 0 };
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
    if *lanes != LaneRole::Points {
        columns::check(batch, &class.states, &states)?;
    }
    if !writes {
        return Ok(());
    }
    // SAFETY: as above; the columns of a call overlap neither each other nor the arrays of Python.
    unsafe {
        columns::write(batch, batch.outputs, outputs, &results)?;
        match lanes {
            LaneRole::Points => Ok(()),
            _ => columns::write(batch, batch.states, &class.states, &states),
        }
    }
}

/// Number of failed calls that are kept. A model that always raises does so again when the host repeats its call.
const MOST: usize = 16;

static FAILED: Mutex<Vec<(Arguments, Fault)>> = Mutex::new(Vec::new());
/// Whether there are failed calls.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);
/// The period of calls from Python in which they have failed.
static PERIOD: AtomicUsize = AtomicUsize::new(0);

/// The arguments of a call for one lane, or for all lanes of a model whose lanes depend on each other.
///
/// The host takes several steps at once. If a model faults, it returns to the first of them, and takes them one by one. An
/// exception that a model raises only once would then be lost. So a call with the same arguments as a failed one has the same
/// fault, until the call from Python has ended.
struct Arguments {
    /// Address of the class.
    class: usize,
    phase: usize,
    /// Address of the list of columns, and lane.
    place: (usize, usize),
    /// Time and step.
    times: [u64; 2],
    stream: Option<u64>,
    inputs: Vec<Bits>,
    states: Vec<Bits>,
}

impl Arguments {
    /// Gathers the arguments of a call.
    ///
    /// # Safety
    /// The batch is one of the host, with lanes of it.
    unsafe fn of(instance: &Instance, phase: usize, batch: &Batch) -> Self {
        let Class { phases, states, .. } = instance.class;
        let PhaseShape { inputs, lanes, .. } = &phases[phase];
        let own = match lanes {
            LaneRole::Points => &Batch { first: 0, count: 1, ..*batch },
            _ => batch,
        };
        // SAFETY: promised by the caller.
        unsafe {
            Self {
                class: std::ptr::from_ref(instance.class).addr(),
                phase,
                place: (batch.outputs.addr(), batch.first),
                times: [batch.time.to_bits(), batch.dt.to_bits()],
                stream: (!batch.streams.is_null()).then(|| *batch.streams.add(batch.first)),
                inputs: columns::bits(batch, batch.inputs, inputs),
                states: columns::bits(own, batch.states.cast(), states),
            }
        }
    }

    /// Returns whether other arguments are the same: of the same lane, or of a copy with other columns, to which a member of an
    /// ensemble goes. A parameter that is equal in all lanes has no column in some calls.
    fn are(&self, other: &Self) -> bool {
        let agree = |own: &[Bits], other: &[Bits]| {
            own.iter().zip(other).all(|(own, other)| match (own, other) {
                (Some(own), Some(other)) => own == other,
                _ => true,
            })
        };
        (self.class, self.phase, self.times, self.stream)
            == (other.class, other.phase, other.times, other.stream)
            && (self.place == other.place || self.place.0 != other.place.0)
            && agree(&self.inputs, &other.inputs)
            && agree(&self.states, &other.states)
    }
}

/// Returns the part of a call in which a lane is: all lanes if they depend on each other.
fn part(instance: &Instance, batch: &Batch, lane: usize) -> Batch {
    match instance.class.is_whole {
        true => *batch,
        false => Batch { first: lane, count: 1, ..*batch },
    }
}

/// Keeps the fault of a call.
///
/// # Safety
/// The batch is one of the host, whose faulted lane has the states before the call.
unsafe fn keep(instance: &Instance, phase: usize, batch: &Batch, fault: &Fault) {
    // SAFETY: promised by the caller.
    let arguments =
        unsafe { Arguments::of(instance, phase, &part(instance, batch, fault.lane as usize)) };
    let mut failed = failed();
    let period = runs::period();
    if PERIOD.swap(period, Ordering::SeqCst) != period {
        failed.clear();
    }
    if failed.iter().any(|(known, _)| known.are(&arguments)) {
        return;
    }
    if failed.len() == MOST {
        failed.remove(0);
    }
    failed.push((arguments, *fault));
    HAS_FAILED.store(true, Ordering::SeqCst);
}

/// Returns the fault of the first lane of a call that has failed with these arguments.
///
/// # Safety
/// The batch is one of the host.
unsafe fn find_failed_calls(instance: &Instance, phase: usize, batch: &Batch) -> Option<Fault> {
    if !HAS_FAILED.load(Ordering::SeqCst) || PERIOD.load(Ordering::SeqCst) != runs::period() {
        return None;
    }
    let count = if instance.class.is_whole { 1 } else { batch.count };
    let failed = failed();
    let class = std::ptr::from_ref(instance.class).addr();
    let times = [batch.time.to_bits(), batch.dt.to_bits()];
    if !failed
        .iter()
        .any(|(known, _)| (known.class, known.phase, known.times) == (class, phase, times))
    {
        return None;
    }
    (batch.first..batch.first + count).find_map(|lane| {
        // SAFETY: promised by the caller.
        let arguments = unsafe { Arguments::of(instance, phase, &part(instance, batch, lane)) };
        let (_, fault) = failed.iter().find(|(known, _)| known.are(&arguments))?;
        Some(Fault { lane: lane as u64, ..*fault })
    })
}

fn failed() -> MutexGuard<'static, Vec<(Arguments, Fault)>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
}
