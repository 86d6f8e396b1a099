//! The step: phases, each for all parts.

mod ahead;
mod continuation;
mod part;
mod parts;

use simhost_model::profile;

use crate::blueprint::Blueprint;
use crate::quantity_list::QuantityList;
use crate::result_hash::Items;
use crate::state::State;
use crate::table::Table;
use crate::workers::Workers;
use continuation::{Continuation, World};
use part::Substep;
use parts::for_each_part;

pub(crate) use ahead::run;
pub use continuation::TakeOverError;
pub use part::StepError;

/// Number of vehicles from which a step is divided among threads. Below, waking a thread costs more
/// than it gains: one step of 1000 vehicles takes about 0.1 ms, waking a thread 0.05 ms.
const VEHICLES_FOR_THREADS: usize = 2000;

/// Calls a function of all parts, and measures the time if times are measured.
macro_rules! measured {
    ($is_measured:ident, $phase:ident($($argument:expr),*)) => {
        if $is_measured {
            profile::phase(stringify!($phase), || -> Result<(), StepError> {
                for_each_part!($phase($($argument),*)?);
                Ok(())
            })?
        } else {
            for_each_part!($phase($($argument),*)?);
        }
    };
}

/// Measures once, before the first step.
///
/// # Errors
/// [`StepError::Fault`] if a model faults and the world file requests that this ends the run.
pub(crate) fn start(state: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
    for_each_part!(see(state, blueprint));
    for_each_part!(surround(state, blueprint)?);
    for_each_part!(start(state, blueprint)?);
    Ok(())
}

/// Advances a state by one step.
///
/// # Errors
/// [`StepError`] if a model faults and the world file requests that this ends the run, or if a
/// state has diverged.
pub(crate) fn step(
    state: &mut State,
    blueprint: &Blueprint,
    workers: &Workers,
) -> Result<(), StepError> {
    match profile::is_on() {
        false => step_measured::<false>(state, blueprint, workers),
        true => step_measured::<true>(state, blueprint, workers),
    }
}

/// Advances a state by one step, and measures the time of each phase if `IS_MEASURED` is set.
#[inline]
fn step_measured<const IS_MEASURED: bool>(
    state: &mut State,
    blueprint: &Blueprint,
    workers: &Workers,
) -> Result<(), StepError> {
    let crew = workers.crew(blueprint.names.len() >= VEHICLES_FOR_THREADS);
    measured!(IS_MEASURED, begin(state, blueprint));
    measured!(IS_MEASURED, stand(state, blueprint));
    measured!(IS_MEASURED, supply(state, blueprint));
    measured!(IS_MEASURED, command(state, blueprint));
    let (start, count) = (state.clock, blueprint.substeps);
    for number in 0..count {
        let clock = start.substep(number, count);
        let substep = &Substep { start, clock, number, count, crew };
        measured!(IS_MEASURED, push(state, blueprint, substep));
        measured!(IS_MEASURED, prescribe(state, blueprint, substep));
        measured!(IS_MEASURED, solve(state, blueprint, substep));
        measured!(IS_MEASURED, advance(state, blueprint, substep));
        if substep.is_last() {
            measured!(IS_MEASURED, measure(state, blueprint, substep));
        }
    }
    state.clock.steps += 1;
    measured!(IS_MEASURED, finish(state, blueprint, workers));
    measured!(IS_MEASURED, check(state));
    state.note_collisions(blueprint);
    Ok(())
}

/// Samples the sensors that are due at the end of a step. There may have been steps since the last sample.
///
/// # Errors
/// As for [`step`].
pub(crate) fn sample(
    state: &mut State,
    blueprint: &Blueprint,
    workers: &Workers,
) -> Result<(), StepError> {
    state.sensors.skip();
    <crate::sensors::Sensors as part::Part>::finish(state, blueprint, workers)
}

/// Returns 128 bits over the results: poses, twists, wheel spins and steering angles, model
/// states and last sensor readings, each labelled by name.
pub(crate) fn result_hash(state: &State, blueprint: &Blueprint) -> u128 {
    let items = &mut Items::default();
    for_each_part!(add_results(state, blueprint, items));
    std::mem::take(items).hash()
}

/// Adds the quantities of all parts. `world` is the description from which the simulation was built.
pub(crate) fn add_quantities(
    state: &State,
    blueprint: &Blueprint,
    world: &simhost_world::World,
    to: &mut QuantityList<'_>,
) {
    for_each_part!(add_quantities(state, blueprint, world, to));
}

/// Continues `old`, a state of the same world. See [`Simulation::take_over`](crate::Simulation::take_over).
pub(crate) fn take_over(
    state: &mut State,
    blueprint: &Blueprint,
    old: &State,
    old_blueprint: &Blueprint,
) -> Result<(), TakeOverError> {
    if blueprint.names[..] != old_blueprint.names[..] {
        return Err(TakeOverError::World("the vehicles differ".to_owned()));
    }
    state.clock = old.clock;
    continue_parts(state, blueprint, Continuation::new(old, old_blueprint, World::Same))?;
    state.faults.clone_from(&old.faults);
    state.collisions.clone_from(&old.collisions);
    Ok(())
}

/// Continues `old` in a changed world. See
/// [`Simulation::continue_changed`](crate::Simulation::continue_changed).
pub(crate) fn continue_changed(
    state: &mut State,
    blueprint: &Blueprint,
    old: &State,
    old_blueprint: &Blueprint,
    is_changed: &dyn Fn(&str) -> bool,
) -> Result<(), TakeOverError> {
    state.clock = old.clock;
    state.limits = old.limits;
    if old.tables.iter().any(|table| table.book(0).is_some()) {
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
    continue_parts(
        state,
        blueprint,
        Continuation::new(old, old_blueprint, World::Changed(is_changed)),
    )?;
    state.faults.splice(0..0, old.faults.iter().cloned());
    state.collisions = old.collisions.as_ref().map(|log| Box::new(log.continued()));
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
