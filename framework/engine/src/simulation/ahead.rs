//! Several steps at once, table by table.
//!
//! While no vehicle can touch anything and nothing observes the world, tables do not depend on each
//! other. Stepping one table several times before the next keeps its columns in the cache, and threads
//! meet once for all of these steps. The results are those of single steps: if anything happens that
//! concerns more than one table (a neighbour search, a fault, a divergence), all tables return to the
//! start and single steps follow.

use super::parts::for_each_part;
use super::step::VEHICLES_FOR_THREADS;
use super::{Simulation, StepError};
use crate::physics::Physics;
use crate::table::{self, EndAtFirst, StepsAlone, Table};
use crate::workers::Crew;

/// Greatest number of steps that tables make at once.
const MOST: u64 = 16;
/// The same in a world with at most [`FEW_VEHICLES`] vehicles, whose tables stay in the cache anyway.
const MOST_OF_FEW: u64 = 128;
const FEW_VEHICLES: usize = 128;
/// Part of the way to the next neighbour search, at the present speeds, that is stepped at once.
const CAUTION: f64 = 0.8;

impl Simulation {
    /// Advances the world by `steps` steps, with the same result as that many calls of [`Self::step`]. Large worlds take less
    /// time.
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn run(&mut self, steps: u64) -> Result<(), StepError> {
        let end = self.clock.steps + steps;
        let most = if self.names.len() <= FEW_VEHICLES { MOST_OF_FEW } else { MOST };
        while self.clock.steps < end {
            let count = self.steps_apart((end - self.clock.steps).min(most));
            if !self.step_tables(count) {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Returns a number of next steps, at most `most`, in which tables will probably not depend on each
    /// other.
    fn steps_apart(&self, most: u64) -> u64 {
        let mut quiet = most;
        for_each_part!(limit_quiet(self, &mut quiet));
        if quiet < 2 {
            // do not look at all bodies for a single step
            return 0;
        }
        let searched = CAUTION * self.physics.steps_to_search(self.clock.dt);
        quiet.min(searched as u64)
    }

    /// Takes `count` steps, table by table. Returns false, without a change, if that is not possible.
    fn step_tables(&mut self, count: u64) -> bool {
        if count < 2 {
            return false;
        }
        let workers = self.workers.clone();
        let work = self.names.len() * count as usize;
        let crew = workers.crew(work >= VEHICLES_FOR_THREADS);
        let Some(step) = self.try_step_tables(count, crew) else {
            self.clock.steps += count;
            self.steps_at_once += count;
            for_each_part!(catch_up(self));
            return true;
        };
        // the steps before are possible
        step > 0 && self.step_tables(step)
    }

    /// Takes `count` steps, table by table. Returns the index of the first step that single tables
    /// cannot make, after all tables have returned to the start.
    fn try_step_tables(&mut self, count: u64, crew: Crew<'_>) -> Option<u64> {
        let Self { tables, physics, ground, seed, limits, clock, substeps, .. } = self;
        let (start, substeps, seed) = (*clock, *substeps, *seed);
        let steps = StepsAlone { start, substeps, seed, ground, limits };
        table::for_each(crew, tables, physics, &|table, mut bodies| {
            table.kept.fill(&table.vehicles.columns, bodies);
            table.set_trial(true);
            let alone = std::slice::from_mut(table);
            let stopped =
                steps.run(count, alone, std::slice::from_mut(&mut bodies), &mut EndAtFirst);
            table.stopped = stopped;
            table.set_trial(false);
        });
        let first = tables.iter().filter_map(|table| table.stopped).min()?;
        return_all(crew, tables, physics);
        Some(first)
    }
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
