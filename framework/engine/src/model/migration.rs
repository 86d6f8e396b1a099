//! Transfer of states and memories from one version of a model to another.

use simhost_abi::{Fault, MigrateTable, Slice, Str, fault_code};
use simhost_model::breadcrumb::Function;

use super::call::Call;
use crate::columns::Columns;

/// A model rejected the state of its predecessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MigrationError {
    /// Vehicle, with the wheel or sensor where there is one.
    pub entity: String,
    /// Full name of the class.
    pub class: String,
    /// Message of the model.
    pub text: String,
}

/// Copies states and memories of lanes of `old` to lanes of `call`; each pair is (new, old). Slots are
/// matched by name, new slots start with their initial values, and the `migrate` ability of the model
/// adjusts them if the schemas differ. Does nothing if the classes differ.
///
/// # Errors
/// [`MigrationError`] if the model rejects a state or a memory.
pub(crate) fn copy_states(
    call: &Call,
    columns: &mut Columns,
    old: &Call,
    old_columns: &Columns,
    lanes: impl Iterator<Item = (usize, usize)>,
) -> Result<(), MigrationError> {
    if call.class().full_name != old.class().full_name {
        return Ok(());
    }
    let (slots, old_slots) = (call.class().model.states(), old.class().model.states());
    let names: Vec<Str> = old_slots.iter().map(|slot| slot.name).collect();
    for (lane, old_lane) in lanes {
        let rejected = |text: String| MigrationError {
            entity: call.entity(lane).to_string(),
            class: call.class().full_name.to_string(),
            text,
        };
        let values: Vec<f64> =
            old.states().iter().map(|column| old_columns.get(*column)[old_lane]).collect();
        let mut new: Vec<f64> = slots
            .iter()
            .zip(call.initial_states())
            .map(|(slot, initial)| {
                let before = old_slots.iter().position(|old| old.name() == slot.name());
                before.map_or(*initial, |index| values[index])
            })
            .collect();
        migrate(call, old.schema(), &names, &values, &mut new).map_err(rejected)?;
        for (column, value) in call.states().iter().zip(new) {
            columns.get_mut(*column)[lane] = value;
        }
        if let (Some(memories), Some(bytes)) = (call.memories(), old.saved_memory(old_lane)) {
            memories.load(lane, old.schema(), &bytes).map_err(rejected)?;
        }
    }
    Ok(())
}

/// Lets a model adjust slots that were written under another schema.
fn migrate(
    call: &Call,
    schema: u32,
    names: &[Str],
    values: &[f64],
    slots: &mut [f64],
) -> Result<(), String> {
    if schema == call.schema() {
        return Ok(());
    }
    let Some(table) = call.instance().table::<MigrateTable>()? else { return Ok(()) };
    let mut fault = Fault::NONE;
    let code = call.instance().functions().call(Function::Migrate, || {
        let (names, values) = (Slice::borrowed(names), Slice::borrowed(values));
        let slots = slots.as_mut_ptr();
        // SAFETY: handle and table are of one model; names, values and slots live during the call.
        unsafe { (table.migrate)(call.handle(), schema, names, values, slots, &raw mut fault) }
    });
    if code == fault_code::NONE { Ok(()) } else { Err(fault.message()) }
}
