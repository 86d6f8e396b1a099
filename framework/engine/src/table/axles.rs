//! Suspensions as quantities and in results.

use super::fields::{Field, Fields, Read, state_doc};
use super::models::Models;
use super::suspension::GuidedAxle;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::readings::Units;
use crate::result_hash::Items;

impl Fields {
    /// Adds the outputs and states of the suspensions.
    pub(super) fn add_suspensions(&mut self, models: &Models) {
        for GuidedAxle { axle, call } in &models.suspensions {
            let source = call.class().full_name.to_string();
            let mut add = |name: &str, unit: &'static str, doc: &'static str, column: Column| {
                self.found.push(Field {
                    name: format!("suspension/{axle}/{name}"),
                    units: Units::All(unit),
                    doc,
                    source: source.clone(),
                    of_wheel: false,
                    wheel: None,
                    read: Read::Column(column),
                });
            };
            for (output, column) in call.phase.outputs().iter().zip(call.outputs()) {
                add(output.name(), output.unit(), output.doc(), *column);
            }
            for (slot, column) in call.class().model.states().iter().zip(call.states()) {
                add(&format!("state_{}", slot.name()), slot.unit(), state_doc(slot), *column);
            }
        }
    }
}

impl Models {
    /// Adds the states of the suspensions of one vehicle to the result hash.
    pub(super) fn add_results_of_suspensions(
        &self,
        vehicles: &Vehicles,
        lane: usize,
        items: &mut Items,
    ) {
        let owner = &vehicles.lanes[lane].fixed.name;
        for GuidedAxle { axle, call } in &self.suspensions {
            let label = format!("vehicle/{owner}/suspension/{axle}/state");
            items.add_states(&label, call, &vehicles.columns, lane);
        }
    }
}
