//! Functions of the boundary for models in modules.
//!
//! The handle of an instance is a [`ModuleInstance`], and the memory of a lane a [`LaneMemory`]. A function that gets neither
//! exists once per model.

use std::ffi::c_void;
use std::ptr::{self, addr_of_mut};
use std::sync::Arc;

use simhost_abi::{
    AbilityFn, Batch, CallFn, CreateFn, Fault, Model, Plugin, Slice, Str, Value, WheelGeometry,
};
use simhost_model::{NumberedFunctions, NumberedModels};

use crate::instance::{ModuleInstance, instance};
use crate::model::ModelAddresses;
use crate::runner::settle;
use crate::{abilities, calls, model};

/// Models of modules, by their numbers.
pub(crate) struct ModuleModels;

/// Functions of models by their numbers.
pub(crate) type Functions = NumberedFunctions<ModuleModels>;

/// Functions of phases by their index in the descriptor.
pub(crate) const CALLS: [CallFn; 16] = [
    call::<0>, call::<1>, call::<2>, call::<3>, call::<4>, call::<5>, call::<6>, call::<7>,
    call::<8>, call::<9>, call::<10>, call::<11>, call::<12>, call::<13>, call::<14>, call::<15>,
];

/// Sets the functions of the models of a plugin. The first one has the number `first`.
///
/// # Errors
/// If the process has too many models, or a model too many phases.
///
/// # Safety
/// All other fields of the models have been written, and nothing else refers to them or their phases. The addresses belong to
/// them.
pub(crate) unsafe fn set(
    plugin: &Plugin,
    first: usize,
    addresses: &[ModelAddresses],
) -> Result<(), String> {
    // SAFETY: the list has been copied.
    let models = unsafe { plugin.models.as_slice() };
    for ((model, own), number) in models.iter().zip(addresses).zip(first..) {
        if own.phases.len() > CALLS.len() {
            let (found, most) = (own.phases.len(), CALLS.len());
            return Err(format!("a model has {found} phases, expected at most {most}"));
        }
        let (create, ability) = Functions::get(number).ok_or_else(|| {
            let most = Functions::COUNT;
            format!("the process has {number} models from modules, expected at most {most}")
        })?;
        // SAFETY: promised by the caller; there are enough functions.
        unsafe { set_model(model.cast_mut(), own, create, ability) };
    }
    Ok(())
}

/// # Safety
/// As for [`set`]; [`CALLS`] has a function for each phase.
unsafe fn set_model(model: *mut Model, own: &ModelAddresses, create: CreateFn, ability: AbilityFn) {
    // SAFETY: promised by the caller; a missing function is null.
    unsafe {
        addr_of_mut!((*model).create).write(create);
        addr_of_mut!((*model).destroy).write(destroy);
        addr_of_mut!((*model).ability).write(Some(ability));
        addr_of_mut!((*model).arrange).write(if own.arranges { Some(arrange) } else { None });
        addr_of_mut!((*model).capacity).write(if own.has_capacity { Some(capacity) } else { None });
        let phases = addr_of_mut!((*model).phases).read();
        for (index, call) in CALLS.iter().enumerate().take(phases.len) {
            addr_of_mut!((*phases.data.cast_mut().add(index)).call).write(*call);
        }
    }
}

impl NumberedModels for ModuleModels {
    unsafe fn create(
        number: usize,
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host passes values that live during the call, and places for the handle and the fault.
        unsafe {
            let made = ModuleInstance::new(model::model(number), values.as_slice());
            let made =
                made.map(|made| handle.write(Arc::into_raw(Arc::new(made)).cast_mut().cast()));
            settle(made, fault)
        }
    }

    unsafe fn ability(number: usize, id: Str) -> *const c_void {
        // SAFETY: the host keeps the text alive.
        let id = unsafe { id.as_str() };
        abilities::find(&model::model(number).tables, id).unwrap_or(ptr::null())
    }
}

unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    drop(unsafe { Arc::from_raw(handle.cast_const().cast::<ModuleInstance>()) });
}

unsafe extern "C" fn arrange(
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`, this number of wheels, and a place for the fault.
    unsafe {
        let wheels = match count {
            0 => &mut [],
            count => std::slice::from_raw_parts_mut(wheels, count),
        };
        settle(instance(handle).arrange(wheels), fault)
    }
}

unsafe extern "C" fn capacity(handle: *const c_void) -> usize {
    // SAFETY: the host passes a handle of `create`.
    unsafe { instance(handle) }.capacity()
}

unsafe extern "C" fn call<const PHASE: usize>(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`, a batch that is valid during the call, and a place for the fault.
    unsafe { settle(calls::call(instance(handle), PHASE, &*batch), fault) }
}
