//! The ground as a part of a simulation.

use crate::blueprint::Blueprint;
use crate::ground::Ground;
use crate::state::State;
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError, Substep};

impl Part for Ground {
    /// Updates height, pitch and roll of the vehicles.
    fn stand(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        let State { tables, ground, physics, clock, environments, .. } = of;
        if ground.is_level() {
            for table in tables.iter().filter(|table| table.vehicles.host.spatial) {
                table.vehicles.carry_heights(physics);
            }
            return Ok(());
        }
        ground.update(clock.time(), physics);
        ground.drop_blocks(physics, environments.gravity(), clock.dt);
        for table in tables.iter_mut() {
            table.vehicles.follow_ground(ground, physics, Some(clock.dt));
            table.book_ground();
        }
        Ok(())
    }

    /// Sets the properties of the ground at the wheels.
    fn supply(of: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
        let State { tables, ground, environments, .. } = of;
        let at_zero = blueprint.regions_at_zero;
        if ground.has_properties() || !ground.is_level() {
            for table in tables {
                let keeps = environments.has_surface();
                table.vehicles.update_ground_properties(ground, at_zero, keeps);
                table.vehicles.update_contacts(ground, at_zero);
            }
        }
        Ok(())
    }

    /// Stops vehicles at ledges that are too high to be climbed.
    fn prescribe(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        let State { tables, ground, physics, .. } = of;
        if !ground.is_level() {
            for table in tables.iter_mut() {
                table.vehicles.stop_at_ledges(ground, physics, substep.clock.dt);
            }
        }
        Ok(())
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.ground.is_level() && !of.ground.has_properties() { most } else { 0 }
    }

    /// Nothing: the ground is updated from bodies and time at the start of each step.
    fn take_over(
        _: &mut State,
        _: &Blueprint,
        _: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        Ok(())
    }
}
