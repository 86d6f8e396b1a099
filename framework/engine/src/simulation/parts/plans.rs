//! Plans as a part of a simulation.

use crate::clock::Clock;
use crate::plan::Plans;
use crate::result_hash::Items;
use crate::simulation::continuation::{Continuation, TakeOverError};
use crate::simulation::part::{Part, Substep, state_in};
use crate::simulation::{Simulation, StepError};

impl Part for Plans {
    /// Moves actors and animated bodies.
    fn prescribe(of: &mut Simulation, substep: &Substep<'_>) -> Result<(), StepError> {
        if !of.plans.is_empty() {
            let clock = substep.clock;
            let end = Clock { steps: clock.steps + 1, ..clock };
            of.plans.advance(end.time(), clock.dt, &mut of.physics);
        }
        Ok(())
    }

    fn quiet_steps(of: &Simulation, most: u64) -> u64 {
        if of.plans.is_empty() { most } else { 0 }
    }

    state_in! { plans }

    /// Nothing: the poses of what follows plans are those of bodies.
    fn add_results(_: &Simulation, _: &mut Items) {}

    fn take_over(of: &mut Simulation, from: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        of.plans.take_over(&from.old.plans);
        Ok(())
    }
}
