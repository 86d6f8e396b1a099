//! The step: phases, each for all parts.

use super::part::Substep;
use super::parts::for_each_part;
use super::{Simulation, StepError};
use crate::divergence::Found;

/// Number of vehicles from which a step is divided among threads. Below, waking a thread costs more
/// than it gains: one step of 1000 vehicles takes about 0.1 ms, waking a thread 0.05 ms.
pub(super) const VEHICLES_FOR_THREADS: usize = 2000;

impl Simulation {
    /// Measures once, before the first step.
    ///
    /// # Errors
    /// [`StepError::Fault`] if a model faults and the world file requests that this ends the run.
    pub fn start(&mut self) -> Result<(), StepError> {
        for_each_part!(see(self));
        for_each_part!(surround(self)?);
        for_each_part!(start(self)?);
        Ok(())
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// [`StepError`] if a model faults and the world file requests that this ends the run, or if a
    /// state has diverged.
    pub fn step(&mut self) -> Result<(), StepError> {
        let workers = self.workers.clone();
        let crew = workers.crew(self.names.len() >= VEHICLES_FOR_THREADS);
        for_each_part!(begin(self)?);
        for_each_part!(stand(self)?);
        for_each_part!(supply(self)?);
        for_each_part!(command(self)?);
        let (start, count) = (self.clock, self.substeps);
        for number in 0..count {
            let clock = start.substep(number, count);
            let substep = &Substep { start, clock, number, count, crew };
            for_each_part!(push(self, substep)?);
            for_each_part!(prescribe(self, substep)?);
            for_each_part!(solve(self, substep)?);
            for_each_part!(advance(self, substep)?);
            if substep.is_last() {
                for_each_part!(measure(self, substep)?);
            }
        }
        self.clock.steps += 1;
        for_each_part!(finish(self)?);
        for_each_part!(check(self)?);
        self.note_collisions();
        Ok(())
    }

    /// Ends the run if the last step has diverged.
    #[inline]
    pub(super) fn refuse(&self, found: Option<Found>) -> Result<(), StepError> {
        let diverged = |found: Found| StepError::Diverged(Box::new(found.at(self.clock)));
        found.map_or(Ok(()), |found| Err(diverged(found)))
    }
}
