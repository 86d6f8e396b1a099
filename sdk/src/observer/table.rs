//! The descriptor of an observer and its table of functions.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::path::PathBuf;

use simhost_abi::{
    self as abi, Fault, Kind, Model, OBSERVER_ABILITY, ObserverTable, Str, WriteFn, fault_code,
    model_flag,
};

use super::run::{self, EndReason, RunEnd, RunStart, Sample};
use super::{Flow, Observer, OutputFolder};
use crate::{abilities, descriptor, fault};

/// Builds the descriptor of an observer.
#[doc(hidden)]
pub struct ObserverModel<M>(PhantomData<M>);

/// The memory of a run.
struct Kept<R> {
    run: R,
    folder: OutputFolder,
}

/// Writes a text to a sink of the host.
///
/// # Safety
///
/// Sink and function come from a call by the host.
unsafe fn send(sink: *mut c_void, write: WriteFn, text: &str) {
    // SAFETY: promised by the caller; the bytes live during the call.
    unsafe { write(sink, text.as_ptr(), text.len()) };
}

/// Returns the code of a call, and writes its fault.
fn settle(outcome: Result<Result<(), String>, fault::Caught>, fault: *mut Fault) -> u32 {
    match outcome {
        Ok(Ok(())) => fault_code::NONE,
        Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
        Err(caught) => caught.report(fault, 0),
    }
}

impl<M: Observer> ObserverModel<M> {
    const TABLE: ObserverTable = ObserverTable {
        size: size_of::<ObserverTable>() as u32,
        reserved: 0,
        select: Self::select,
        start: Self::start,
        step: Self::step,
        end: Self::end,
        destroy: Self::destroy,
    };

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: if M::STOPS { model_flag::STOPS } else { 0 },
            ability: Some(Self::find),
            ..descriptor::model::<M>(Kind::Observer, id, version)
        }
    }

    unsafe extern "C" fn find(id: Str) -> *const c_void {
        // SAFETY: the host keeps the text alive during the call.
        match unsafe { id.as_str() } {
            OBSERVER_ABILITY => std::ptr::from_ref(const { &Self::TABLE }).cast(),
            // SAFETY: as above.
            _ => unsafe { abilities::find::<M>(id) },
        }
    }

    unsafe extern "C" fn select(
        model: *const c_void,
        sink: *mut c_void,
        write: WriteFn,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        let selected = fault::contain(|| model.select().join("\n"));
        // SAFETY: sink and function are the host's.
        let selected = selected.map(|text| unsafe { send(sink, write, &text) });
        settle(selected.map(Ok), fault)
    }

    unsafe extern "C" fn start(
        model: *const c_void,
        start: *const abi::RunStart,
        memory: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type, and the host keeps the rest alive.
        let (model, start) = unsafe { (&*model.cast::<M>(), &*start) };
        let begun = fault::contain(|| {
            // SAFETY: as above.
            let (name, path) = unsafe { (start.name.as_str(), start.folder.as_str()) };
            let folder = OutputFolder::new((!path.is_empty()).then(|| PathBuf::from(path)));
            let run = model.start(&RunStart {
                name,
                // SAFETY: as above.
                quantities: unsafe { run::quantities(start.quantities) },
                time: start.time,
                dt: start.dt,
                period: (start.period > 0.0).then_some(start.period),
                seed: start.seed,
                folder: &folder,
            })?;
            Ok(Box::into_raw(Box::new(Kept { run, folder })))
        });
        // SAFETY: the host hands over a place for the memory.
        let begun = begun.map(|kept| kept.map(|kept| unsafe { *memory = kept.cast() }));
        settle(begun, fault)
    }

    unsafe extern "C" fn step(
        model: *const c_void,
        memory: *mut c_void,
        sample: *const abi::Sample,
        stop: *mut u32,
        sink: *mut c_void,
        write: WriteFn,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` and `memory` came from `create` and `start` of this type, and the host makes
        // one call at a time.
        let (model, kept) = unsafe { (&*model.cast::<M>(), &mut *memory.cast::<Kept<M::Run>>()) };
        // SAFETY: the host keeps the sample alive during the call.
        let sample = unsafe { Sample::of(&*sample) };
        let flow = fault::contain(|| model.step(&mut kept.run, &sample));
        let flow = flow.map(|flow| {
            if let Flow::Stop(reason) = flow {
                // SAFETY: flag, sink and function are the host's.
                unsafe {
                    *stop = 1;
                    send(sink, write, &reason);
                }
            }
        });
        settle(flow.map(Ok), fault)
    }

    unsafe extern "C" fn end(
        model: *const c_void,
        memory: *mut c_void,
        end: *const abi::RunEnd,
        sink: *mut c_void,
        write: WriteFn,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: as in `step`.
        let (model, kept) = unsafe { (&*model.cast::<M>(), &mut *memory.cast::<Kept<M::Run>>()) };
        // SAFETY: the host keeps the end of the run alive during the call.
        let end = unsafe { &*end };
        let Kept { run, folder } = kept;
        let ended = fault::contain(|| {
            let end = RunEnd {
                reason: EndReason::from_u32(end.reason),
                // SAFETY: as above.
                text: unsafe { end.text.as_str() },
                // SAFETY: as above.
                last: unsafe { Sample::of(&end.last) },
                folder,
            };
            model.end(run, &end)
        });
        // SAFETY: sink and function are the host's.
        unsafe { send(sink, write, &folder.files()) };
        settle(ended, fault)
    }

    unsafe extern "C" fn destroy(memory: *mut c_void) {
        // SAFETY: the memory came from `start` of this type and is not used again.
        let kept = unsafe { Box::from_raw(memory.cast::<Kept<M::Run>>()) };
        fault::contain_drop(|| drop(kept));
    }
}
