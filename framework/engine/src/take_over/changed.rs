//! Continuing a simulation in a world with other entities or parameters.

use std::collections::HashMap;

use super::TakeOverError;
use crate::simulation::Simulation;

impl Simulation {
    /// Continues `old` in a changed world, from which this simulation has been built. Entities are matched
    /// by name. Those that `old` does not have start now, at the places of the description; those that only
    /// `old` has end. `is_changed` returns whether the parameters of a vehicle have changed: its models
    /// keep their states, and everything else of it is measured anew. Vehicles that have not changed, and
    /// that share their models with no vehicle that starts or ends, continue bit for bit as long as they
    /// touch nothing. Commands of [`Self::set_commands`] are not taken over.
    ///
    /// # Errors
    /// [`TakeOverError`] if a model rejects a state, or a new one faults; `old` then does not change.
    pub fn continue_changed(
        &mut self,
        old: &Self,
        is_changed: &dyn Fn(&str) -> bool,
    ) -> Result<(), TakeOverError> {
        self.clock = old.clock;
        self.limits = old.limits;
        if old.tables.iter().any(|table| table.book(0).is_some()) {
            self.keep_energy_books();
        }
        if !self.plans.is_empty() {
            // twice, so that bodies that start now have the velocity of their plan and not of a jump
            let clock = self.clock;
            for _ in 0..2 {
                self.plans.advance(clock.time(), clock.dt, &mut self.physics);
            }
        }
        self.start().map_err(|error| TakeOverError::Start(error.to_string()))?;
        self.physics.copy_known_states(&old.physics);
        self.plans.take_over(&old.plans);
        let measured = self.continue_vehicles(old, is_changed)?;
        for table in &mut self.tables {
            table.vehicles.read_bodies(self.physics.bodies(&table.vehicles.bodies));
        }
        self.environments.take_over(&old.environments)?;
        self.environments.keep_disabled(&old.environments);
        self.fleets.take_over(&old.fleets)?;
        self.fleets.keep_disabled(&old.fleets);
        self.sensors.continue_known(&old.sensors, &old.clock)?;
        self.measure_tables(&measured);
        self.robot_faults.take_over(
            (&old.robot_faults, &old.names),
            &self.names,
            (&mut self.tables, &old.tables),
            (&mut self.sensors, &old.sensors),
        );
        self.faults.splice(0..0, old.faults.iter().cloned());
        Ok(())
    }

    /// Continues the vehicles that `old` has. Returns for each table whether it has to measure anew.
    fn continue_vehicles(
        &mut self,
        old: &Self,
        is_changed: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<bool>, TakeOverError> {
        let known = old.names.iter().zip(&old.places);
        // names are unique
        let known: HashMap<&str, (usize, usize)> =
            known.map(|(name, place)| (name.as_str(), *place)).collect();
        let mut measured = vec![false; self.tables.len()];
        for (name, &(table, lane)) in self.names.iter().zip(&self.places) {
            let is_exact = match known.get(name.as_str()) {
                None => false,
                Some(&(old_table, old_lane)) if is_changed(name) => {
                    self.tables[table].take_over(lane, &old.tables[old_table], old_lane)?;
                    false
                }
                Some(&(old_table, old_lane)) => {
                    self.tables[table].continue_lane(lane, &old.tables[old_table], old_lane)?
                }
            };
            measured[table] |= !is_exact;
        }
        Ok(measured)
    }
}
