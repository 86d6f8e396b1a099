//! Further names of a class.

use simhost_abi::{ALIASES_ABILITY, AliasesTable};

use crate::ability;
use crate::breadcrumb::Functions;
use crate::classes::ModelRef;

/// Returns the further names of a class in world files, or none if its table of aliases is absent or
/// shorter than it should be.
pub fn aliases(class: &ModelRef) -> Vec<&'static str> {
    let model = class.model;
    // SAFETY: the id is that of this table, which begins with its size.
    let found = unsafe { ability::find(model, Functions::of(class), ALIASES_ABILITY) };
    let table: Option<&AliasesTable> = found.unwrap_or_default();
    table.map(|table| model.texts(table.names).collect()).unwrap_or_default()
}
