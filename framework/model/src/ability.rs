//! Looking up the tables that a model returns for string ids.

use simhost_abi::{Model, Str};

use crate::breadcrumb::{Function, Functions};
use crate::view::View;

/// Returns the table with this id, or `None` if the model does not have it.
///
/// # Errors
/// A description of the defect if the table is misaligned or too short.
///
/// # Safety
/// A model returns a static `T` for this id, and the first field of `T` is its size as a `u32`.
pub unsafe fn find<T: 'static>(
    model: &'static View<Model>,
    functions: &'static Functions,
    id: &str,
) -> Result<Option<&'static T>, String> {
    let Some(find) = model.ability else { return Ok(None) };
    // SAFETY: the id lives during the call.
    let found = functions.call(Function::Ability, || unsafe { find(Str::borrowed(id)) });
    if found.is_null() {
        return Ok(None);
    }
    if !found.cast::<T>().is_aligned() {
        return Err(format!("its table `{id}` is at the misaligned address {found:p}"));
    }
    // SAFETY: the size is the first field, as promised by the caller.
    let size = unsafe { found.cast::<u32>().read() } as usize;
    if size < size_of::<T>() {
        let expected = size_of::<T>();
        return Err(format!(
            "its table `{id}` has a `size` of {size} bytes, expected {expected} (sizeof the struct)"
        ));
    }
    // SAFETY: promised by the caller; the size was checked.
    Ok(Some(unsafe { &*found.cast::<T>() }))
}
