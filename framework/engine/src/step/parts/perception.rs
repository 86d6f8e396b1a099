//! The perception of models, as a part of a simulation.

use crate::blueprint::Blueprint;
use crate::clock::Clock;
use crate::perception::Perception;
use crate::state::State;
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError, Substep};

impl Part for Perception {
    fn see(of: &mut State, _: &Blueprint) {
        of.perceive(of.clock);
    }

    /// Brings what models perceive up to date for everything up to the motion of the bodies.
    fn stand(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        of.perceive(of.clock);
        Ok(())
    }

    /// Shows the moved bodies to friction models in the next substep, or to dynamics classes that measure.
    fn advance(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        let Some(demand) = of.perception.as_ref().map(|seen| seen.demand) else { return Ok(()) };
        let start = substep.start;
        if !substep.is_last() && demand.in_forces {
            of.perceive(substep.next());
        } else if substep.is_last() && demand.in_measurements {
            of.perceive(Clock { steps: start.steps + 1, ..start });
        }
        Ok(())
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.perception.as_ref().is_none_or(|seen| !seen.demand.by_models) { most } else { 0 }
    }

    /// Nothing: what models perceive follows from the bodies, the ground and the time.
    fn take_over(
        _: &mut State,
        _: &Blueprint,
        _: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        Ok(())
    }
}
