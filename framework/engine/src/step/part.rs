//! The parts of a simulation, and what each of them owes the others.
//!
//! Everything that has a state of its own or acts in a step is a part. The step, snapshots, the result hash, quantities,
//! continuation after a change, and stepping ahead are loops over all parts, always in the order of this table.
//! A phase is complete for all parts before the next one begins; the columns are the phases in their order.
//!
//! | Part | `begin` | `stand` | `supply` | `command` | `push` | `prescribe` | `solve` | `advance` | `measure` | `finish` | `check` |
//! |---|---|---|---|---|---|---|---|---|---|---|---|
//! | commands | act | | | | | | | | | | |
//! | tables | | | | | forces, velocities | settle faults | | move bodies | perceiving classes | settle faults | states |
//! | physics | | | | | | | rapier | | tell rapier of placed bodies | | bodies, contacts |
//! | plans | | | | | | move bodies | | | | | |
//! | sensors | | | | | | | | | | sample | |
//! | environments | states, gravity | | wind, surface | settle faults | | | | | | | |
//! | ground | | heights | properties | | | ledges | | | | | |
//! | perception | | update | | | | | | update | | | |
//! | fleets | | | | set inputs | | | | | | | states |
//! | robot faults | | | | | | | | | | begin, end | |
//!
//! The phases `push` to `advance` are repeated for each substep. Before the first step, the phases `see`
//! (perception), `surround` (environments) and `start` (tables, robot faults) measure once. Calls are dispatched statically, so that a
//! phase that a part leaves out costs nothing.

use simhost_world::World;

use super::continuation::{Continuation, TakeOverError};
use crate::blueprint::Blueprint;
use crate::clock::Clock;
use crate::divergence::{Divergence, Found};
use crate::fault::FaultReport;
use crate::quantity_list::QuantityList;
use crate::result_hash::Items;
use crate::scan_engine::ScanError;
use crate::state::{FatalFault, State};
use crate::workers::{Crew, Workers};

/// A substep of a step.
#[derive(Clone, Copy)]
pub(super) struct Substep<'w> {
    /// Start of the step.
    pub start: Clock,
    /// Start of the substep, and its length.
    pub clock: Clock,
    /// Number of the substep in the step, and number of all.
    pub number: u32,
    pub count: u32,
    /// Threads that share the work on tables.
    pub crew: Crew<'w>,
}

impl Substep<'_> {
    /// Returns whether it is the first of the step.
    pub fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Returns whether it is the last of the step.
    pub fn is_last(&self) -> bool {
        self.number + 1 == self.count
    }

    /// Returns the clock of the next substep.
    pub fn next(&self) -> Clock {
        self.start.substep(self.number + 1, self.count)
    }
}

/// Duties of a part of a simulation towards the others.
///
/// Parts use each other, and so each method has the whole state. All methods are called on the thread that
/// steps the simulation, in the order of the [module](self). Those of the step have a default that does
/// nothing; those of the state must be written for each part, so that none is forgotten.
pub(super) trait Part {
    /// Brings what models perceive up to date before the first step.
    fn see(_: &mut State, _: &Blueprint) {}

    /// Provides the surroundings at the vehicles before the first step.
    fn surround(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Measures before the first step.
    fn start(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Begins a step: updates what everything else depends on. Called once per step.
    fn begin(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Places vehicles on the ground, and brings what models perceive up to date. Called once per step.
    fn stand(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Provides quantities of the surroundings at the vehicles and wheels. Called once per step.
    fn supply(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Sets the inputs of controllers. Called once per step.
    fn command(_: &mut State, _: &Blueprint) -> Result<(), StepError> {
        Ok(())
    }

    /// Turns forces into velocities. Called for each substep.
    fn push(_: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(())
    }

    /// Changes velocities by what does not follow from forces. Called for each substep.
    fn prescribe(_: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(())
    }

    /// Solves contacts and joints, and moves the bodies that have any. Called for each substep.
    fn solve(_: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(())
    }

    /// Moves all other bodies. Called for each substep.
    fn advance(_: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(())
    }

    /// Measures what depends on the motion of all bodies. Called once per step, with the last substep.
    fn measure(_: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(())
    }

    /// Ends a step, when the clock is that of its end. Called once per step.
    fn finish(_: &mut State, _: &Blueprint, _: &Workers) -> Result<(), StepError> {
        Ok(())
    }

    /// Checks that the state has not diverged in the step that has ended. Called once per step, when all parts
    /// have finished it.
    fn check(_: &State) -> Result<(), StepError> {
        Ok(())
    }

    /// Returns how many of the next `most` steps need this part only within single tables. In these steps, tables are
    /// stepped alone, without the phases of other parts.
    fn quiet_steps(of: &State, most: u64) -> u64;

    /// Reduces a number of next steps to those of [`Self::quiet_steps`].
    #[inline]
    fn limit_quiet(of: &State, most: &mut u64) {
        if *most >= 2 {
            *most = Self::quiet_steps(of, *most);
        }
    }

    /// Catches up after steps that tables have made alone.
    fn catch_up(_: &mut State) {}

    /// Adds the results to the items of a result hash.
    fn add_results(_of: &State, _: &Blueprint, _items: &mut Items) {}

    /// Adds its quantities to those of the simulation, which was built from `world`.
    fn add_quantities(_of: &State, _: &Blueprint, _world: &World, _to: &mut QuantityList<'_>) {}

    /// Continues the same part of another simulation.
    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError>;

    /// Completes [`Self::take_over`] when it is done for all parts.
    fn resume(_: &mut State, _: &Blueprint, _: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        Ok(())
    }
}

/// A step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A model faulted, and the world file requests that this ends the run.
    #[error("{0}")]
    Fault(Box<FaultReport>),
    /// A body or a state has diverged.
    #[error("{0}")]
    Diverged(Box<Divergence>),
    /// The engine that casts rays has failed, and it is required.
    #[error("{0}")]
    Scan(ScanError),
}

impl From<FatalFault> for StepError {
    fn from(FatalFault(report): FatalFault) -> Self {
        Self::Fault(report)
    }
}

/// Ends the run if the last step has diverged.
#[inline]
pub(super) fn refuse(state: &State, found: Option<Found>) -> Result<(), StepError> {
    let diverged = |found: Found| StepError::Diverged(Box::new(found.at(state.clock)));
    found.map_or(Ok(()), |found| Err(diverged(found)))
}
