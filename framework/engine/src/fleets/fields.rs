//! Outputs and states of fleets as quantities of their vehicles.

use super::Fleets;
use crate::columns::Column;
use crate::readings::Units;
use crate::table::state_doc;

/// A quantity of a vehicle that its fleet computes.
pub(crate) struct FleetField {
    /// Name of the output or of the state slot.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class.
    pub source: String,
    /// Place of the value.
    pub place: FleetPlace,
}

/// Place of the value of a quantity of a fleet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FleetPlace {
    fleet: usize,
    lane: usize,
    column: Column,
}

impl Fleets {
    /// Returns fleet and lane of each vehicle that is in a fleet; `count` is the number of all vehicles.
    pub fn places(&self, count: usize) -> Vec<Option<(usize, usize)>> {
        let mut places = vec![None; count];
        for (number, fleet) in self.fleets.iter().enumerate() {
            for (lane, vehicle) in fleet.vehicles.iter().enumerate() {
                places[*vehicle] = Some((number, lane));
            }
        }
        places
    }

    /// Returns the quantities of a vehicle: the outputs of the model, then its states.
    pub fn fields(&self, (fleet, lane): (usize, usize)) -> Vec<FleetField> {
        let call = &self.fleets[fleet].call;
        let class = call.class();
        let field = |name: String, unit, doc, column| FleetField {
            name,
            units: Units::All(unit),
            doc,
            source: class.full_name.to_string(),
            place: FleetPlace { fleet, lane, column },
        };
        let ports = call.phase.outputs().iter().zip(call.outputs());
        let mut fields: Vec<FleetField> = ports
            .map(|(port, column)| field(port.name().to_owned(), port.unit(), port.doc(), *column))
            .collect();
        for (slot, column) in class.model.states().iter().zip(call.states()) {
            let is_taken = fields.iter().any(|field| field.name == slot.name());
            let prefix = if is_taken { "state_" } else { "" };
            let name = format!("{prefix}{}", slot.name());
            fields.push(field(name, slot.unit(), state_doc(slot), *column));
        }
        fields
    }

    /// Returns the present value of a quantity.
    #[inline]
    pub fn value(&self, place: &FleetPlace) -> f64 {
        let FleetPlace { fleet, lane, column } = *place;
        self.fleets[fleet].columns.get(column)[lane]
    }
}
