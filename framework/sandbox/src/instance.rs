//! Instances of models in modules.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use simhost_abi::{Fault, Value, WheelGeometry, fault_code};

use crate::engine::{CallContext, Export, Plain, bytes_of, read_items};
use crate::frame::Frame;
use crate::model::ModuleModel;
use crate::runner::{Runner, out_of_memory};
use crate::values;

// SAFETY: numbers without padding, the same in a module.
unsafe impl Plain for WheelGeometry {}

/// An instance of a model in a separate module instance. Calls of several threads run one after the other.
pub(crate) struct ModuleInstance {
    pub model: &'static ModuleModel,
    /// Handle in the memory of the module.
    pub handle: u32,
    state: Mutex<InstanceState>,
}

/// The module instance of a model's instance, and the columns of its calls.
pub(crate) struct InstanceState {
    pub runner: Runner,
    /// Frame of the last call of each phase.
    pub frames: Vec<Frame>,
}

impl ModuleInstance {
    /// Creates an instance.
    ///
    /// # Errors
    /// The fault of the model.
    ///
    /// # Safety
    /// The values are those that a host passes to `create`.
    pub unsafe fn new(model: &'static ModuleModel, values: &[Value]) -> Result<Self, Fault> {
        let refused = |reason: String| Fault::new(fault_code::REFUSED, &reason);
        let mut runner = Runner::new(&*model.code).map_err(refused)?;
        // SAFETY: promised by the caller.
        let length = unsafe { values::encode(values, 0) }.len();
        let arguments = runner.arguments(length)?;
        // SAFETY: promised by the caller.
        let bytes = unsafe { values::encode(values, arguments.rest) };
        runner.write(arguments.rest, &bytes)?;
        let call = [
            model.addresses.model,
            arguments.rest,
            values.len() as u32,
            arguments.pointer,
            arguments.fault,
        ];
        let handle = runner.created(Export::Create, &call, arguments)?;
        let frames = model.phases.iter().map(|phase| Frame::new(phase, &model.states)).collect();
        let state = Mutex::new(InstanceState { runner, frames });
        Ok(Self { model, handle, state })
    }

    /// Returns the module instance. Waits for the calls of other threads.
    pub fn lock(&self) -> MutexGuard<'_, InstanceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places wheels.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), Fault> {
        let runner = &mut self.lock().runner;
        let arguments = runner.arguments(size_of_val(wheels))?;
        runner.write(arguments.rest, bytes_of(wheels))?;
        let count = wheels.len() as u32;
        let call =
            [self.model.addresses.model, self.handle, arguments.rest, count, arguments.fault];
        let code = runner.call(Export::Arrange, &call, &CallContext::NONE)?;
        runner.checked(code, arguments.fault)?;
        let placed = read_items(&mut *runner.guest, arguments.rest, wheels.len());
        wheels.copy_from_slice(&placed.map_err(|_| out_of_memory())?);
        Ok(())
    }

    /// Returns the number of rays; more than any sensor can have if the module fails.
    pub fn capacity(&self) -> usize {
        let call = [self.model.addresses.model, self.handle];
        let outcome = self.lock().runner.call(Export::Capacity, &call, &CallContext::NONE);
        outcome.map_or(usize::MAX, |rays| rays as usize)
    }
}

/// Returns the instance of a handle.
///
/// # Safety
/// The handle came from `create` and lives.
pub(crate) unsafe fn instance<'h>(handle: *const c_void) -> &'h ModuleInstance {
    // SAFETY: promised by the caller.
    unsafe { &*handle.cast::<ModuleInstance>() }
}
