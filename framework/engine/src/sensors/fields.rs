//! Readings and states of sensors as quantities.

use simhost_abi::Scope;

use super::{Sensors, group::SensorGroup};
use crate::columns::Column;
use crate::model::Call;
use crate::readings::Units;
use crate::table::state_doc;

/// A quantity of a sensor.
pub(crate) struct SensorField {
    /// Name of the output or of the state slot.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class.
    pub source: String,
    /// Number of values; `None` for one that is not an array.
    pub len: Option<usize>,
    /// Place of the values.
    pub place: SensorPlace,
}

/// Place of the values of a quantity of a sensor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SensorPlace {
    pub(super) group: usize,
    pub(super) lane: usize,
    pub(super) column: Column,
    pub(super) len: usize,
    pub(super) scope: u32,
    /// Whether it has no value before the first sample.
    pub(super) is_reading: bool,
}

impl Sensors {
    /// Returns group and lane of each sensor, in the order of [`Self::infos`].
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// Returns the phases of a sensor.
    pub fn phases(&mut self, group: usize, _: usize) -> [&mut Call; 2] {
        self.groups[group].phases()
    }

    /// Returns the quantities of a sensor: its readings, then the states of its model.
    pub fn fields(&self, (group, lane): (usize, usize)) -> Vec<SensorField> {
        let read = &self.groups[group].read;
        let class = read.class();
        let field = |name: String, unit, doc, scope, column, is_reading| {
            let len = read.shape().count(scope);
            SensorField {
                name,
                units: Units::All(unit),
                doc,
                source: class.full_name.to_string(),
                len: (Scope::from_u32(scope) != Scope::Instance).then_some(len),
                place: SensorPlace { group, lane, column, len, scope, is_reading },
            }
        };
        let ports = read.phase.outputs().iter().zip(read.outputs());
        let mut fields: Vec<SensorField> = ports
            .map(|(port, column)| {
                field(port.name().to_owned(), port.unit(), port.doc(), port.scope, *column, true)
            })
            .collect();
        for (slot, column) in class.model.states().iter().zip(read.states()) {
            let is_taken = fields.iter().any(|field| field.name == slot.name());
            let prefix = if is_taken { "state_" } else { "" };
            let name = format!("{prefix}{}", slot.name());
            let doc = state_doc(slot);
            fields.push(field(name, slot.unit(), doc, slot.scope, *column, false));
        }
        fields
    }

    /// Appends the values of a quantity: NaN before the first sample and after a fault.
    pub fn read_field(&self, place: &SensorPlace, to: &mut Vec<f64>) {
        let SensorPlace { group, lane, column, len, scope, is_reading } = *place;
        let group = &self.groups[group];
        if is_reading && !group.has_sample(lane) {
            to.extend(std::iter::repeat_n(f64::NAN, len));
            return;
        }
        let values = group.columns.get(column);
        to.extend(group.read.shape().places(scope, lane).map(|place| values[place]));
    }

    /// Returns the values of a reading with one value per ray; `None` before the first sample and after a
    /// fault.
    pub fn column(&self, place: &SensorPlace) -> Option<&[f64]> {
        let SensorPlace { group, lane, column, len, scope, .. } = *place;
        let group = &self.groups[group];
        let is_of_rays = matches!(Scope::from_u32(scope), Scope::Ray | Scope::Array);
        let first = group.read.shape().places(scope, lane).next()?;
        let values = group.columns.get(column).get(first..first + len);
        values.filter(|_| is_of_rays && group.has_sample(lane))
    }
}

impl SensorGroup {
    /// Returns whether a sensor has been sampled and its model has not faulted.
    pub(super) fn has_sample(&self, lane: usize) -> bool {
        self.has_readings() && !self.members[lane].is_disabled()
    }
}
