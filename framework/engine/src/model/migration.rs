//! Transfer of states and memories from one version of a model to another.

use simhost_abi::{Fault, MigrateTable, Scope, Slice, StateDesc, Str, fault_code};
use simhost_model::View;
use simhost_model::breadcrumb::Function;

use super::call::Call;
use crate::columns::{Column, Columns};

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
            .zip(call.initial_states(lane))
            .map(|(slot, initial)| {
                let before = old_slots.iter().position(|old| old.name() == slot.name());
                before.map_or(initial, |index| values[index])
            })
            .collect();
        migrate(call, old.schema(), &names, &values, &mut new).map_err(rejected)?;
        for (column, value) in call.states().iter().zip(new) {
            columns.get_mut(*column)[lane] = value;
        }
        copy_lists(call, columns, old, old_columns, lane, old_lane);
        if let (Some(memories), Some(bytes)) = (call.memories(), old.saved_memory(old_lane)) {
            let loaded = memories.load(lane, old.schema(), &bytes);
            loaded.map_err(|fault| rejected(fault.message()))?;
        }
    }
    Ok(())
}

/// Copies the slots with several values per lane, if both models have as many.
fn copy_lists(
    call: &Call,
    columns: &mut Columns,
    old: &Call,
    old_columns: &Columns,
    lane: usize,
    old_lane: usize,
) {
    let old_slots = old.class().model.states().iter().zip(old.states());
    for (slot, column) in call.class().model.states().iter().zip(call.states()) {
        let same = |(before, _): &(&'static View<StateDesc>, &Column)| {
            before.name() == slot.name() && before.scope == slot.scope
        };
        let Some((before, from)) = old_slots.clone().find(same) else { continue };
        let values = old.shape().of_lane(before.scope, old_columns.get(*from), old_lane);
        let places = call.shape().places(slot.scope, lane);
        if Scope::from_u32(slot.scope) != Scope::Instance && places.len() == values.len() {
            let column = columns.get_mut(*column);
            places.zip(values).for_each(|(place, value)| column[place] = value);
        }
    }
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
        unsafe {
            (table.migrate)(call.instance().handle(), schema, names, values, slots, &raw mut fault)
        }
    });
    if code == fault_code::NONE { Ok(()) } else { Err(fault.message()) }
}
