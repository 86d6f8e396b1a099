//! Observers in Python: the table of their functions.

use std::ffi::c_void;

use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use simhost_abi::{
    Fault, INTERPRETED_ABILITY, OBSERVER_ABILITY, ObserverTable, RunEnd, RunStart, Sample, Str,
    WriteFn, end_reason, fault_code,
};

use super::instances::{Instance, guarded, release, settle};
use crate::runs;

static TABLE: ObserverTable = ObserverTable {
    size: size_of::<ObserverTable>() as u32,
    reserved: 0,
    select,
    start,
    step,
    end,
    destroy,
};

/// Returns the table of an observer, and that calls are interpreted.
pub unsafe extern "C" fn ability(id: Str) -> *const c_void {
    // SAFETY: the host keeps the text alive during the call.
    match unsafe { id.as_str() } {
        OBSERVER_ABILITY | INTERPRETED_ABILITY => std::ptr::from_ref(&TABLE).cast(),
        _ => std::ptr::null(),
    }
}

/// Writes lines to a sink of the host.
///
/// # Safety
/// Sink and function come from a call by the host.
unsafe fn send(sink: *mut c_void, write: WriteFn, lines: &[String]) {
    let text = lines.join("\n");
    // SAFETY: promised by the caller; the bytes live during the call.
    unsafe { write(sink, text.as_ptr(), text.len()) };
}

/// Returns number, time and values of a sample.
fn sampled<'py>(py: Python<'py>, sample: &Sample) -> (u64, f64, Bound<'py, PyArray1<f64>>) {
    // SAFETY: the host keeps the values alive during the call.
    let values = unsafe { sample.values.as_slice() };
    (sample.step, sample.time, PyArray1::from_slice(py, values))
}

unsafe extern "C" fn select(
    handle: *const c_void,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: `create` has made the handle.
    let instance = unsafe { &*handle.cast::<Instance>() };
    let selected = guarded(fault_code::REFUSED, |py| {
        instance.object.call_method0(py, intern!(py, "select"))?.extract::<Vec<String>>(py)
    });
    // SAFETY: sink, function and fault are the host's.
    unsafe { settle(selected.map(|patterns| send(sink, write, &patterns)), fault) }
}

unsafe extern "C" fn start(
    handle: *const c_void,
    start: *const RunStart,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: `create` has made the handle, and the host keeps the rest alive.
    let (instance, start) = unsafe { (&*handle.cast::<Instance>(), &*start) };
    let begun = guarded(fault_code::REFUSED, |py| {
        // SAFETY: the host keeps the texts and lists alive during the call.
        let (name, folder, quantities) = unsafe {
            let text = |text: &Str| text.as_str().to_owned();
            let of_all = start.quantities.as_slice().iter().map(|one| {
                let units: Vec<String> = one.units.as_slice().iter().map(text).collect();
                (text(&one.name), units, one.first)
            });
            (text(&start.name), text(&start.folder), of_all.collect::<Vec<_>>())
        };
        let folder = (!folder.is_empty()).then_some(folder);
        let times = (start.time, start.dt, start.period, start.seed);
        let arguments = (name, quantities, folder, times);
        instance.object.call_method1(py, intern!(py, "start"), arguments)
    });
    // SAFETY: the host hands over places for the memory and the fault.
    unsafe { settle(begun.map(|run| memory.write(Box::into_raw(Box::new(run)).cast())), fault) }
}

unsafe extern "C" fn step(
    handle: *const c_void,
    memory: *mut c_void,
    sample: *const Sample,
    stop: *mut u32,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: `create` and `start` have made handle and memory, and the host keeps the rest alive.
    let (instance, run, sample) =
        unsafe { (&*handle.cast::<Instance>(), &*memory.cast::<Py<PyAny>>(), &*sample) };
    let flow = guarded(fault_code::PANIC, |py| {
        let (number, time, values) = sampled(py, sample);
        let arguments = (run, number, time, values);
        let called = instance.object.call_method1(py, intern!(py, "step"), arguments);
        // an interrupt ends the run after this step, and not the observer
        let reason =
            called.or_else(|error| runs::note(py, error).map_or_else(|| Ok(py.None()), Err))?;
        reason.extract::<Option<String>>(py)
    });
    let flow = flow.map(|reason| {
        if let Some(reason) = reason {
            // SAFETY: flag, sink and function are the host's.
            unsafe {
                stop.write(1);
                send(sink, write, &[reason]);
            }
        }
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(flow, fault) }
}

unsafe extern "C" fn end(
    handle: *const c_void,
    memory: *mut c_void,
    end: *const RunEnd,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as in `step`.
    let (instance, run, end) =
        unsafe { (&*handle.cast::<Instance>(), &*memory.cast::<Py<PyAny>>(), &*end) };
    let ended = guarded(fault_code::REFUSED, |py| {
        let reason = match end.reason {
            end_reason::DURATION => "duration",
            end_reason::STOP => "stop",
            end_reason::FAULT => "fault",
            end_reason::INTERRUPT => "interrupt",
            end_reason::REPLACED => "replaced",
            _ => "",
        };
        // SAFETY: the host keeps the text alive during the call.
        let text = unsafe { end.text.as_str() }.to_owned();
        let arguments = (run, reason, text, sampled(py, &end.last));
        let files = instance.object.call_method1(py, intern!(py, "end"), arguments)?;
        files.extract::<Vec<String>>(py)
    });
    // SAFETY: sink, function and fault are the host's.
    unsafe { settle(ended.map(|files| send(sink, write, &files)), fault) }
}

unsafe extern "C" fn destroy(memory: *mut c_void) {
    // SAFETY: `start` has made the memory, and the host destroys it once.
    release(*unsafe { Box::from_raw(memory.cast::<Py<PyAny>>()) });
}
