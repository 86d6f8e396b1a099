//! The motion of bodies on springs of their own, whose small oscillations can be computed from it.

use super::Simulation;
use crate::moment::Moment;
use crate::state::State;

impl Simulation {
    /// Returns the numbers on which the motion of a vehicle on level ground depends, if its dynamics class sets all six degrees
    /// of freedom: height of the reference point, m, pitch and roll, rad; the velocity of the reference point along z of the
    /// body, m/s, and the angular velocities about its y and x axes, rad/s; then the velocities along x and y, m/s, the angular
    /// velocity about z, rad/s, the spins of the wheels, rad/s, and the states of the models. Vehicles are indexed as in
    /// [`Self::vehicle_names`].
    pub fn ride(&self, vehicle: usize) -> Option<Vec<f64>> {
        let (table, lane) = self.blueprint.places[vehicle];
        let table = &self.state.tables[table];
        let places = table.ride_places(lane)?;
        let value = |(column, index)| table.vehicles.value(column, index);
        Some(places.into_iter().map(value).collect())
    }

    /// Replaces the numbers that [`Self::ride`] returns.
    ///
    /// # Panics
    /// Panics if the vehicle has none, or another number of them.
    pub fn set_ride(&mut self, vehicle: usize, values: &[f64]) {
        let (table, lane) = self.blueprint.places[vehicle];
        let State { tables, physics, ground, seed, clock, .. } = &mut self.state;
        let table = &mut tables[table];
        let places = table.ride_places(lane).expect("a vehicle that moves in space");
        assert_eq!(places.len(), values.len(), "a value for each number of the ride");
        for ((column, index), value) in places.into_iter().zip(values) {
            table.vehicles.set_values([column], index, [*value]);
        }
        // what models read of it
        let bodies = physics.bodies.range(&table.vehicles.bodies);
        table.vehicles.read_bodies(bodies);
        table.vehicles.show_motion_in_space();
        table.measure_again(&Moment::new(*clock, *seed, ground));
    }
}
