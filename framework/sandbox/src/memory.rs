//! Memories of lanes, which are in the module instance of the model's instance that created them.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use simhost_abi::{Batch, Fault, MemoryTable, Slice, WriteFn};

use crate::engine::{CallContext, Export, GuestSink};
use crate::instance::{ModuleInstance, instance};
use crate::runner::settle;

/// The memory of a lane.
pub(crate) struct LaneMemory {
    /// The module instance that has it lives as long as the memory.
    instance: Arc<ModuleInstance>,
    /// Address in the memory of the module.
    pub at: u32,
}

/// The functions of models with memory.
pub(crate) const TABLE: MemoryTable =
    MemoryTable { size: size_of::<MemoryTable>() as u32, reserved: 0, create, destroy, save, load };

impl LaneMemory {
    /// Returns whether the memories of all lanes of a batch are in the module instance of `instance`; so are none.
    ///
    /// # Safety
    /// The memories of the batch came from [`TABLE`].
    pub unsafe fn are_of(batch: &Batch, instance: &ModuleInstance) -> bool {
        batch.memories.is_null()
            || (batch.first..batch.first + batch.count)
                // SAFETY: promised by the caller.
                .all(|lane| ptr::eq(unsafe { Self::instance(batch, lane) }, instance))
    }

    /// Returns the instance that has the memory of a lane.
    ///
    /// # Safety
    /// As for [`Self::are_of`]; the batch has memories.
    pub unsafe fn instance(batch: &Batch, lane: usize) -> &ModuleInstance {
        // SAFETY: promised by the caller.
        unsafe { &Self::of_lane(batch, lane).instance }
    }

    /// Returns the memory of a lane.
    ///
    /// # Safety
    /// As for [`Self::instance`].
    pub unsafe fn of_lane(batch: &Batch, lane: usize) -> &Self {
        // SAFETY: promised by the caller.
        unsafe { &*(*batch.memories.add(lane)).cast::<Self>() }
    }
}

/// Returns a new reference to the instance of a handle.
///
/// # Safety
/// The handle came from `create` and lives.
unsafe fn shared(handle: *const c_void) -> Arc<ModuleInstance> {
    let handle = handle.cast::<ModuleInstance>();
    // SAFETY: promised by the caller; the handle is a reference that is counted.
    unsafe {
        Arc::increment_strong_count(handle);
        Arc::from_raw(handle)
    }
}

unsafe extern "C" fn create(
    handle: *const c_void,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create` and places for the memory and the fault.
    unsafe {
        let made = (|| {
            let own = instance(handle);
            let runner = &mut own.lock().runner;
            let arguments = runner.arguments(0)?;
            let call = [own.model.tables.memory, own.handle, arguments.pointer, arguments.fault];
            runner.created(Export::MemoryCreate, &call, arguments)
        })();
        hand_over(made, handle, memory, fault)
    }
}

/// Writes a memory, or the fault, and returns the code.
///
/// # Safety
/// As for [`create`].
unsafe fn hand_over(
    made: Result<u32, Fault>,
    handle: *const c_void,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    unsafe {
        let made = made.map(|at| Box::new(LaneMemory { instance: shared(handle), at }));
        settle(made.map(|made| memory.write(Box::into_raw(made).cast())), fault)
    }
}

unsafe extern "C" fn destroy(memory: *mut c_void) {
    // SAFETY: the memory came from `create` or `load` and is not used again.
    let LaneMemory { instance, at } = *unsafe { Box::from_raw(memory.cast::<LaneMemory>()) };
    // what a failure leaves in the memory of the module is freed with it
    let call = [instance.model.tables.memory, at];
    let _ = instance.lock().runner.call(Export::MemoryDestroy, &call, &CallContext::NONE);
}

unsafe extern "C" fn save(
    memory: *const c_void,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a memory of `create` or `load`, a sink with its function, and a place for the fault.
    unsafe {
        let LaneMemory { instance, at } = &*memory.cast::<LaneMemory>();
        let saved = (|| {
            let runner = &mut instance.lock().runner;
            let arguments = runner.arguments(0)?;
            let call = [instance.model.tables.memory, *at, arguments.fault];
            let context =
                CallContext { sink: Some(GuestSink::Bytes(sink, write)), ..CallContext::NONE };
            let code = runner.call(Export::MemorySave, &call, &context)?;
            runner.checked(code, arguments.fault)
        })();
        settle(saved, fault)
    }
}

unsafe extern "C" fn load(
    handle: *const c_void,
    schema: u32,
    bytes: Slice<u8>,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`, bytes that live during the call, and places for the memory and the fault.
    unsafe {
        let bytes = bytes.as_slice();
        let made = (|| {
            let own = instance(handle);
            let runner = &mut own.lock().runner;
            let arguments = runner.arguments(bytes.len())?;
            runner.write(arguments.rest, bytes)?;
            let call = [
                own.model.tables.memory,
                own.handle,
                schema,
                arguments.rest,
                bytes.len() as u32,
                arguments.pointer,
                arguments.fault,
            ];
            runner.created(Export::MemoryLoad, &call, arguments)
        })();
        hand_over(made, handle, memory, fault)
    }
}
