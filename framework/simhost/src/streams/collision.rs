//! Whether vehicles touch something.

use simhost_engine::{BodySearch, Simulation};

/// A vehicle that touches something or does not.
pub(super) struct Touch {
    /// Index of the vehicle.
    vehicle: usize,
    /// Distance below which it counts as touching, m.
    threshold: f64,
    /// Time of the sample before, s.
    last: f64,
}

impl Touch {
    /// Creates the state of a vehicle, by its index, that counts as touching what is nearer than `threshold`, m.
    pub fn new(vehicle: usize, threshold: f64) -> Self {
        Self { vehicle, threshold, last: f64::NEG_INFINITY }
    }

    /// Continues after the last sample of the same stream of the world before a change.
    pub fn continue_after(&mut self, old: &Self) {
        self.last = old.last;
    }

    /// Appends 1 if the vehicle has touched something since the sample before or is near something, or 0. `search` has
    /// been brought up to the present state.
    pub fn read(&mut self, simulation: &Simulation, search: &BodySearch, numbers: &mut Vec<f64>) {
        let time = simulation.clock().time();
        // time has gone back if the sample before lies ahead
        let since = if self.last <= time { self.last } else { f64::NEG_INFINITY };
        let is_near = simulation.touches().is_near(self.vehicle, self.threshold, since, search);
        numbers.push(if is_near { 1.0 } else { 0.0 });
        self.last = time;
    }
}
