//! Instances of FMUs as the memories of lanes.

use std::ffi::c_void;

use simhost_abi::{Fault, INTERPRETED_ABILITY, MEMORY_ABILITY, MemoryTable, Slice, Str, WriteFn};

use crate::calls::{Handle, named, settle};
use crate::instance::{Clock, FmuInstance};

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
    let made = FmuInstance::new(&handle.imported.fmu, &handle.values);
    // SAFETY: the host passes places for the memory and the fault.
    unsafe { keep(handle, made, memory, fault) }
}

/// Hands an instance over to the host, or writes a fault that names the FMU.
///
/// # Safety
/// `memory` and `fault` are places for a memory and a fault.
unsafe fn keep(
    handle: &Handle,
    made: Result<FmuInstance, String>,
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
    drop(unsafe { Box::from_raw(memory.cast::<FmuInstance>()) });
}

unsafe extern "C" fn save(
    memory: *const c_void,
    sink: *mut c_void,
    write: WriteFn,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: as above; the host does not use the memory at the same time.
    let instance = unsafe { &mut *memory.cast_mut().cast::<FmuInstance>() };
    let outcome = instance.save().map(|state| {
        let mut bytes = head(instance);
        bytes.extend(state);
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
    let made = FmuInstance::new(&handle.imported.fmu, &handle.values).and_then(|mut made| {
        let (clock, state) = after_head(&made, bytes)?;
        made.restore(state)?;
        made.clock = clock;
        Ok(made)
    });
    // SAFETY: the host passes places for the memory and the fault.
    unsafe { keep(handle, made, memory, fault) }
}

/// Returns what comes before the state of the FMU: the length of its token, the token, and the clock.
fn head(instance: &FmuInstance) -> Vec<u8> {
    let token = instance.fmu.description.token.as_bytes();
    let Clock { base, count, step } = instance.clock;
    let mut bytes = (token.len() as u64).to_le_bytes().to_vec();
    bytes.extend(token);
    bytes.extend(base.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(step.to_le_bytes());
    bytes
}

/// Reads [`head`], and returns the rest.
fn after_head<'b>(instance: &FmuInstance, bytes: &'b [u8]) -> Result<(Clock, &'b [u8]), String> {
    let short = || "the saved state of the FMU ends early".to_owned();
    let expected = instance.fmu.description.token.as_bytes();
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (token, rest) = rest.split_at_checked(length).ok_or_else(short)?;
    if token != expected {
        let found = String::from_utf8_lossy(token).into_owned();
        let expected = &instance.fmu.description.token;
        return Err(format!("the saved state is of FMU {found:?}; expected {expected:?}"));
    }
    let (base, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let (count, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let (step, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let clock = Clock {
        base: f64::from_le_bytes(*base),
        count: u64::from_le_bytes(*count),
        step: f64::from_le_bytes(*step),
    };
    Ok((clock, rest))
}
