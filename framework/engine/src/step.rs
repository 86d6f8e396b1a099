//! The step: phases, each for all parts.

mod adoption;
mod ahead;
mod continuation;
mod error;
mod part;
mod parts;

use simhost_model::profile;

use crate::blueprint::Blueprint;
use crate::quantity_list::QuantityList;
use crate::result_hash::Items;
use crate::state::State;
use crate::workers::Workers;
use part::Substep;
use parts::for_each_part;

pub(crate) use adoption::{continue_changed, take_over};
pub(crate) use ahead::run;
pub use continuation::TakeOverError;
pub use error::StepError;

/// Number of vehicles from which a step is divided among threads. Below, waking a thread costs more
/// than it gains: one step of 1000 vehicles takes about 0.1 ms, waking a thread 0.05 ms.
const VEHICLES_FOR_THREADS: usize = 2000;

/// Calls a function of all parts, and measures the time if times are measured.
macro_rules! measured {
    ($phase:ident($($argument:expr),*)) => {
        profile::phase(stringify!($phase), || -> Result<(), StepError> {
            for_each_part!($phase($($argument),*)?);
            Ok(())
        })?
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
    let crew = workers.crew(blueprint.names.len() >= VEHICLES_FOR_THREADS);
    measured!(begin(state, blueprint));
    measured!(stand(state, blueprint));
    measured!(supply(state, blueprint));
    measured!(command(state, blueprint));
    let (start, count) = (state.clock, blueprint.substeps);
    for number in 0..count {
        let clock = start.substep(number, count);
        let substep = &Substep { start, clock, number, count, crew };
        measured!(push(state, blueprint, substep));
        measured!(prescribe(state, blueprint, substep));
        measured!(solve(state, blueprint, substep));
        measured!(advance(state, blueprint, substep));
        if substep.is_last() {
            measured!(measure(state, blueprint, substep));
        }
    }
    state.clock.steps += 1;
    measured!(finish(state, blueprint, workers));
    measured!(check(state));
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
