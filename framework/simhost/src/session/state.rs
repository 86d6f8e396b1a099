//! Snapshots, copies and the return to the start.

use std::sync::Arc;

use simhost_engine::{Capture, Fit, Simulation, Snapshot, UnknownCall};
use simhost_streams::Input;

use super::{Session, open};
use crate::description::Description;
use crate::error::Error;
use crate::options::Options;

impl Session {
    /// Keeps the evidence of a call, see [`Simulation::capture`](simhost_engine::Simulation::capture).
    ///
    /// # Errors
    /// [`UnknownCall`] if no model has this phase.
    pub fn capture(&mut self, name: &str, time: f64) -> Result<Arc<Capture>, UnknownCall> {
        self.simulation.capture(name, time)
    }

    /// Takes a snapshot of the state after the completed steps.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.measure()?;
        Ok(self.simulation.snapshot()?)
    }

    /// Returns to a snapshot of the same world.
    ///
    /// # Errors
    /// [`Error::Restore`] if the snapshot does not fit; the session then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.restore_with(snapshot, Fit::Exact)
    }

    /// Returns to a snapshot that agrees with the world as far as `fit` asks for.
    ///
    /// # Errors
    /// As [`Self::restore`].
    pub fn restore_with(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), Error> {
        let step = self.steps();
        let (simulation, description) = self.fitting(snapshot)?;
        match simulation {
            Some(mut simulation) => {
                simulation.restore(snapshot, fit)?;
                self.simulation = simulation;
            }
            None => self.simulation.restore(snapshot, fit)?,
        }
        if let Some(description) = description {
            self.rebind_observers(&description)?;
            self.replace_description(description);
        }
        if let Some(log) = &mut self.log {
            let file = log.keep(snapshot)?;
            let input = Input::Restore { state: format!("{:032x}", snapshot.state_hash()), file };
            log.append(step, self.sequence, &input)?;
        }
        self.record_restore(step, snapshot)?;
        self.sequence += 1;
        self.is_measured = true;
        self.begin_sinks()
    }

    /// Returns to the snapshot that a recorded input names.
    pub(super) fn restore_file(&mut self, state: &str, file: &str) -> Result<(), Error> {
        let snapshot = crate::output::snapshot(&self.snapshot_folder, file, state)?;
        // the recorded world names other paths than the original one
        self.restore_with(&snapshot, Fit::Slots)
    }

    /// Returns a simulation and a description with the changes of the world that a snapshot has, unless
    /// these are the present ones.
    fn fitting(
        &self,
        snapshot: &Snapshot,
    ) -> Result<(Option<Simulation>, Option<Description>), Error> {
        if snapshot.edits() == self.simulation.edits() {
            return Ok((None, None));
        }
        let description = self.described()?.with_edits(snapshot.edits())?;
        let mut simulation = open::simulation(&description, &self.options, self.seed)?;
        if self.keeps_books {
            simulation.keep_energy_books();
        }
        Ok((Some(simulation), Some(description)))
    }

    fn rebind_observers(&mut self, description: &Description) -> Result<(), Error> {
        let bound = self.observers.rebind(&description.world, &self.simulation);
        bound.map_err(|error| description.observer_error(error))
    }

    /// Returns to the start of the world as it was opened, with a seed for all random numbers. Inputs that
    /// have arrived act before.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped; otherwise as
    /// [`Self::open`].
    pub fn reset(&mut self, seed: u64) -> Result<(), Error> {
        self.act(Input::Reset { seed })
    }

    pub(super) fn reset_now(&mut self, seed: u64) -> Result<(), Error> {
        let original = self.described()?.original();
        self.simulation = open::simulation(&original, &self.options, seed)?;
        self.rebind_observers(&original)?;
        self.replace_description(original);
        self.seed = seed;
        self.inputs.set_seed(seed);
        self.is_measured = false;
        self.active.reset();
        if self.keeps_books {
            self.simulation.keep_energy_books();
        }
        self.begin_sinks()?;
        self.measure()
    }

    /// Returns a second session that continues from the present state, without the sinks, the log and the
    /// output folder of this one.
    ///
    /// # Errors
    /// [`Error`] if the state cannot be copied.
    pub fn fork(&mut self) -> Result<Self, Error> {
        let snapshot = self.snapshot()?;
        let (description, catalogue) = (self.described()?.clone(), self.catalogue.clone());
        let options =
            Options { seed: Some(self.seed), observer_folder: None, ..self.options.clone() };
        let mut fork = Self::new(description, catalogue, options)?;
        fork.set_commands(self.commands.clone())?;
        fork.restore(&snapshot)?;
        Ok(fork)
    }
}
