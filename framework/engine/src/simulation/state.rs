//! The state of all parts: in snapshots, in result hashes, and in simulations that continue others.

use super::Simulation;
use super::continuation::{Continuation, TakeOverError, World};
use super::parts::for_each_part;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::{LiveState, live_state};
use crate::quantity_list::QuantityList;
use crate::result_hash::Items;

live_state! {
    Simulation {
        state { clock, tables, physics, plans, sensors, environments, fleets }
        world {
            // these only follow from bodies, ground and time
            ground, perception,
            places, names, movers, mover_names, regions_at_zero, velocities_in_world, substeps, overlaps, policy, origin,
            // inputs of the run
            commands, workers, limits, seed, steps_at_once,
        }
        // part of a snapshot in addition to the state, or written with the sensors on which faults act
        report { edits, faults, collisions, robot_faults }
    }
}

impl Simulation {
    /// Writes the live state, and that of the faults of the robots.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub(crate) fn write_state(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.write(to)?;
        self.robot_faults.write(&self.sensors, to)
    }

    /// Reads what [`Self::write_state`] has written.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub(crate) fn read_state(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.read(from)?;
        let Self { robot_faults, tables, sensors, .. } = self;
        robot_faults.read(tables, sensors, from)
    }

    /// Returns 128 bits over the results: poses, twists, wheel spins and steering angles, model
    /// states and last sensor readings, each labelled by name.
    ///
    /// Two builds or two versions of the program that compute the same have the same result hash,
    /// however they store it. Unlike [`Self::state_hash`](crate::Simulation::state_hash) it does not
    /// cover everything that decides the future: contact impulses and sleeping bodies, for example, are
    /// left out. The exact byte stream is specified in `framework/engine/src/result_hash.rs`.
    pub fn result_hash(&self) -> u128 {
        let items = &mut Items::default();
        for_each_part!(add_results(self, items));
        std::mem::take(items).hash()
    }

    /// Adds the quantities of all parts. `world` is the description from which the simulation was built.
    pub(crate) fn add_quantities(&self, world: &simhost_world::World, to: &mut QuantityList<'_>) {
        for_each_part!(add_quantities(self, world, to));
    }

    /// Continues `old`: takes over its clock, bodies, plans, wheels, odometry, setpoints, states of models
    /// and environments, and the times at which sensors are due. State slots are matched by name and adjusted by the
    /// model's `migrate` ability; new slots start with their initial values. Commands must have been
    /// set.
    ///
    /// # Errors
    /// [`TakeOverError`] if the worlds differ or a model rejects a state.
    pub fn take_over(&mut self, old: &Self) -> Result<(), TakeOverError> {
        if self.names[..] != old.names[..] {
            return Err(TakeOverError::World("the vehicles differ".to_owned()));
        }
        self.clock = old.clock;
        self.continue_parts(Continuation::new(old, World::Same))?;
        self.faults.clone_from(&old.faults);
        self.collisions.clone_from(&old.collisions);
        Ok(())
    }

    /// Continues `old` in a changed world, from which this simulation has been built. Entities are matched
    /// by name. Those that `old` does not have start now, at the places of the description; those that only
    /// `old` has end. `is_changed` returns whether the parameters of a vehicle have changed: its models
    /// keep their states, and everything else of it is measured anew. Vehicles that have not changed, and
    /// that share their models with no vehicle that starts or ends, continue bit for bit as long as they
    /// touch nothing. Commands of [`Self::set_commands`] are not taken over.
    ///
    /// # Errors
    /// [`TakeOverError`] if a model rejects a state, or a new one faults.
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
        self.continue_parts(Continuation::new(old, World::Changed(is_changed)))?;
        self.faults.splice(0..0, old.faults.iter().cloned());
        self.continue_collisions(old);
        Ok(())
    }

    fn continue_parts(&mut self, mut from: Continuation<'_>) -> Result<(), TakeOverError> {
        let from = &mut from;
        for_each_part!(take_over(self, from)?);
        for_each_part!(resume(self, from)?);
        Ok(())
    }
}
