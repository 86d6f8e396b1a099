//! Connections of sensors to the inputs of models that read them.

use std::collections::VecDeque;

use simhost_abi::Kind;
use simhost_world::{ReadingUse, SensorReading, Vehicle, World};

use super::Sensors;
use super::delivery::{Delivery, Recipient};
use super::recipients::Recipients;
use crate::clock::Clock;
use crate::model::{ModelError, incomplete};
use crate::table::{SensorTarget, Table};

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
        let of_sensors = self.places().to_vec();
        // index of the first sensor of the vehicle in `infos`
        let mut first = 0;
        for (vehicle, &(table, lane)) in world.vehicles.iter().zip(places) {
            let place = |sensor: usize| {
                <[usize; 2]>::from(of_sensors[first + count_with_readings(vehicle, sensor)])
            };
            let inputs = &tables[table].blueprint.sensor_inputs;
            for reading in vehicle.readings.iter() {
                let reader = (reading.reader, reading.number);
                if let Some(target) = inputs.target(reader, reading.input) {
                    let to = Recipient::Vehicle(table, lane);
                    self.add_delivery(vehicle, reading, place(reading.sensor), to, target)?;
                }
            }
            let known = |one: &&SensorReading| vehicle.sensors[one.reader].gives_readings();
            for one in vehicle.sensor_readings.iter().filter(known) {
                let reading = &one.reading;
                let [group, lane] = place(one.reader);
                let reads = &self.groups[group].reads;
                if let Some(target) = reads.target((Kind::Sensor, 0), reading.input) {
                    let to = Recipient::Sensor(group, lane);
                    self.add_delivery(vehicle, reading, place(reading.sensor), to, target)?;
                }
            }
            first += count_with_readings(vehicle, vehicle.sensors.len());
        }
        Ok(())
    }

    /// Connects a sensor, by its group and lane, to the columns of an input.
    fn add_delivery(
        &mut self,
        vehicle: &Vehicle,
        reading: &ReadingUse,
        [group, sensor]: [usize; 2],
        to: Recipient,
        target: SensorTarget,
    ) -> Result<(), ModelError> {
        let group = &mut self.groups[group];
        let port = &group.read.phase.outputs()[reading.output];
        let count = group.read.shape().count(port.scope);
        if reading.capacity.is_some_and(|capacity| capacity < count) {
            let model = &vehicle.sensors[reading.sensor].model;
            let text = "its number of rays differs between two instances with equal parameters";
            return Err(incomplete(&model.model, text, model.span));
        }
        let output = (group.read.outputs()[reading.output], port.scope);
        let late = VecDeque::new();
        group.deliveries.push(Delivery { sensor, output, to, target, late });
        Ok(())
    }

    /// Copies the samples of the last step to the inputs of the models of vehicles. `clock` is the clock of the sample. A
    /// sensor whose model has faulted keeps its last reading.
    pub fn deliver(&mut self, tables: &mut [Table], clock: &Clock) {
        for group in &mut self.groups {
            group.deliver_all(&mut Recipients::Vehicles(tables), clock.time());
        }
    }
}

/// Returns the number of the first `count` sensors of a vehicle that give readings.
fn count_with_readings(vehicle: &Vehicle, count: usize) -> usize {
    vehicle.sensors[..count].iter().filter(|one| one.gives_readings()).count()
}
