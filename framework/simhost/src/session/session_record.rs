//! The record of a session in its output folder, from which it can be repeated, and its tables.

use std::path::{Path, PathBuf};

use simhost_engine::{RunEnding, Simulation, Snapshot, StepError};
use simhost_record::RecordError;
use simhost_streams::Input;
use simhost_world::Span;

use super::editable_world::EditableWorld;
use crate::error::Error;
use crate::log::FILE_NAME;
use crate::output::{Folder, Manifest, Out, OutputError, Recipe, RunRecord};
use crate::tables::{SessionTables, recorded_quantities};

/// The record of a session and its tables.
#[derive(Default)]
pub(super) struct SessionRecord {
    state: Recording,
    /// Tables in the output folder.
    tables: Option<Box<SessionTables>>,
    /// Files that the world refers to.
    files: Vec<PathBuf>,
}

/// State of a record.
#[derive(Default)]
enum Recording {
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

impl SessionRecord {
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
                let description = (&*one.world, &*one.sources);
                recorded_quantities(&tables.record, description, &world.simulation)?;
            }
            let folder = Folder::claim(&out)?;
            self.state = Recording::Claimed(Box::new(Claimed { folder, out, flat }));
        }
        Ok(())
    }

    /// Begins the record, if the folder is reserved, with its tables, and removes the files of an earlier run.
    /// `is_resumed` is whether the session continues from a snapshot.
    pub fn begin(&mut self, is_resumed: bool, world: &EditableWorld) -> Result<(), Error> {
        if !matches!(self.state, Recording::Claimed(_)) {
            return Ok(());
        }
        let Recording::Claimed(claimed) = std::mem::take(&mut self.state) else { return Ok(()) };
        let Claimed { folder, out, flat } = *claimed;
        let recipe = self.recipe(flat.as_deref(), &out, world)?;
        let mut record = RunRecord::begin(folder, &recipe, &world.simulation)?;
        if let Some(log) = &world.options.log {
            let folder = record.folder();
            let failed = |source| RecordError::Create { path: folder.shown(FILE_NAME), source };
            let opened = log.open_first(&folder.path().join(FILE_NAME)).map_err(failed);
            opened.map_err(OutputError::from)?;
        }
        if let Some(options) = &out.tables {
            let folder = record.folder().given();
            let tables = SessionTables::create(folder, options, is_resumed, &world.observed())?;
            let announced = record.announce(&tables.paths());
            self.tables = Some(Box::new(tables));
            self.state = Recording::Begun(Box::new(record));
            return Ok(announced?);
        }
        self.state = Recording::Begun(Box::new(record));
        Ok(())
    }

    /// Makes the record replace that of an earlier run in its folder.
    pub fn start(&mut self, simulation: &Simulation) -> Result<(), Error> {
        if let Recording::Begun(record) = &mut self.state {
            record.start(simulation)?;
        }
        Ok(())
    }

    /// Returns the files of the record with their names; none before it begins.
    pub fn record_files(&self) -> Vec<(&'static str, Vec<u8>)> {
        match &self.state {
            Recording::Begun(record) => record.files(),
            _ => Vec::new(),
        }
    }

    /// Returns whether the session is recorded in an output folder.
    pub fn is_kept(&self) -> bool {
        !matches!(self.state, Recording::None)
    }

    /// Writes the rows of tables that are due after the completed steps.
    pub fn write_tables(&mut self, world: &EditableWorld) -> Result<(), Error> {
        let Some(tables) = &mut self.tables else { return Ok(()) };
        if !tables.observe(&world.observed())? {
            return Ok(());
        }
        let files = tables.paths();
        self.announce(&files)
    }

    /// Continues the tables with a simulation of the same world whose models have been replaced.
    pub fn rebind_tables(&mut self, world: &simhost_world::World, simulation: &Simulation) {
        if let Some(tables) = &mut self.tables {
            tables.rebind(world, simulation);
        }
    }

    /// Returns whether rows of tables can be due after any step.
    pub fn has_open_tables(&self) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.is_open())
    }

    /// Returns the folder of the tables that are written now.
    pub fn table_folder(&self) -> Option<&Path> {
        self.tables.as_ref().filter(|tables| tables.is_open()).map(|tables| tables.folder())
    }

    /// Completes the tables and returns the paths of their files.
    pub fn finish_tables(&mut self) -> Result<Vec<PathBuf>, Error> {
        let finished = self.tables.take().map_or(Ok(Vec::new()), |tables| tables.finish());
        Ok(finished.map_err(OutputError::from)?)
    }

    /// Returns the manifest that a record of the session would begin with. `flat` is the text of its world.
    pub fn manifest(&self, flat: Option<&str>, world: &EditableWorld) -> Result<Manifest, Error> {
        Ok(self.recipe(flat, &Out::new(""), world)?.manifest(&world.simulation))
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
        if let Recording::Begun(record) = &mut self.state {
            record.announce(files)?;
        }
        Ok(())
    }

    /// Adds an input that acts after `step` completed steps. [`Self::flush`] writes it.
    pub fn add(&mut self, step: u64, input: &Input) {
        if let Recording::Begun(record) = &mut self.state {
            record.add(step, input);
        }
    }

    /// Writes the inputs that have been added.
    pub fn flush(&mut self) -> Result<(), Error> {
        if let Recording::Begun(record) = &mut self.state {
            record.flush()?;
        }
        Ok(())
    }

    /// Records the return to a snapshot after `step` completed steps.
    pub fn add_restore(&mut self, step: u64, snapshot: &Snapshot) -> Result<(), Error> {
        if let Recording::Begun(record) = &mut self.state {
            let file = record.keep(snapshot)?;
            let state = format!("{:032x}", snapshot.state_hash());
            record.add(step, &Input::Restore { state, file });
            record.flush()?;
        }
        Ok(())
    }

    /// Notes that a step has failed, which ends the run.
    pub fn note_failure(&mut self, outcome: &Result<(), StepError>) {
        if let (Err(error), Recording::Begun(record)) = (outcome, &mut self.state) {
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
        let Recording::Begun(record) = std::mem::take(&mut self.state) else {
            return Ok(Vec::new());
        };
        let stop = match ending {
            RunEnding::Stop(stop) => Some(stop),
            _ => None,
        };
        Ok(record.finish(simulation, stop, files)?)
    }
}
