//! What the functions of both versions have in common: checks, panics, lists and texts.

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use crate::instance::Instance;
use crate::logger::{Logger, Status};
use crate::simulator::Failure;
use crate::state::InstanceState;
use crate::values::ParameterValue;

/// Calls `act` with an instance, and reports its failure to the importer.
///
/// # Safety
/// The pointer is null, or points to an instance that has not been freed.
pub unsafe fn call(
    instance: *mut Instance,
    act: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> i32 {
    // SAFETY: as for this function.
    let Some(instance) = (unsafe { instance.as_mut() }) else { return Status::Error as i32 };
    let failure = match catch_unwind(AssertUnwindSafe(|| act(instance))) {
        Ok(Ok(())) => return Status::Ok as i32,
        Ok(Err(failure)) => failure,
        Err(_) => Failure { status: Status::Fatal, text: "the library has panicked".to_owned() },
    };
    instance.logger.report(failure.status, &failure.text);
    failure.status as i32
}

/// Returns a new instance, or null after a report.
///
/// # Safety
/// The texts are null or end with a zero byte.
pub unsafe fn instantiate(
    token: *const c_char,
    location: *const c_char,
    is_exchange: bool,
    logger: Logger,
) -> *mut Instance {
    // SAFETY: as for this function.
    let (token, location) = unsafe { (text(token), text(location)) };
    let made =
        catch_unwind(AssertUnwindSafe(|| Instance::new(&token, &location, is_exchange, logger)));
    match made {
        Ok(Ok(instance)) => Box::into_raw(Box::new(instance)),
        Ok(Err((logger, failure))) => {
            logger.report(failure.status, &failure.text);
            null_mut()
        }
        Err(_) => null_mut(),
    }
}

/// Frees an instance.
///
/// # Safety
/// As [`call`].
pub unsafe fn free(instance: *mut Instance) {
    if !instance.is_null() {
        // SAFETY: `instantiate` has created it as a box.
        let instance = unsafe { Box::from_raw(instance) };
        drop(catch_unwind(AssertUnwindSafe(|| drop(instance))));
    }
}

/// Returns a text; an empty one for null.
///
/// # Safety
/// The pointer is null, or points to a text that ends with a zero byte.
pub unsafe fn text(from: *const c_char) -> String {
    match from.is_null() {
        true => String::new(),
        // SAFETY: as for this function.
        false => unsafe { CStr::from_ptr(from) }.to_string_lossy().into_owned(),
    }
}

/// Returns a list.
///
/// # Safety
/// The pointer is null, or points to `count` values.
pub unsafe fn list<'l, T>(from: *const T, count: usize) -> Result<&'l [T], Failure> {
    match (from.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::error("a list is null")),
        // SAFETY: as for this function.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(from, count) }),
    }
}

/// Writes a value.
///
/// # Safety
/// The pointer is null or can be written.
pub unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Failure> {
    if to.is_null() {
        return Err(Failure::error("an address is null"));
    }
    // SAFETY: as for this function.
    unsafe { to.write(value) };
    Ok(())
}

/// Writes bytes to a buffer.
///
/// # Safety
/// The pointer is null, or points to `size` bytes.
pub unsafe fn fill(to: *mut u8, size: usize, bytes: &[u8]) -> Result<(), Failure> {
    if to.is_null() || size < bytes.len() {
        let text = format!("the buffer is null or has {size} bytes; expected {}", bytes.len());
        return Err(Failure::error(text));
    }
    // SAFETY: there is space for them.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    Ok(())
}

/// Writes numbers to a list of their count.
///
/// # Safety
/// The pointer is null, or points to `count` numbers.
pub unsafe fn fill_numbers(to: *mut f64, count: usize, numbers: &[f64]) -> Result<(), Failure> {
    if numbers.len() != count {
        let text = format!("the list has {count} numbers; expected {}", numbers.len());
        return Err(Failure::error(text));
    }
    for (place, number) in numbers.iter().enumerate() {
        // SAFETY: there is space for them, unless the pointer is null.
        unsafe { put(if to.is_null() { to } else { to.add(place) }, *number)? };
    }
    Ok(())
}

/// A derivative of unknowns with respect to knowns, with a direction or weights.
pub type Derivative = fn(&mut Instance, &[u32], &[u32], &[f64]) -> Result<Vec<f64>, Failure>;

/// A list of an importer.
pub struct ForeignList<P> {
    /// Its first item, or null.
    pub start: P,
    pub count: usize,
}

/// Returns a list of an importer.
pub const fn listed<P>(start: P, count: usize) -> ForeignList<P> {
    ForeignList { start, count }
}

/// Computes a derivative with the lists of an importer, and writes its results.
///
/// # Safety
/// The lists are null or have these lengths.
pub unsafe fn differentiate(
    instance: &mut Instance,
    derivative: Derivative,
    [unknowns, knowns]: [ForeignList<*const u32>; 2],
    seed: ForeignList<*const f64>,
    results: ForeignList<*mut f64>,
) -> Result<(), Failure> {
    // SAFETY: promised by the caller, also below.
    let unknowns = unsafe { list(unknowns.start, unknowns.count)? };
    // SAFETY: as above.
    let knowns = unsafe { list(knowns.start, knowns.count)? };
    // SAFETY: as above.
    let seed = unsafe { list(seed.start, seed.count)? };
    let found = derivative(instance, unknowns, knowns, seed)?;
    // SAFETY: as above.
    unsafe { fill_numbers(results.start, results.count, &found) }
}

/// Writes a value for each reference.
///
/// # Safety
/// As [`call`]; the lists are null or have `count` values.
pub unsafe fn get<T>(
    instance: *mut Instance,
    references: *const u32,
    count: usize,
    to: *mut T,
    value: impl Fn(&mut Instance, u32) -> Result<T, Failure>,
) -> i32 {
    let act = |instance: &mut Instance| {
        // SAFETY: as for this function, also below.
        for (place, reference) in unsafe { list(references, count)? }.iter().enumerate() {
            let value = value(instance, *reference)?;
            // SAFETY: as above.
            unsafe { put(if to.is_null() { to } else { to.add(place) }, value)? };
        }
        Ok(())
    };
    // SAFETY: as for this function.
    unsafe { call(instance, act) }
}

/// Sets a value for each reference.
///
/// # Safety
/// As [`get`].
pub unsafe fn set<T: Copy>(
    instance: *mut Instance,
    references: *const u32,
    count: usize,
    from: *const T,
    set: impl Fn(&mut Instance, u32, T) -> Result<(), Failure>,
) -> i32 {
    let act = |instance: &mut Instance| {
        // SAFETY: as for this function.
        let (references, values) = unsafe { (list(references, count)?, list(from, count)?) };
        references.iter().zip(values).try_for_each(|(one, value)| set(instance, *one, *value))
    };
    // SAFETY: as for this function.
    unsafe { call(instance, act) }
}

/// Sets a text.
pub fn set_text(
    instance: &mut Instance,
    reference: u32,
    value: *const c_char,
) -> Result<(), Failure> {
    // SAFETY: the standards require a text that ends with a zero byte.
    let value = CString::new(unsafe { text(value) }).unwrap_or_default();
    instance.set_other(reference, ParameterValue::Text(value))
}

/// Writes a state to a new allocation, or replaces a state that the importer has from an earlier call.
///
/// # Safety
/// The pointer is null, or points to null or to a pointer to a state.
pub unsafe fn keep(to: *mut *mut c_void, state: InstanceState) -> Result<(), Failure> {
    // SAFETY: as for this function, also below.
    match unsafe { to.as_ref().and_then(|known| known.cast::<InstanceState>().as_mut()) } {
        Some(known) => {
            *known = state;
            Ok(())
        }
        // SAFETY: as above.
        None => unsafe { put(to, Box::into_raw(Box::new(state)).cast()) },
    }
}

/// Returns a state.
///
/// # Safety
/// The pointer is null, or points to a state.
pub unsafe fn known<'s>(state: *mut c_void) -> Result<&'s InstanceState, Failure> {
    // SAFETY: as for this function.
    let state = unsafe { state.cast::<InstanceState>().as_ref() };
    state.ok_or_else(|| Failure::error("the state is null"))
}

/// Frees a state, and sets the pointer to null.
///
/// # Safety
/// As [`keep`].
pub unsafe fn free_state(state: *mut *mut c_void) -> i32 {
    // SAFETY: as for this function.
    if let Some(state) = unsafe { state.as_mut() }
        && !state.is_null()
    {
        // SAFETY: `keep` or a deserialisation has created it as a box.
        drop(unsafe { Box::from_raw(state.cast::<InstanceState>()) });
        *state = null_mut();
    }
    Status::Ok as i32
}
