//! Instances of FMUs as the memories of lanes.

use std::ffi::c_void;

use simhost_abi::{Fault, INTERPRETED_ABILITY, MEMORY_ABILITY, MemoryTable, Slice, Str, WriteFn};

use crate::calls::{Handle, named, settle};
use crate::lane::Memory;

static TABLE: MemoryTable =
    MemoryTable { size: size_of::<MemoryTable>() as u32, reserved: 0, create, destroy, save, load };

/// Returns the table of memories. Functions of FMUs allocate, like interpreted ones.
pub(crate) unsafe extern "C" fn ability(id: Str) -> *const c_void {
    // SAFETY: the host passes a valid text.
    match unsafe { id.as_str() } {
        MEMORY_ABILITY | INTERPRETED_ABILITY => std::ptr::from_ref(&TABLE).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn create(
    handle: *const c_void,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`.
    let handle = unsafe { &*handle.cast::<Handle>() };
    let lane = handle.imported.fmu.lane(&handle.values);
    let made = lane.and_then(|lane| Memory::new(lane, &handle.imported.shape.kept));
    // SAFETY: the host passes places for the memory and the fault.
    unsafe { keep(handle, made, memory, fault) }
}

/// Hands an instance over to the host, or writes a fault that names the FMU.
///
/// # Safety
/// `memory` and `fault` are places for a memory and a fault.
unsafe fn keep(
    handle: &Handle,
    made: Result<Memory, String>,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    let kept = made.map(|made| unsafe { memory.write(Box::into_raw(Box::new(made)).cast()) });
    // SAFETY: as above.
    unsafe { settle(kept.map_err(|text| named(handle, &text)), fault) }
}

unsafe extern "C" fn destroy(memory: *mut c_void) {
    // SAFETY: `create` or `load` has made the memory, and the host destroys it once.
    drop(unsafe { Box::from_raw(memory.cast::<Memory>()) });
}

unsafe extern "C" fn save(
    memory: *const c_void,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above; the host does not use the memory at the same time.
    let instance = unsafe { &mut *memory.cast_mut().cast::<Memory>() };
    let outcome = instance.lane.save().map(|bytes| {
        // SAFETY: the sink is that of the host.
        unsafe { write(sink, bytes.as_ptr(), bytes.len()) };
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(outcome, fault) }
}

unsafe extern "C" fn load(
    handle: *const c_void,
    _schema: u32,
    bytes: Slice<u8>,
    memory: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`, and bytes that live during the call.
    let (handle, bytes) = unsafe { (&*handle.cast::<Handle>(), bytes.as_slice()) };
    let lane = handle.imported.fmu.lane(&handle.values);
    let made = lane.and_then(|mut lane| {
        lane.restore(bytes)?;
        Memory::new(lane, &handle.imported.shape.kept)
    });
    // SAFETY: the host passes places for the memory and the fault.
    unsafe { keep(handle, made, memory, fault) }
}
