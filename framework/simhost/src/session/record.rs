//! The record of a session in its output folder, from which it can be repeated.

use std::path::{Path, PathBuf};

use simhost_engine::{RunEnding, Snapshot, StepError};
use simhost_record::RecordError;
use simhost_streams::Input;
use simhost_world::Span;

use super::Session;
use super::recording::{Claimed, Recording};
use crate::error::Error;
use crate::log::FILE_NAME;
use crate::output::{Folder, Manifest, Out, OutputError, Recipe, RunRecord};
use crate::tables::{Observed, SessionTables, recorded_quantities};

impl Session {
    /// Reserves the output folder, if there is one.
    pub(super) fn claim_output(
        &mut self,
        flat: Option<String>,
        files: Vec<PathBuf>,
    ) -> Result<(), Error> {
        self.files = files;
        if let Some(out) = self.options.out.take() {
            // everything that can be wrong is found before the folder changes
            if let (Some(tables), Some(one)) = (&out.tables, &self.description) {
                recorded_quantities(&tables.record, (&one.world, &one.sources), &self.simulation)?;
            }
            let folder = Folder::claim(&out)?;
            self.record = Recording::Claimed(Box::new(Claimed { folder, out, flat }));
        }
        Ok(())
    }

    /// Begins the record in the output folder, if there is one, with its tables, and removes the files of an
    /// earlier run. Otherwise the first step or input does this. A program calls this before it writes files of its own
    /// to the folder.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn begin_record(&mut self) -> Result<(), Error> {
        self.begin_record_of(false)
    }

    /// Begins the record of a session that starts, or is resumed from a snapshot.
    fn begin_record_of(&mut self, is_resumed: bool) -> Result<(), Error> {
        if !matches!(self.record, Recording::Claimed(_)) {
            return Ok(());
        }
        let record = std::mem::replace(&mut self.record, Recording::None);
        let Recording::Claimed(claimed) = record else { return Ok(()) };
        let Claimed { folder, out, flat } = *claimed;
        let recipe = self.recipe(flat.as_deref(), &out)?;
        let record = RunRecord::begin(folder, &recipe, &self.simulation)?;
        if let Some(log) = &self.options.log {
            let folder = record.folder();
            let failed = |source| RecordError::Create { path: folder.shown(FILE_NAME), source };
            let opened = log.open_first(&folder.path().join(FILE_NAME)).map_err(failed);
            opened.map_err(OutputError::from)?;
        }
        if let Some(options) = &out.tables {
            let folder = record.folder().given();
            let tables = SessionTables::create(folder, options, is_resumed, &self.observed())?;
            let files = tables.paths();
            (self.tables, self.record) =
                (Some(Box::new(tables)), Recording::Begun(Box::new(record)));
            return self.announce_files(&files);
        }
        self.record = Recording::Begun(Box::new(record));
        Ok(())
    }

    /// Makes the record replace that of an earlier run in its folder.
    pub(super) fn start_record(&mut self) -> Result<(), Error> {
        if let Recording::Begun(record) = &mut self.record {
            record.start(&self.simulation)?;
        }
        Ok(())
    }

    fn observed(&self) -> Observed<'_> {
        let Self { simulation, description, revision, .. } = self;
        Observed { simulation, description: description.as_ref(), revision: *revision }
    }

    /// Writes the rows of tables that are due after the completed steps.
    pub(super) fn write_tables(&mut self) -> Result<(), Error> {
        let Some(mut tables) = self.tables.take() else { return Ok(()) };
        let written = tables.observe(&self.observed());
        let files = matches!(written, Ok(true)).then(|| tables.paths());
        self.tables = Some(tables);
        written?;
        files.map_or(Ok(()), |files| self.announce_files(&files))
    }

    /// Returns the folder of the tables that are written now: the output folder, or `session-2`,
    /// `session-3` and so on in it after time has gone back or entities have come or gone.
    pub fn table_folder(&self) -> Option<&Path> {
        self.tables.as_ref().filter(|tables| tables.is_open()).map(|tables| tables.folder())
    }

    /// Completes the tables and returns the paths of their files. Otherwise [`Self::finish`] does this.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn finish_tables(&mut self) -> Result<Vec<PathBuf>, Error> {
        let finished = self.tables.take().map_or(Ok(Vec::new()), |tables| tables.finish());
        Ok(finished.map_err(OutputError::from)?)
    }

    /// Returns what the session is made of.
    fn recipe<'a>(&'a self, flat: Option<&'a str>, out: &'a Out) -> Result<Recipe<'a>, Error> {
        let description = self.described()?;
        Ok(Recipe {
            path: description.sources.position(Span { file: 0, start: 0, end: 0 }).0,
            world: &description.world,
            flat,
            files: &self.files,
            catalogue: &self.catalogue,
            seed: self.seed,
            load: &self.options.load,
            limits: &self.options.limits,
            gpu: &self.options.gpu,
            out,
        })
    }

    /// Returns the manifest that a record of the session would begin with, to compare it with that of a
    /// recorded run. `flat` is the text of its world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn manifest(&self, flat: Option<&str>) -> Result<Manifest, Error> {
        Ok(self.recipe(flat, &Out::new(""))?.manifest(&self.simulation))
    }

    /// Returns what the record of the session consists of, with the names of the files: the manifest of a run
    /// that begins and, unless a program has built the world, the world. Begins the record; empty if there is
    /// none.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn record_files(&mut self) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        self.begin_record()?;
        match &self.record {
            Recording::Begun(record) => Ok(record.files()),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns whether the session is recorded in an output folder.
    pub fn is_recorded(&self) -> bool {
        !matches!(self.record, Recording::None)
    }

    /// Lists files that the program writes to the output folder, so that a later run in the folder removes
    /// them.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn announce_files(&mut self, files: &[PathBuf]) -> Result<(), Error> {
        self.begin_record()?;
        if let Recording::Begun(record) = &mut self.record {
            record.announce(files)?;
        }
        Ok(())
    }

    /// Records an input that acts now.
    pub(super) fn record_input(&mut self, input: &Input) -> Result<(), Error> {
        self.record_at(self.steps(), input)?;
        self.flush_record()
    }

    /// Adds an input that acts after `step` completed steps to the record.
    pub(super) fn record_at(&mut self, step: u64, input: &Input) -> Result<(), Error> {
        self.begin_record()?;
        if let Recording::Begun(record) = &mut self.record {
            record.add(step, input);
        }
        Ok(())
    }

    /// Writes the inputs that have been added to the record.
    pub(super) fn flush_record(&mut self) -> Result<(), Error> {
        if let Recording::Begun(record) = &mut self.record {
            record.flush()?;
        }
        Ok(())
    }

    /// Records the return to a snapshot after `step` completed steps.
    pub(super) fn record_restore(&mut self, step: u64, snapshot: &Snapshot) -> Result<(), Error> {
        self.begin_record_of(true)?;
        if let Recording::Begun(record) = &mut self.record {
            let file = record.keep(snapshot)?;
            let state = format!("{:032x}", snapshot.state_hash());
            record.add(step, &Input::Restore { state, file });
            record.flush()?;
        }
        Ok(())
    }

    /// Notes that a step has failed, which ends the run.
    pub(super) fn note_failure(&mut self, outcome: &Result<(), StepError>) {
        if let (Err(error), Recording::Begun(record)) = (outcome, &mut self.record) {
            record.fail(error.to_string().lines().next().unwrap_or_default());
        }
    }

    /// Writes the end of the run into the manifest. Returns the paths of the files of the record.
    pub(super) fn finish_record(
        &mut self,
        ending: &RunEnding,
        files: &[PathBuf],
    ) -> Result<Vec<PathBuf>, Error> {
        let Recording::Begun(record) = std::mem::replace(&mut self.record, Recording::None) else {
            return Ok(Vec::new());
        };
        let stop = match ending {
            RunEnding::Stop(stop) => Some(stop),
            _ => None,
        };
        Ok(record.finish(&self.simulation, stop, files)?)
    }
}
