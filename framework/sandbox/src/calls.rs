//! Calls of phases.

use simhost_abi::{Batch, Fault};

use crate::engine::{CallContext, Export};
use crate::instance::{InstanceState, ModuleInstance};
use crate::memory::LaneMemory;
use crate::model::{ModuleModel, PhaseLanes};

/// The part of a call that ended it.
struct Stopped {
    fault: Fault,
    /// Number of lanes from the first one on that are complete, whose results have been copied.
    complete: usize,
    /// Whether the function trapped, so that the lane at fault is not known for certain.
    is_trap: bool,
}

/// Calls a phase for the lanes of a batch. The lanes before the lane at fault are complete.
///
/// # Errors
/// The fault of the model.
///
/// # Safety
/// The batch is valid during the call: its columns belong to the phase and have the lanes, and its memories came from the
/// model.
pub(crate) unsafe fn call(
    instance: &ModuleInstance,
    phase: usize,
    batch: &Batch,
) -> Result<(), Fault> {
    if batch.count == 0 {
        return Ok(());
    }
    let lanes = instance.model.phases[phase].lanes;
    let owners = lanes.owners(batch);
    // SAFETY: promised by the caller.
    unsafe {
        if LaneMemory::are_of(&owners, instance) {
            return call_in(instance, phase, batch);
        }
        if lanes == PhaseLanes::Points {
            return call_in(LaneMemory::instance(&owners, 0), phase, batch);
        }
        // lanes whose memories are in other module instances of the model
        for lane in batch.first..batch.first + batch.count {
            let single = Batch { first: lane, count: 1, ..*batch };
            call_in(LaneMemory::instance(batch, lane), phase, &single)?;
        }
    }
    Ok(())
}

/// Calls a phase for lanes whose memories are in this module instance.
///
/// # Safety
/// As for [`call`].
unsafe fn call_in(instance: &ModuleInstance, phase: usize, batch: &Batch) -> Result<(), Fault> {
    let model = instance.model;
    let state = &mut *instance.lock();
    let has_memory = !batch.memories.is_null() && model.phases[phase].lanes == PhaseLanes::Own;
    // SAFETY: promised by the caller.
    unsafe {
        // a lane must not change its memory twice
        if has_memory && !state.runner.reports_progress() && !model.is_whole() {
            return one_by_one(state, instance, phase, batch, batch.first);
        }
        let Err(stopped) = attempt(state, instance, phase, batch) else { return Ok(()) };
        if !stopped.is_trap || model.is_whole() || batch.count == 1 {
            return Err(stopped.fault);
        }
        let next = batch.first + stopped.complete;
        let alone = one_by_one(state, instance, phase, batch, next);
        // the cause is not in one lane
        alone.and(Err(Fault { lane: next as u64, ..stopped.fault }))
    }
}

/// Calls a phase for the lanes from `first` on, one by one.
///
/// # Safety
/// As for [`call`].
unsafe fn one_by_one(
    state: &mut InstanceState,
    instance: &ModuleInstance,
    phase: usize,
    batch: &Batch,
    first: usize,
) -> Result<(), Fault> {
    for lane in first..batch.first + batch.count {
        let single = Batch { first: lane, count: 1, ..*batch };
        // SAFETY: promised by the caller.
        unsafe { attempt(state, instance, phase, &single) }.map_err(|stopped| stopped.fault)?;
    }
    Ok(())
}

/// Calls a phase once.
///
/// # Safety
/// As for [`call`].
unsafe fn attempt(
    state: &mut InstanceState,
    instance: &ModuleInstance,
    phase: usize,
    batch: &Batch,
) -> Result<(), Stopped> {
    let ModuleModel { states, phases, addresses, .. } = instance.model;
    let own = &phases[phase];
    let InstanceState { runner, frames } = state;
    let early = |fault: Fault| Stopped {
        fault: Fault { lane: batch.first as u64, ..fault },
        complete: 0,
        is_trap: false,
    };
    // SAFETY: promised by the caller.
    unsafe {
        let frame = &mut frames[phase];
        frame.fit(runner, own, states, batch).map_err(early)?;
        let memory = |lane| LaneMemory::of_lane(batch, lane).at;
        frame.load(runner, own, states, batch, memory).map_err(early)?;
        let Batch { services, first, count, .. } = *batch;
        let context = CallContext { services, first, count, sink: None };
        let arguments = [addresses.phases[phase], instance.handle, frame.batch, frame.fault];
        let called = runner.call(Export::Call, &arguments, &context);
        let is_trap = called.is_err();
        let outcome = called.and_then(|code| runner.checked(code, frame.fault));
        let complete = match &outcome {
            Ok(()) => count,
            Err(fault) => (fault.lane as usize).min(count - 1),
        };
        frame.store(runner, own, states, batch, complete).map_err(early)?;
        outcome.map_err(|fault| Stopped {
            fault: Fault { lane: (first + complete) as u64, ..fault },
            complete,
            is_trap,
        })
    }
}
