//! Capacities of readings.

use simhost_abi::Scope;

use super::description::{ReadingUse, Vehicle};
use super::readings::outputs;

impl Vehicle {
    /// Returns the number of values of an output of a sensor.
    pub(super) fn value_count(&self, sensor: usize, output: usize) -> usize {
        let used = &self.sensors[sensor];
        match Scope::from_u32(outputs(used)[output].scope) {
            Scope::Ray => used.model.rays,
            Scope::Wheel => self.wheels.len(),
            Scope::Instance | Scope::Array => 1,
        }
    }

    /// Sets the capacities of all readings to the numbers of values that the sensors have, whose parameters can
    /// have changed.
    pub(crate) fn update_capacities(&mut self) {
        let mut readings = self.readings.to_vec();
        let mut of_sensors = self.sensor_readings.to_vec();
        let nested = of_sensors.iter_mut().map(|one| &mut one.reading);
        for ReadingUse { sensor, output, capacity, .. } in readings.iter_mut().chain(nested) {
            *capacity = capacity.map(|_| self.value_count(*sensor, *output));
        }
        (self.readings, self.sensor_readings) = (readings.into(), of_sensors.into());
    }
}
