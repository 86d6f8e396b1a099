//! Actuators as quantities, in results, and in tables that continue others.

use simhost_abi::StateKind;

use super::actuation::Actuator;
use super::fields::{Field, Read, state_doc};
use super::step::Table;
use crate::columns::Column;
use crate::model::{MigrationError, copy_states};
use crate::readings::Units;
use crate::result_hash::Items;

impl Table {
    /// Returns the outputs and states of the actuators as quantities.
    pub(super) fn actuator_fields(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for actuator in &self.models.actuators {
            let Actuator { name, call, by_wheel, unit: port, .. } = actuator;
            let path = |part: &str| format!("actuator/{name}/{part}");
            let mut add = |name: String, unit: &'static str, doc: &'static str, column: Column| {
                let source = call.class().full_name.to_string();
                let (units, read) = (Units::All(unit), Read::Column(column));
                fields.push(Field {
                    name,
                    units,
                    doc,
                    source,
                    of_wheel: *by_wheel,
                    wheel: None,
                    read,
                });
            };
            let mut outputs = call.phase.outputs().iter();
            let fits_every_port = outputs.any(|one| one.name() == "value" && one.unit() == "1");
            let mut taken: Vec<&str> = Vec::new();
            for (output, column) in call.phase.outputs().iter().zip(call.outputs()) {
                let is_value = output.name() == "value";
                let unit = if is_value { *port } else { output.unit() };
                add(path(output.name()), unit, output.doc(), *column);
                taken.push(output.name());
            }
            for (slot, column) in call.class().model.states().iter().zip(call.states()) {
                let path = match taken.contains(&slot.name()) {
                    true => path(&format!("state_{}", slot.name())),
                    false => path(slot.name()),
                };
                // as the command, a number that is not a count or a flag has the unit of the port
                let is_of_port = slot.unit() == "1" && slot.kind() == Some(StateKind::Continuous);
                let unit = if is_of_port && fits_every_port { *port } else { slot.unit() };
                add(path, unit, state_doc(slot), *column);
            }
        }
        fields
    }

    /// Adds the items of the actuators of one vehicle to the result hash.
    pub(super) fn add_actuator_results(&self, lane: usize, items: &mut Items) {
        let vehicles = &self.vehicles;
        let (count, names) = (vehicles.lanes.len(), &vehicles.wheels.names);
        let owner = &vehicles.lanes[lane].name;
        for actuator in &self.models.actuators {
            let Actuator { name, call, by_wheel, .. } = actuator;
            for index in actuator.lanes(lane, count, vehicles.wheels.count) {
                let wheel = match by_wheel {
                    true => format!("/wheel/{}", names[index / count]),
                    false => String::new(),
                };
                let label = format!("vehicle/{owner}{wheel}/actuator/{name}");
                for (output, column) in call.phase.outputs().iter().zip(call.outputs()) {
                    let value = vehicles.value(*column, index);
                    items.add(format!("{label}/read/{}", output.name()), &[value]);
                }
                items.add_states(&format!("{label}/state"), call, &vehicles.columns, index);
            }
        }
    }

    /// Copies the states of the actuators of another table that have the same names.
    ///
    /// # Errors
    /// [`MigrationError`] if an actuator rejects the state of its predecessor.
    pub(super) fn copy_actuators(
        &mut self,
        lane: usize,
        old: &Self,
        old_lane: usize,
    ) -> Result<(), MigrationError> {
        let (count, old_count) = (self.vehicles.lanes.len(), old.vehicles.lanes.len());
        let wheels = self.vehicles.wheels.count;
        for actuator in &self.models.actuators {
            let same = |other: &&Actuator| {
                other.name == actuator.name && other.by_wheel == actuator.by_wheel
            };
            let Some(before) = old.models.actuators.iter().find(same) else { continue };
            let lanes = actuator.lanes(lane, count, wheels);
            let lanes = lanes.zip(before.lanes(old_lane, old_count, wheels));
            let columns = &mut self.vehicles.columns;
            copy_states(&actuator.call, columns, &before.call, &old.vehicles.columns, lanes)?;
        }
        Ok(())
    }
}
