//! Samples of the sensors of a simulation.

use simhost_scene::Pose3;

use super::Simulation;
use crate::clock::Clock;
use crate::scan_engine::{ScanFallback, ScanReport};
use crate::sensors::Sensors;

/// Samples of all sensors. Sensors are indexed as in [`Simulation::sensors`].
#[derive(Clone, Copy)]
pub struct Samples<'s> {
    sensors: &'s Sensors,
    clock: Clock,
}

impl<'s> Samples<'s> {
    /// Returns the number of rays of all sensors.
    pub fn ray_count(&self) -> usize {
        self.sensors.ray_count()
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn readings(&self) -> impl Iterator<Item = (usize, Vec<f64>)> + use<'s> {
        self.sensors.readings()
    }

    /// Returns whether a sensor has given a sample in the last step.
    pub fn is_sampled(&self, sensor: usize) -> bool {
        self.sensors.is_fresh(sensor)
    }

    /// Returns the pose of a sensor's rays at its last sample, in the frame of its vehicle, or of the world
    /// if it has none. All of it is 0 before the first sample, and for sensors without rays.
    pub fn origin(&self, sensor: usize) -> Pose3 {
        self.sensors.origin(sensor)
    }

    /// Returns whether a sensor, has measured after a number of steps, up to now.
    pub fn has_measured_since(&self, sensor: usize, steps: u64) -> bool {
        self.sensors.has_measured_since(sensor, &Clock { steps, ..self.clock })
    }

    /// Returns the failure of the engine of [`Simulation::set_scan_engine`], after which the CPU casts all rays.
    pub fn scan_fallback(&self) -> Option<&'s ScanFallback> {
        self.sensors.scan_fallback()
    }

    /// Returns the use of the engine of [`Simulation::set_scan_engine`], if there is one.
    pub fn scan_report(&self) -> Option<ScanReport> {
        self.sensors.scan_report()
    }
}

impl Simulation {
    /// Returns the samples of all sensors.
    pub fn samples(&self) -> Samples<'_> {
        Samples { sensors: &self.state.sensors, clock: self.state.clock }
    }
}
