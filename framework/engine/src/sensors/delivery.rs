//! Samples that are copied to the inputs of models.

use simhost_world::{SensorUse, World};

use super::Sensors;
use super::group::Group;
use crate::clock::Clock;
use crate::columns::Column;
use crate::model::{ModelError, incomplete};
use crate::table::{SensorTarget, Table};

/// An output of a sensor that an input of a model reads.
pub(super) struct Delivery {
    /// Lane of the sensor in its group.
    sensor: usize,
    /// Column of the output, and the number of its values per sensor.
    output: (Column, usize),
    /// Table and lane of the vehicle.
    to: (usize, usize),
    target: SensorTarget,
}

impl Sensors {
    /// Connects the sensors to the inputs of models that read them. The vehicles are in the lanes `places`
    /// of `tables`.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if a sensor has more rays than when the world was read.
    pub(super) fn connect(
        &mut self,
        world: &World,
        tables: &[Table],
        places: &[(usize, usize)],
    ) -> Result<(), ModelError> {
        let of_sensors = self.places();
        // index of the first sensor of the vehicle in `infos`
        let mut first = 0;
        for (vehicle, &to) in world.vehicles.iter().zip(places) {
            for reading in vehicle.readings.iter() {
                let before = &vehicle.sensors[..reading.sensor];
                let number = first + before.iter().filter(|one| one.gives_readings()).count();
                let (group, sensor) = of_sensors[number];
                let group = &mut self.groups[group];
                let Some(target) = tables[to.0].sensor_target(reading.reader, reading.input) else {
                    continue;
                };
                let port = &group.read.phase.outputs()[reading.output];
                let count = group.read.shape().count(port.scope);
                if reading.capacity.is_some_and(|capacity| capacity < count) {
                    let model = &vehicle.sensors[reading.sensor].model;
                    let text =
                        "its number of rays differs between two instances with equal parameters";
                    return Err(incomplete(&model.model, text, model.span));
                }
                let output = (group.read.outputs()[reading.output], count);
                group.deliveries.push(Delivery { sensor, output, to, target });
            }
            first += vehicle.sensors.iter().filter(|one| SensorUse::gives_readings(one)).count();
        }
        Ok(())
    }

    /// Copies the samples of the last step to the inputs of models. `clock` is that of the sample. A
    /// sensor whose model has faulted keeps its last reading.
    pub fn deliver(&self, tables: &mut [Table], clock: &Clock) {
        for group in &self.groups {
            group.deliver(tables, clock.time());
        }
    }
}

impl Group {
    fn deliver(&self, tables: &mut [Table], time: f64) {
        if !self.is_fresh() {
            return;
        }
        for Delivery { sensor, output: (column, count), to: (table, lane), target } in
            &self.deliveries
        {
            if !self.members[*sensor].is_disabled() {
                let sample = &self.columns.get(*column)[sensor * count..][..*count];
                target.put(&mut tables[*table].vehicles.columns, *lane, sample, time);
            }
        }
    }
}
