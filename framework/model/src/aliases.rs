//! Further names of a class.

use simhost_abi::{ALIASES_ABILITY, AliasesTable, Str};

use crate::breadcrumb::{Function, Functions};
use crate::classes::ModelRef;

/// Returns the further names of a class in world files, or none if its table of aliases is absent or
/// shorter than it should be.
pub fn aliases(class: &ModelRef) -> Vec<&'static str> {
    let Some(find) = class.model.ability else { return Vec::new() };
    // SAFETY: the id lives during the call.
    let call = || unsafe { find(Str::borrowed(ALIASES_ABILITY)) };
    let table = Functions::of(class).call(Function::Ability, call).cast::<AliasesTable>();
    if table.is_null() || !table.is_aligned() {
        return Vec::new();
    }
    // SAFETY: the size is the first field of every table.
    let size = unsafe { table.cast::<u32>().read() } as usize;
    if size < size_of::<AliasesTable>() {
        return Vec::new();
    }
    // SAFETY: for this id a model returns this table, whose size was checked; it is static data.
    let names = unsafe { (*table).names };
    class.model.texts(names).collect()
}
