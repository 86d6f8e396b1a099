//! Continuing a simulation with other versions of its models, or in a world that has changed.

mod changed;

use crate::model::MigrationError;
use crate::simulation::Simulation;
use crate::table::VehicleError;

/// A simulation cannot continue another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TakeOverError {
    /// The simulations are not of the same world.
    #[error("the worlds differ: {0}")]
    World(String),
    /// A model rejected the state of its predecessor.
    #[error("{entity}: {class} rejected the state of its predecessor: {text}")]
    State {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// The new parts of a world cannot start.
    #[error("{0}")]
    Start(String),
}

impl From<MigrationError> for TakeOverError {
    fn from(MigrationError { entity, class, text }: MigrationError) -> Self {
        Self::State { entity, class, text }
    }
}

impl From<VehicleError> for TakeOverError {
    fn from(error: VehicleError) -> Self {
        match error {
            VehicleError::Wheels(text) => Self::World(text),
            VehicleError::Model(error) => error.into(),
        }
    }
}

impl Simulation {
    /// Continues `old`: takes over its clock, bodies, plans, wheels, odometry, setpoints, states of models
    /// and environments, and the times at which sensors are due. State slots are matched by name and adjusted by the
    /// model's `migrate` ability; new slots start with their initial values. Commands must have been
    /// set.
    ///
    /// # Errors
    /// [`TakeOverError`] if the worlds differ or a model rejects a state; `old` then does not change.
    pub fn take_over(&mut self, old: &mut Self) -> Result<(), TakeOverError> {
        self.copy_state(old)?;
        std::mem::swap(&mut self.plans, &mut old.plans);
        self.faults = std::mem::take(&mut old.faults);
        Ok(())
    }

    fn copy_state(&mut self, old: &Self) -> Result<(), TakeOverError> {
        if self.names != old.names {
            return Err(TakeOverError::World("the vehicles differ".to_owned()));
        }
        self.physics.copy_states(&old.physics).map_err(TakeOverError::World)?;
        self.clock = old.clock;
        self.next_command = old.next_command;
        for (&(table, lane), &(old_table, old_lane)) in self.places.iter().zip(&old.places) {
            self.tables[table].take_over(lane, &old.tables[old_table], old_lane)?;
        }
        for table in &mut self.tables {
            table.vehicles.read_bodies(self.physics.bodies(&table.vehicles.bodies));
        }
        self.environments.take_over(&old.environments)?;
        self.sensors.take_over(&old.sensors)?;
        self.fleets.take_over(&old.fleets)?;
        self.robot_faults.take_over(
            (&old.robot_faults, &old.names),
            &self.names,
            (&mut self.tables, &old.tables),
            (&mut self.sensors, &old.sensors),
        );
        Ok(())
    }
}
