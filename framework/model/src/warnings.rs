//! Warnings about the parameters of models.

use simhost_abi::{Fault, Slice, WARNINGS_ABILITY, WarningsTable, WheelUse};

use crate::ability;
use crate::breadcrumb::{Function, Functions};
use crate::classes::ModelRef;
use crate::instance::{Instance, Table};
use crate::text::{Text, write};

// SAFETY: the struct is declared so.
unsafe impl Table for WarningsTable {
    const ID: &'static str = WARNINGS_ABILITY;
}

/// Returns whether instances of a class can have warnings.
pub fn warns(class: &ModelRef) -> bool {
    // SAFETY: the id is that of this table, which begins with its size.
    let found = unsafe {
        ability::find::<WarningsTable>(class.model, Functions::of(class), WARNINGS_ABILITY)
    };
    found.is_ok_and(|table| table.is_some())
}

impl Instance {
    /// Returns the warnings of the model about its parameters. `wheels` are those that use a friction model.
    ///
    /// # Errors
    /// The defect if the text is too long or not UTF-8.
    pub fn warnings(&self, wheels: &[WheelUse]) -> Result<Vec<String>, Fault> {
        let Ok(Some(table)) = self.table::<WarningsTable>() else { return Ok(Vec::new()) };
        let mut text = Text::default();
        self.functions().call(Function::Warnings, || {
            let sink = (&raw mut text).cast();
            // SAFETY: the handle is that of the model; wheels and text live during the call.
            unsafe { (table.write)(self.handle(), Slice::borrowed(wheels), sink, write) };
        });
        text.lines()
    }
}
