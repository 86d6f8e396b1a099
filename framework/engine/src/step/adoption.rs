//! Continuing a simulation with other versions of its models, or in a world that has changed.

use super::continuation::{Continuation, TakeOverError, World};
use super::parts::for_each_part;
use super::start;
use crate::blueprint::Blueprint;
use crate::state::State;
use crate::table::Table;

/// Continues `old`, a state of the same world. See [`Simulation::take_over`](crate::Simulation::take_over).
pub(crate) fn take_over(
    state: &mut State,
    blueprint: &Blueprint,
    old: (&State, &Blueprint),
) -> Result<(), TakeOverError> {
    if blueprint.names[..] != old.1.names[..] {
        return Err(TakeOverError::World("the vehicles differ".to_owned()));
    }
    state.clock = old.0.clock;
    continue_parts(state, blueprint, Continuation::new(old, World::Same))?;
    state.faults.clone_from(&old.0.faults);
    state.collisions.clone_from(&old.0.collisions);
    Ok(())
}

/// Continues `old` in a changed world. See
/// [`Simulation::continue_changed`](crate::Simulation::continue_changed).
pub(crate) fn continue_changed(
    state: &mut State,
    blueprint: &Blueprint,
    old: (&State, &Blueprint),
    is_changed: &dyn Fn(&str) -> bool,
) -> Result<(), TakeOverError> {
    state.clock = old.0.clock;
    state.limits = old.0.limits;
    if old.0.tables.iter().any(|table| table.book(0).is_some()) {
        state.tables.iter_mut().for_each(Table::open_books);
    }
    if !state.plans.is_empty() {
        // twice, so that bodies that start now have the velocity of their plan and not of a jump
        let clock = state.clock;
        for _ in 0..2 {
            state.plans.advance(clock.time(), clock.dt, &mut state.physics);
        }
    }
    start(state, blueprint).map_err(|error| TakeOverError::Start(error.to_string()))?;
    continue_parts(state, blueprint, Continuation::new(old, World::Changed(is_changed)))?;
    state.faults.splice(0..0, old.0.faults.iter().cloned());
    state.collisions = old.0.collisions.as_ref().map(|log| Box::new(log.continued()));
    Ok(())
}

fn continue_parts(
    state: &mut State,
    blueprint: &Blueprint,
    mut from: Continuation<'_>,
) -> Result<(), TakeOverError> {
    let from = &mut from;
    for_each_part!(take_over(state, blueprint, from)?);
    for_each_part!(resume(state, blueprint, from)?);
    Ok(())
}
