//! Several steps at once, table by table.
//!
//! While no vehicle can touch anything and nothing observes the world, tables do not depend on each
//! other. Stepping one table several times before the next keeps its columns in the cache, and threads
//! meet once for all of these steps. The results are those of single steps: if anything happens that
//! concerns more than one table (a neighbour search, a fault, a divergence), all tables return to the
//! start and single steps follow.

use simhost_model::profile;

use super::parts::for_each_part;
use super::{StepError, VEHICLES_FOR_THREADS, step};
use crate::blueprint::Blueprint;
use crate::physics::Physics;
use crate::state::State;
use crate::table::{self, EndAtFirst, StepsAlone, Table};
use crate::workers::{Crew, Workers};

/// Greatest number of steps that tables make at once.
const MOST: u64 = 16;
/// The same in a world with at most [`FEW_VEHICLES`] vehicles, whose tables stay in the cache anyway.
const MOST_OF_FEW: u64 = 128;
const FEW_VEHICLES: usize = 128;
/// Part of the way to the next neighbour search, at the present speeds, that is stepped at once.
const CAUTION: f64 = 0.8;

/// Advances a state by `steps` steps, with the same result as that many calls of [`step`], and adds the number of steps that
/// tables have made on their own to `alone`.
///
/// # Errors
/// As for [`step`].
pub(crate) fn run(
    state: &mut State,
    blueprint: &Blueprint,
    workers: &Workers,
    steps: u64,
    alone: &mut u64,
) -> Result<(), StepError> {
    let end = state.clock.steps + steps;
    let most = if blueprint.names.len() <= FEW_VEHICLES { MOST_OF_FEW } else { MOST };
    while state.clock.steps < end {
        if profile::is_on() {
            // each phase of each step is measured
            step(state, blueprint, workers)?;
            continue;
        }
        let count = quiet_steps(state, (end - state.clock.steps).min(most));
        match step_tables(state, blueprint, workers, count) {
            0 => step(state, blueprint, workers)?,
            made => *alone += made,
        }
    }
    Ok(())
}

/// Returns a number of next steps, at most `most`, in which tables will probably not depend on each
/// other.
fn quiet_steps(state: &State, most: u64) -> u64 {
    let mut quiet = most;
    for_each_part!(limit_quiet(state, &mut quiet));
    if quiet < 2 {
        // do not look at all bodies for a single step
        return 0;
    }
    let searched = CAUTION * state.physics.bodies.steps_to_search(state.clock.dt);
    quiet.min(searched as u64)
}

/// Takes up to `count` steps, table by table. Returns how many; none, without a change, if single tables cannot make
/// two.
fn step_tables(state: &mut State, blueprint: &Blueprint, workers: &Workers, count: u64) -> u64 {
    let mut count = count;
    while count >= 2 {
        let work = blueprint.names.len() * count as usize;
        let crew = workers.crew(work >= VEHICLES_FOR_THREADS);
        let Some(possible) = try_step_tables(state, blueprint, count, crew) else {
            state.clock.steps += count;
            for_each_part!(catch_up(state));
            return count;
        };
        count = possible;
    }
    0
}

/// Takes `count` steps, table by table. Returns the index of the first step that single tables
/// cannot make, after all tables have returned to the start.
fn try_step_tables(
    state: &mut State,
    blueprint: &Blueprint,
    count: u64,
    crew: Crew<'_>,
) -> Option<u64> {
    let State { tables, physics, ground, seed, limits, clock, .. } = state;
    let (start, substeps, seed) = (*clock, blueprint.substeps, *seed);
    let steps = StepsAlone { start, substeps, seed, ground, limits };
    table::for_each(crew, tables, physics, &|table, mut bodies| {
        table.kept.fill(&table.vehicles.columns, bodies);
        table.set_trial(true);
        let alone = std::slice::from_mut(table);
        let stopped = steps.run(count, alone, std::slice::from_mut(&mut bodies), &mut EndAtFirst);
        table.stopped = stopped;
        table.set_trial(false);
    });
    let first = tables.iter().filter_map(|table| table.stopped).min()?;
    return_all(crew, tables, physics);
    Some(first)
}

/// Returns to the state before several steps.
fn return_all(crew: Crew<'_>, tables: &mut [Table], physics: &mut Physics) {
    table::for_each(crew, tables, physics, &|table, bodies| {
        let kept = std::mem::take(&mut table.kept);
        table.return_to(&kept, bodies);
        table.kept = kept;
    });
}

#[cfg(test)]
mod tests;
