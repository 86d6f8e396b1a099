//! The simulation: a blueprint, a state, and the threads that step it.

mod capture;
mod changes;
mod commands;
mod observe;
mod robot_faults;
mod samples;
mod touches;

use std::sync::Arc;

use crate::blueprint::Blueprint;
use crate::encoding::SnapshotError;
use crate::limits::Limits;
use crate::state::State;
use crate::step::{self, StepError, TakeOverError};
use crate::workers::Workers;

pub use capture::UnknownCall;
pub use changes::PlaceError;
pub use robot_faults::FaultMemories;
pub use samples::Samples;
pub use touches::Touches;

/// A world that is stepped.
///
/// Call [`Self::start`] once, or [`Self::restore`](crate::Simulation::restore) a snapshot, then
/// [`Self::step`] repeatedly.
pub struct Simulation {
    /// What never changes; copies share it.
    pub(crate) blueprint: Arc<Blueprint>,
    /// What a step changes.
    pub(crate) state: State,
    pub(crate) workers: Workers,
    /// Number of steps that tables have made on their own.
    pub(crate) steps_at_once: u64,
}

impl Simulation {
    /// Measures once, before the first step.
    ///
    /// # Errors
    /// [`StepError::Fault`] if a model faults and the world file requests that this ends the run.
    pub fn start(&mut self) -> Result<(), StepError> {
        step::start(&mut self.state, &self.blueprint)
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// [`StepError`] if a model faults and the world file requests that this ends the run, or if a
    /// state has diverged.
    pub fn step(&mut self) -> Result<(), StepError> {
        step::step(&mut self.state, &self.blueprint, &self.workers)
    }

    /// Advances the world by `steps` steps, with the same result as that many calls of [`Self::step`]. Large worlds take less
    /// time.
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn run(&mut self, steps: u64) -> Result<(), StepError> {
        let Self { blueprint, state, workers, steps_at_once } = self;
        step::run(state, blueprint, workers, steps, steps_at_once)
    }

    /// Returns a simulation in the same state, which continues as this one would, bit for bit. The two share what never
    /// changes: the blueprint, instances of models, walls, search trees, terrain, meshes and images. An engine that
    /// casts rays remains with this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        Ok(Self {
            blueprint: Arc::clone(&self.blueprint),
            state: self.state.duplicate()?,
            workers: self.workers.clone(),
            steps_at_once: 0,
        })
    }

    /// Continues `old`: takes over its clock, bodies, plans, wheels, odometry, setpoints, states of models
    /// and environments, and the times at which sensors are due. State slots are matched by name and adjusted by the
    /// model's `migrate` ability; new slots start with their initial values. Commands must have been
    /// set.
    ///
    /// # Errors
    /// [`TakeOverError`] if the worlds differ or a model rejects a state.
    pub fn take_over(&mut self, old: &Self) -> Result<(), TakeOverError> {
        step::take_over(&mut self.state, &self.blueprint, (&old.state, &old.blueprint))
    }

    /// Continues `old` in a changed world, from which this simulation has been built. Entities are matched
    /// by name. Those that `old` does not have start now, at the places of the description; those that only
    /// `old` has end. `is_changed` returns whether the parameters of a vehicle have changed: its models
    /// keep their states, and everything else of it is measured anew. Vehicles that have not changed, and
    /// that share their models with no vehicle that starts or ends, continue bit for bit as long as they
    /// touch nothing. Commands of [`Self::set_commands`] are not taken over.
    ///
    /// # Errors
    /// [`TakeOverError`] if a model rejects a state, or a new one faults.
    pub fn continue_changed(
        &mut self,
        old: &Self,
        is_changed: &dyn Fn(&str) -> bool,
    ) -> Result<(), TakeOverError> {
        let old = (&old.state, &*old.blueprint);
        step::continue_changed(&mut self.state, &self.blueprint, old, is_changed)
    }

    /// Returns 128 bits over the results: poses, twists, wheel spins and steering angles, model
    /// states and last sensor readings, each labelled by name.
    ///
    /// Two builds or two versions of the program that compute the same have the same result hash,
    /// however they store it. Unlike [`Self::state_hash`](crate::Simulation::state_hash) it does not
    /// cover everything that decides the future: contact impulses and sleeping bodies, for example, are
    /// left out. The exact byte stream is specified in `framework/engine/src/result_hash.rs`.
    pub fn result_hash(&self) -> u128 {
        step::result_hash(&self.state, &self.blueprint)
    }

    /// Sets the seed of all random numbers that are drawn from the next step on.
    pub fn set_seed(&mut self, seed: u64) {
        self.state.seed = seed;
    }

    /// Sets the limits beyond which a state counts as diverged.
    pub fn set_limits(&mut self, limits: Limits) {
        self.state.limits = limits;
    }
}

#[cfg(test)]
mod tests;
