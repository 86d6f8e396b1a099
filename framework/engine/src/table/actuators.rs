//! Actuators as quantities and in results.

use simhost_abi::StateKind;

use super::actuation::Actuator;
use super::fields::{Field, Fields, Read, state_doc};
use super::models::Models;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::readings::Units;
use crate::result_hash::Items;

impl Fields {
    /// Adds the outputs and states of the actuators.
    pub(super) fn add_actuators(&mut self, models: &Models) {
        for actuator in &models.actuators {
            let Actuator { name, call, by_wheel, unit: port, .. } = actuator;
            let path = |part: &str| format!("actuator/{name}/{part}");
            let mut add = |name: String, unit: &'static str, doc: &'static str, column: Column| {
                let source = call.class().full_name.to_string();
                let (units, read) = (Units::All(unit), Read::Column(column));
                self.found.push(Field {
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
    }
}

impl Models {
    /// Adds the items of the actuators of one vehicle to the result hash.
    pub(super) fn add_results_of_actuators(
        &self,
        vehicles: &Vehicles,
        lane: usize,
        items: &mut Items,
    ) {
        let (count, names) = (vehicles.lanes.len(), &vehicles.wheels.names);
        let owner = &vehicles.lanes[lane].fixed.name;
        for actuator in &self.actuators {
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
}
