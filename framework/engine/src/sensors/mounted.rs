//! Sensors of a world on their way into groups.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use simhost_abi::Scope;
use simhost_model::{ParamValue, lanes};
use simhost_world::{ActuatorReading, ReadingUse, SensorReading, SensorUse, Vehicle};

use super::constants::Member;

/// A sensor of a world with its member of a group.
pub(super) struct Mounted<'w> {
    pub sensor: &'w SensorUse,
    pub member: Member,
    /// Length of the longest chain of sensors that read each other and end here; 0 if it reads no other sensor.
    pub level: usize,
    /// Inputs that read other sensors of the vehicle.
    pub readings: Vec<&'w ReadingUse>,
    /// Inputs that read actuators of the vehicle.
    pub published: Vec<&'w ActuatorReading>,
}

impl Mounted<'_> {
    /// Returns a hash that is equal for sensors that can share a group.
    fn hash(&self) -> u64 {
        let sensor = self.sensor;
        let mut hasher = DefaultHasher::new();
        (self.member.wheels, self.level, self.readings.len()).hash(&mut hasher);
        std::ptr::from_ref(sensor.model.model.model).hash(&mut hasher);
        let values = sensor.model.values.iter().zip(sensor.model.model.model.params());
        for (value, _) in values.filter(|(_, param)| !lanes::is_per_lane(param)) {
            value.hash_into(&mut hasher);
        }
        let times = [sensor.period, sensor.latency, sensor.latency_jitter];
        times.map(ParamValue::Number).iter().for_each(|time| time.hash_into(&mut hasher));
        hasher.finish()
    }

    /// Returns whether two sensors can share a group.
    fn can_share(&self, other: &Self) -> bool {
        let (a, b) = (self.sensor, other.sensor);
        std::ptr::eq(a.model.model.model, b.model.model.model)
            && lanes::can_share(a.model.model.model, &a.model.values, &b.model.values)
            && a.period == b.period
            && (a.latency, a.latency_jitter) == (b.latency, b.latency_jitter)
            && (self.member.wheels, self.level) == (other.member.wheels, other.level)
            && self.readings.len() == other.readings.len()
            && self.readings.iter().zip(&other.readings).all(|(one, two)| one.is_like(two))
            && self.published.len() == other.published.len()
            && self.published.iter().zip(&other.published).all(|(one, two)| one.is_like(two))
    }
}

/// Sensors by the groups that they share.
#[derive(Default)]
pub(super) struct Shared<'w> {
    /// The sensors of each group, in the order of the world file.
    pub groups: Vec<Vec<Mounted<'w>>>,
    /// Groups by the hash of what their sensors have in common.
    numbers: HashMap<u64, Vec<usize>>,
    /// Number of pairs of sensors that were compared, for tests.
    pub compared: usize,
}

impl<'w> Shared<'w> {
    /// Adds a sensor to its group.
    pub fn add(&mut self, mounted: Mounted<'w>) {
        let numbers = self.numbers.entry(mounted.hash()).or_default();
        for &number in &*numbers {
            let members = &mut self.groups[number];
            self.compared += 1;
            if members[0].can_share(&mounted) {
                return members.push(mounted);
            }
        }
        numbers.push(self.groups.len());
        self.groups.push(vec![mounted]);
    }

    /// Returns the sensors of each group, in an order in which a sensor comes after those that it reads.
    pub fn into_groups(self) -> Vec<Vec<Mounted<'w>>> {
        let mut groups = self.groups;
        groups.sort_by_key(|members| members[0].level);
        groups
    }
}

/// Returns the levels of the sensors of a vehicle, or nothing if no sensor reads another one.
pub(super) fn levels(vehicle: &Vehicle) -> Vec<usize> {
    if vehicle.sensor_readings.is_empty() {
        return Vec::new();
    }
    let mut levels = vec![0; vehicle.sensors.len()];
    // a sensor comes after those that it reads
    for SensorReading { reader, reading } in vehicle.sensor_readings.iter() {
        levels[*reader] = levels[*reader].max(levels[reading.sensor] + 1);
    }
    levels
}

/// Returns whether a sensor reads quantities with one value per wheel.
pub(super) fn reads_wheels(sensor: &SensorUse) -> bool {
    let mut inputs = sensor.model.model.model.phases().iter().flat_map(|phase| phase.inputs());
    inputs.any(|port| port.scope == Scope::Wheel as u32)
}
