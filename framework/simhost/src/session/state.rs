//! Snapshots, copies and the return to the start.

use std::sync::Arc;

use simhost_engine::{Capture, Fit, Simulation, Snapshot, UnknownCall};

use super::Session;
use crate::description::Description;
use crate::error::Error;

impl Session {
    /// Keeps the evidence of a call, see [`Simulation::capture`](simhost_engine::Simulation::capture).
    ///
    /// # Errors
    /// [`UnknownCall`] if no model has this phase.
    pub fn capture(&mut self, name: &str, time: f64) -> Result<Arc<Capture>, UnknownCall> {
        self.world.simulation.capture(name, time)
    }

    /// Takes a snapshot of the state after the completed steps.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.measure()?;
        Ok(self.world.simulation.snapshot()?)
    }

    /// Returns to a snapshot of the same world.
    ///
    /// # Errors
    /// [`Error::Restore`] if the snapshot does not fit; the session then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.restore_with(snapshot, Fit::Exact)
    }

    /// Returns to a snapshot that agrees with the world to the degree that `fit` requires.
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn restore_with(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), Error> {
        let step = self.steps();
        let (simulation, description) = self.fitting(snapshot)?;
        match simulation {
            Some(mut simulation) => {
                simulation.restore(snapshot, fit)?;
                self.world.simulation = simulation;
            }
            None => self.world.simulation.restore(snapshot, fit)?,
        }
        if let Some(description) = description {
            self.outputs.rebind(&description, &self.world.simulation)?;
            self.replace_description(description);
        }
        self.intake.append_restore_to_log(step, snapshot)?;
        self.record().begin_from(true)?;
        self.record.add_restore(step, snapshot)?;
        self.intake.count();
        self.intake.time_out.clear();
        self.world.is_measured = true;
        self.world.early.clear();
        self.outputs.begin_again(&self.world)
    }

    /// Returns to the snapshot that a recorded input names.
    pub(super) fn restore_file(&mut self, state: &str, file: &str) -> Result<(), Error> {
        let snapshot = crate::output::snapshot(self.intake.snapshot_folder(), file, state)?;
        // the recorded world names other paths than the original one
        self.restore_with(&snapshot, Fit::Slots)
    }

    /// Returns a simulation and a description with the changes of the world that a snapshot has, unless
    /// these are the present ones.
    fn fitting(
        &self,
        snapshot: &Snapshot,
    ) -> Result<(Option<Simulation>, Option<Description>), Error> {
        if snapshot.edits() == self.world.simulation.edits() {
            return Ok((None, None));
        }
        let description = self.world.described()?.with_edits(snapshot.edits())?;
        let simulation = self.world.build(&description)?;
        Ok((Some(simulation), Some(description)))
    }

    /// Returns to the start of the world as it was opened, with a seed for all random numbers.
    pub(super) fn reset_now(&mut self, seed: u64) -> Result<(), Error> {
        let original = self.world.described()?.original();
        let before = std::mem::replace(&mut self.world.seed, seed);
        self.world.simulation = match self.world.build(&original) {
            Ok(simulation) => simulation,
            Err(error) => {
                self.world.seed = before;
                return Err(error);
            }
        };
        self.outputs.rebind(&original, &self.world.simulation)?;
        self.replace_description(original);
        self.intake.sender.set_seed(seed);
        self.intake.time_out.clear();
        self.world.is_measured = false;
        self.world.early.clear();
        self.active.reset();
        self.outputs.begin_again(&self.world)?;
        self.measure()
    }

    /// Returns a second session that continues from the present state, without the sinks, the log and the
    /// output folder of this one. The two share what never changes, such as walls, meshes and instances of models.
    ///
    /// # Errors
    /// [`Error`] if the state cannot be copied.
    pub fn fork(&mut self) -> Result<Self, Error> {
        self.measure()?;
        let mut fork = Self::of_world(self.world.duplicate()?)?;
        fork.edit().set_commands(self.intake.commands().to_vec())?;
        fork.intake.count();
        Ok(fork)
    }
}
