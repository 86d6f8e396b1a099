//! The record of a session in its output folder, from which it can be repeated.

use std::path::PathBuf;

use simhost_engine::{RunEnding, Simulation, Snapshot, StepError};
use simhost_record::RecordError;
use simhost_streams::Input;
use simhost_world::Span;

use super::editable_world::EditableWorld;
use super::outputs::Outputs;
use crate::error::Error;
use crate::log::FILE_NAME;
use crate::output::{Folder, Manifest, Out, OutputError, Recipe, RunRecord, TableOptions};
use crate::tables::{SessionTables, recorded_quantities};

/// The record of a session in its output folder, from which it can be repeated. Without an output folder, there is
/// none, and writing to it has no effect.
pub struct SessionRecord<'s> {
    pub(super) recording: &'s mut Recording,
    pub(super) outputs: &'s mut Outputs,
    pub(super) world: &'s EditableWorld,
}

impl SessionRecord<'_> {
    /// Begins the record, with its tables, and removes the files of an earlier run in the folder. Otherwise the first
    /// step or input does this. A program calls this before it writes files of its own to the folder.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn begin(&mut self) -> Result<(), Error> {
        self.begin_from(false)
    }

    /// Begins the record of a session that continues from a snapshot if `is_resumed` is set.
    pub(super) fn begin_from(&mut self, is_resumed: bool) -> Result<(), Error> {
        let Self { recording, outputs, world } = self;
        let Some(options) = recording.begin(world)? else { return Ok(()) };
        let Recording { state: State::Begun(record), .. } = recording else { return Ok(()) };
        let folder = record.folder().given();
        let tables = SessionTables::create(folder, &options, is_resumed, &world.observed())?;
        let announced = record.announce(&tables.paths());
        outputs.attach_tables(tables);
        Ok(announced?)
    }

    /// Makes the record replace the record of an earlier run in the folder. Otherwise the first
    /// step does this, and the record of the earlier run is restored if there is no step.
    ///
    /// # Errors
    /// [`Error::Output`] if the manifest cannot be written.
    pub fn start(&mut self) -> Result<(), Error> {
        self.begin()?;
        self.recording.start(&self.world.simulation)
    }

    /// Returns the manifest that the record would begin with, to compare it with the manifest of a
    /// recorded run. `flat` is the text of the world.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the description of the world has been dropped.
    pub fn manifest(&self, flat: Option<&str>) -> Result<Manifest, Error> {
        Ok(self.recording.recipe(flat, &Out::new(""), self.world)?.manifest(&self.world.simulation))
    }

    /// Returns the files of the record with their names: the manifest of a run that begins and, unless a program has
    /// built the world, the world. Begins the record; empty if there is none.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn files(&mut self) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        self.begin()?;
        Ok(match &self.recording.state {
            State::Begun(record) => record.files(),
            _ => Vec::new(),
        })
    }

    /// Lists files that the program writes to the output folder, so that a later run in the folder removes
    /// them.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn announce(&mut self, files: &[PathBuf]) -> Result<(), Error> {
        self.begin()?;
        self.recording.announce(files)
    }

    /// Records an input that acts now.
    pub(super) fn write_input(&mut self, input: &Input) -> Result<(), Error> {
        self.begin()?;
        let before_start = !self.world.is_measured;
        self.recording.add(self.world.steps(), before_start, input);
        self.recording.flush()
    }
}

/// The record of a session, or the folder that is reserved for it.
#[derive(Default)]
pub(super) struct Recording {
    state: State,
    /// Files that the world refers to.
    files: Vec<PathBuf>,
}

/// State of a record.
#[derive(Default)]
enum State {
    /// The session is not recorded.
    #[default]
    None,
    /// The folder is reserved, and nothing of an earlier run in it has been changed.
    Claimed(Box<Claimed>),
    /// The record has begun.
    Begun(Box<RunRecord>),
}

/// A reserved folder, with what is written to it when the run begins.
struct Claimed {
    folder: Folder,
    out: Out,
    flat: Option<String>,
}

impl Recording {
    /// Reserves the output folder, if there is one.
    pub fn claim(
        &mut self,
        flat: Option<String>,
        files: Vec<PathBuf>,
        world: &mut EditableWorld,
    ) -> Result<(), Error> {
        self.files = files;
        if let Some(out) = world.options.out.take() {
            // everything that can be wrong is found before the folder changes
            if let (Some(tables), Some(one)) = (&out.tables, &world.description) {
                let simulation = &world.simulation;
                recorded_quantities(&tables.record, &one.world, &one.sources, simulation)?;
            }
            let folder = Folder::claim(&out)?;
            world.simulation.watch_collisions();
            self.state = State::Claimed(Box::new(Claimed { folder, out, flat }));
        }
        Ok(())
    }

    /// Begins the record if the folder is reserved, and removes the files of an earlier run. Returns the tables that
    /// are requested.
    fn begin(&mut self, world: &EditableWorld) -> Result<Option<TableOptions>, Error> {
        if !matches!(self.state, State::Claimed(_)) {
            return Ok(None);
        }
        let State::Claimed(claimed) = std::mem::take(&mut self.state) else { return Ok(None) };
        let Claimed { folder, out, flat } = *claimed;
        let recipe = self.recipe(flat.as_deref(), &out, world)?;
        let record = RunRecord::begin(folder, &recipe, &world.simulation)?;
        if let Some(log) = &world.options.log {
            let folder = record.folder();
            let failed = |source| RecordError::Create { path: folder.shown(FILE_NAME), source };
            let opened = log.open_first(&folder.path().join(FILE_NAME)).map_err(failed);
            opened.map_err(OutputError::from)?;
        }
        self.state = State::Begun(Box::new(record));
        Ok(out.tables)
    }

    /// Makes the record replace the record of an earlier run in its folder.
    pub fn start(&mut self, simulation: &Simulation) -> Result<(), Error> {
        if let State::Begun(record) = &mut self.state {
            record.start(simulation)?;
        }
        Ok(())
    }

    /// Returns whether the session is recorded in an output folder.
    pub fn is_kept(&self) -> bool {
        !matches!(self.state, State::None)
    }

    /// Returns what the session is made of.
    fn recipe<'a>(
        &'a self,
        flat: Option<&'a str>,
        out: &'a Out,
        world: &'a EditableWorld,
    ) -> Result<Recipe<'a>, Error> {
        let description = world.described()?;
        Ok(Recipe {
            path: description.sources.position(Span { file: 0, start: 0, end: 0 }).0,
            world: &description.world,
            flat,
            files: &self.files,
            catalogue: &world.catalogue,
            seed: world.seed,
            load: &world.options.load,
            limits: &world.options.limits,
            gpu: &world.options.gpu,
            out,
        })
    }

    /// Lists files in the output folder, so that a later run in the folder removes them.
    pub fn announce(&mut self, files: &[PathBuf]) -> Result<(), Error> {
        if let State::Begun(record) = &mut self.state {
            record.announce(files)?;
        }
        Ok(())
    }

    /// Adds an input that acts after `step` completed steps, or `before_start`. [`Self::flush`] writes it.
    pub fn add(&mut self, step: u64, before_start: bool, input: &Input) {
        if let State::Begun(record) = &mut self.state {
            record.add(step, before_start, input);
        }
    }

    /// Writes the inputs that have been added.
    pub fn flush(&mut self) -> Result<(), Error> {
        if let State::Begun(record) = &mut self.state {
            record.flush()?;
        }
        Ok(())
    }

    /// Records the return to a snapshot after `step` completed steps.
    pub fn add_restore(&mut self, step: u64, snapshot: &Snapshot) -> Result<(), Error> {
        if let State::Begun(record) = &mut self.state {
            let file = record.keep(snapshot)?;
            let state = format!("{:032x}", snapshot.state_hash());
            record.add(step, false, &Input::Restore { state, file });
            record.flush()?;
        }
        Ok(())
    }

    /// Notes that a step has failed, which ends the run.
    pub fn note_failure(&mut self, outcome: &Result<(), StepError>) {
        if let (Err(error), State::Begun(record)) = (outcome, &mut self.state) {
            record.fail(error.to_string().lines().next().unwrap_or_default());
        }
    }

    /// Writes the end of the run into the manifest. Returns the paths of the files of the record.
    pub fn finish(
        &mut self,
        simulation: &Simulation,
        ending: &RunEnding,
        files: &[PathBuf],
    ) -> Result<Vec<PathBuf>, Error> {
        let State::Begun(record) = std::mem::take(&mut self.state) else {
            return Ok(Vec::new());
        };
        let stop = match ending {
            RunEnding::Stop(stop) => Some(stop),
            _ => None,
        };
        Ok(record.finish(simulation, stop, files)?)
    }
}
