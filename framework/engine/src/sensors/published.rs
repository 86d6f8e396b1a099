//! Outputs of actuators that sensors read.
//!
//! A sample sees what the actuators of the vehicle have published in the step that has just ended. In turn, an actuator
//! sees the last sample before its step, so that actuators and sensors can read each other.

use simhost_abi::Kind;
use simhost_world::ActuatorReading;
use smallvec::SmallVec;

use crate::columns::{Column, Columns};
use crate::table::{SensorInputs, SensorTarget, Table};

/// An input of a sensor that reads actuators of its vehicle.
#[derive(Clone)]
pub(super) struct Published {
    target: SensorTarget,
    /// Columns of the table of the vehicle.
    sources: Vec<Column>,
}

impl Published {
    /// Finds the columns of the inputs of a sensor in its group and in the table of its vehicle.
    pub fn all(readings: &[&ActuatorReading], reads: &SensorInputs, table: &Table) -> Vec<Self> {
        let find = |one: &&ActuatorReading| {
            let target = reads.target((Kind::Sensor, 0), one.input)?;
            let places = one.sources.iter();
            let columns =
                places.map(|(actuator, output)| table.actuator_output(*actuator, *output));
            Some(Self { target, sources: columns.collect::<Option<_>>()? })
        };
        readings.iter().filter_map(find).collect()
    }

    /// Returns the columns of the table from which the input is copied.
    pub fn sources(&self) -> impl Iterator<Item = Column> {
        self.sources.iter().copied()
    }

    /// Copies the present values of the vehicle in a lane of its table to a sensor in a lane of its group at
    /// `time`, s. The actuators of a disabled vehicle give 0.
    pub fn copy(&self, table: &Table, lane: usize, to: &mut Columns, sensor: usize, time: f64) {
        let vehicles = &table.vehicles;
        let count = vehicles.lanes.len();
        let is_disabled = vehicles.lanes[lane].disabled;
        let mut values: SmallVec<[f64; 8]> = SmallVec::new();
        for column in &self.sources {
            // one value per vehicle, or per wheel of a vehicle
            let places = (0..column.len() / count).map(|part| part * count + lane);
            let value = |place| if is_disabled { 0.0 } else { vehicles.value(*column, place) };
            values.extend(places.map(value));
        }
        self.target.put(to, sensor, &values, time);
    }
}
