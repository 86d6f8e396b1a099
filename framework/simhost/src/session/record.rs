//! The record and the tables of a session, for programs.

use std::path::{Path, PathBuf};

use simhost_streams::Input;

use super::Session;
use crate::error::Error;
use crate::output::Manifest;

impl Session {
    /// Begins the record in the output folder, if there is one, with its tables, and removes the files of an
    /// earlier run. Otherwise the first step or input does this. A program calls this before it writes files of its own
    /// to the folder.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn begin_record(&mut self) -> Result<(), Error> {
        self.record.begin(false, &self.world)
    }

    /// Returns the folder of the tables that are written now: the output folder, or `session-2`,
    /// `session-3` and so on in it after time has gone back or entities have come or gone.
    pub fn table_folder(&self) -> Option<&Path> {
        self.record.table_folder()
    }

    /// Completes the tables and returns the paths of their files. Otherwise [`Self::finish`] does this.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn finish_tables(&mut self) -> Result<Vec<PathBuf>, Error> {
        self.record.finish_tables()
    }

    /// Returns the manifest that a record of the session would begin with, to compare it with that of a
    /// recorded run. `flat` is the text of its world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn manifest(&self, flat: Option<&str>) -> Result<Manifest, Error> {
        self.record.manifest(flat, &self.world)
    }

    /// Returns what the record of the session consists of, with the names of the files: the manifest of a run
    /// that begins and, unless a program has built the world, the world. Begins the record; empty if there is
    /// none.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn record_files(&mut self) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        self.begin_record()?;
        Ok(self.record.record_files())
    }

    /// Returns whether the session is recorded in an output folder.
    pub fn is_recorded(&self) -> bool {
        self.record.is_kept()
    }

    /// Lists files that the program writes to the output folder, so that a later run in the folder removes
    /// them.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn announce_files(&mut self, files: &[PathBuf]) -> Result<(), Error> {
        self.begin_record()?;
        self.record.announce(files)
    }

    /// Records an input that acts now.
    pub(super) fn record_input(&mut self, input: &Input) -> Result<(), Error> {
        self.begin_record()?;
        self.record.add(self.world.steps(), input);
        self.record.flush()
    }

    /// Records the commands of a file that act on the next `steps` steps.
    pub(super) fn record_commands(&mut self, steps: u64) -> Result<(), Error> {
        if self.intake.commands().is_empty() || !(self.is_recorded() || self.logs_commands()) {
            return Ok(());
        }
        self.begin_record()?;
        for (step, input) in self.intake.due_commands(self.world.simulation.clock(), steps) {
            self.log_command(step, &input);
            self.record.add(step, &input);
        }
        self.record.flush()
    }
}
