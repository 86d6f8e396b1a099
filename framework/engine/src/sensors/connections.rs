//! Connections of sensors to the inputs of models that read them.

use std::collections::VecDeque;

use simhost_abi::Scope;
use simhost_sdk::Random;
use simhost_world::{SensorUse, World};
use smallvec::SmallVec;

use super::Sensors;
use super::delivery::{Delivery, Late};
use super::group::SensorGroup;
use crate::clock::Clock;
use crate::model::{ModelError, incomplete};
use crate::table::Table;

/// Turns the key of a sample's stream into that of its latency.
const LATENCY_STREAM: u64 = 0x1A7E_5EED_0000_0001;

/// Tolerance by which a time can be short of an arrival, s.
const TOLERANCE: f64 = 1e-9;

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
        for (vehicle, &to) in world.vehicles.iter().zip(places) {
            for reading in vehicle.readings.iter() {
                let before = &vehicle.sensors[..reading.sensor];
                let number = first + before.iter().filter(|one| one.gives_readings()).count();
                let (group, sensor) = of_sensors[number];
                let group = &mut self.groups[group];
                let Some(target) =
                    tables[to.0].blueprint.sensor_inputs.target(reading.reader, reading.input)
                else {
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
                let output = (group.read.outputs()[reading.output], port.scope);
                let late = VecDeque::new();
                group.deliveries.push(Delivery { sensor, output, to, target, late });
            }
            first += vehicle.sensors.iter().filter(|one| SensorUse::gives_readings(one)).count();
        }
        Ok(())
    }

    /// Copies the samples of the last step to the inputs of models. `clock` is that of the sample. A
    /// sensor whose model has faulted keeps its last reading.
    pub fn deliver(&mut self, tables: &mut [Table], clock: &Clock) {
        for group in &mut self.groups {
            group.deliver(tables, clock.time());
            group.deliver_late(tables, clock.time());
        }
    }
}

impl SensorGroup {
    fn deliver(&mut self, tables: &mut [Table], time: f64) {
        if !self.is_fresh() {
            return;
        }
        let mut sample: SmallVec<[f64; 64]> = SmallVec::new();
        let is_late = self.is_late();
        for Delivery { sensor, output: (column, scope), to: (table, lane), target, late } in
            &mut self.deliveries
        {
            if !self.members[*sensor].is_disabled() && !self.effects.is_silent(*sensor) {
                if is_late {
                    let [latency, jitter] = self.latency;
                    let mut random = Random::new(self.streams[*sensor] ^ LATENCY_STREAM);
                    let due = time + latency + jitter * random.uniform();
                    // no sample overtakes another one
                    let due = late.back().map_or(due, |before| due.max(before.due));
                    let values = self.columns.get(*column);
                    let places = self.read.shape().places(*scope, *sensor);
                    let sample = places.map(|place| values[place]).collect();
                    late.push_back(Late { due, taken: time, sample });
                    continue;
                }
                let values = self.columns.get(*column);
                let places = self.read.shape().places(*scope, *sensor);
                let to = &mut tables[*table].vehicles.columns;
                if Scope::from_u32(*scope) == Scope::Wheel {
                    sample.clear();
                    sample.extend(places.map(|place| values[place]));
                    target.put(to, *lane, &sample, time);
                } else {
                    let count = places.len();
                    target.put(to, *lane, &values[*sensor * count..][..count], time);
                }
            }
        }
    }

    /// Delivers the samples whose latency has passed.
    fn deliver_late(&mut self, tables: &mut [Table], time: f64) {
        for Delivery { to: (table, lane), target, late, .. } in &mut self.deliveries {
            while let Some(sample) = late.pop_front_if(|one| one.due <= time + TOLERANCE) {
                let columns = &mut tables[*table].vehicles.columns;
                target.put(columns, *lane, &sample.sample, sample.taken);
            }
        }
    }

    /// Returns whether samples arrive after a latency.
    pub fn is_late(&self) -> bool {
        self.latency != [0.0; 2]
    }

    /// Returns whether a sample arrives by the time of `clock`.
    pub fn has_arrival(&self, clock: &Clock) -> bool {
        let mut first = self.deliveries.iter().filter_map(|delivery| delivery.late.front());
        first.any(|late| late.due <= clock.time() + TOLERANCE)
    }
}
