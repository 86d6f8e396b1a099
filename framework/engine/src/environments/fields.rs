//! States and published outputs of environments as quantities.

use super::Environments;
use crate::columns::Column;
use crate::table::state_doc;

/// A quantity of an environment.
pub(crate) struct EnvironmentField {
    /// Name of the environment, a slash, and the name of the output or of the state slot.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class.
    pub source: String,
    /// Place of the value.
    pub place: EnvironmentPlace,
}

/// Place of the value of a quantity of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnvironmentPlace {
    environment: usize,
    column: Column,
}

impl Environments {
    /// Returns the quantities of all environments: published outputs, then states.
    pub fn fields(&self) -> Vec<EnvironmentField> {
        let mut fields: Vec<EnvironmentField> = Vec::new();
        for (environment, model) in self.models.iter().enumerate() {
            let update = model.stateful();
            let class = update.class();
            let ports = update.phase.outputs().iter().zip(model.published());
            let ports = ports.map(|(port, column)| (port.name(), port.unit(), port.doc(), column));
            let slots = class.model.states().iter().zip(update.states());
            let slots =
                slots.map(|(slot, column)| (slot.name(), slot.unit(), state_doc(slot), column));
            for (own, unit, doc, column) in ports.chain(slots) {
                let mut name = format!("{}/{own}", model.name);
                if fields.iter().any(|field| field.name == name) {
                    name = format!("{}/state_{own}", model.name);
                }
                let (source, column) = (class.full_name.to_string(), *column);
                let place = EnvironmentPlace { environment, column };
                fields.push(EnvironmentField { name, unit, doc, source, place });
            }
        }
        fields
    }

    /// Returns the value of a quantity.
    pub fn read_field(&self, place: &EnvironmentPlace) -> f64 {
        self.models[place.environment].columns.get(place.column)[0]
    }
}
