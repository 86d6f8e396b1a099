//! Tables of a recorded session: trajectories, wheels, readings, quantities, energy and hashes.

mod files;
mod folders;
mod hashes;
mod quantities;
mod standard;

use std::path::{Path, PathBuf};

use simhost_engine::{Simulation, SnapshotError};
use simhost_record::RecordError;
use simhost_world::World;

use crate::description::Description;
use crate::error::Error;
use crate::output::{OutputError, TableOptions};

use files::{Files, Schedule};
use hashes::Hashes;

pub use folders::{cloud_form, images_of, viewpoint, write_images, write_names};
pub(crate) use quantities::select as recorded_quantities;

/// The tables of a session while they are written.
///
/// If time goes back, or if entities come and go, the rows continue in new files, in the folders `session-2`,
/// `session-3` and so on.
pub(crate) struct SessionTables {
    options: TableOptions,
    /// The output folder, and that of the present sequence of rows.
    folders: [PathBuf; 2],
    files: Option<Files>,
    hashes: Option<Hashes>,
    /// Number of completed steps when rows were last written.
    written: Option<u64>,
    /// Whether the next rows are those of the state from which a run continues, and not those after a step.
    is_paused: bool,
    /// Whether the rows so far are dropped before the next ones.
    is_cleared: bool,
    /// Whether the next rows are those of the snapshot from which the session is resumed.
    repeats: bool,
    /// Changes of the world that the files know, and the names of its entities.
    known: (u64, Vec<String>),
    /// Number of sequences of rows.
    sequences: usize,
    /// Files of earlier sequences.
    complete: Vec<PathBuf>,
}

/// The source of rows: a simulation, the description of its world, and the number of times that it has been
/// built again.
pub(crate) struct Observed<'a> {
    pub simulation: &'a Simulation,
    pub description: Option<&'a Description>,
    pub revision: u64,
}

impl SessionTables {
    /// Creates the tables in a folder.
    pub fn create(
        folder: &Path,
        options: &TableOptions,
        is_resumed: bool,
        observed: &Observed<'_>,
    ) -> Result<Self, Error> {
        let from = is_resumed.then(|| observed.simulation.clock());
        let mut tables = Self {
            options: options.clone(),
            folders: [folder.to_owned(), folder.to_owned()],
            files: None,
            hashes: options.hash_period.map(|every| Hashes::new(every, from)),
            written: None,
            is_paused: true,
            is_cleared: false,
            repeats: is_resumed,
            known: (observed.revision, entities(observed.simulation)),
            sequences: 1,
            complete: Vec::new(),
        };
        if let Some(description) = observed.description {
            let quantities = quantities::select(
                &options.record,
                (&description.world, &description.sources),
                observed.simulation,
            )?;
            tables.open(observed, quantities, is_resumed)?;
        }
        Ok(tables)
    }

    /// Creates the files of a sequence of rows.
    fn open(
        &mut self,
        observed: &Observed<'_>,
        quantities: simhost_engine::Quantities,
        resumed: bool,
    ) -> Result<(), Error> {
        let Some(description) = observed.description else { return Ok(()) };
        let hashes = self.options.hash_period.is_some();
        let schedule = Schedule { period: self.options.period, hashes, resumed };
        let world = (&*description.world, observed.simulation);
        let files = Files::new(&self.folders[1], schedule, world, quantities);
        self.files = Some(files.map_err(OutputError::from)?);
        Ok(())
    }

    /// Returns the folder of the present sequence of rows.
    pub fn folder(&self) -> &Path {
        &self.folders[1]
    }

    /// Returns the paths of the files of the present sequence of rows.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.as_ref().map_or(Vec::new(), Files::paths)
    }

    /// Returns whether rows can be due after any step.
    pub fn is_open(&self) -> bool {
        self.files.is_some()
    }

    /// Returns the number of completed steps after which rows can be due; `u64::MAX` if that is not known.
    pub fn next_step(&self) -> u64 {
        let after = self.written.filter(|_| self.is_open() && !self.is_paused);
        after.map_or(u64::MAX, |written| written + 1)
    }

    /// Writes no rows until a run continues.
    pub fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Drops the rows of the present files before the next rows.
    pub fn clear(&mut self) {
        self.is_cleared = true;
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        if let Some(files) = &mut self.files {
            files.rebind(world, simulation);
        }
    }

    /// Writes the rows that are due after the completed steps, once. Rows at the time of a snapshot from
    /// which the session is resumed belong to the original run, and are not written again. Returns whether
    /// the rows are in new files.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written, [`Error::Snapshot`] if the state has no hash.
    pub fn observe(&mut self, observed: &Observed<'_>) -> Result<bool, Error> {
        let steps = observed.simulation.clock().steps;
        self.is_paused = false;
        let before = self.written.replace(steps);
        if before == Some(steps) {
            return Ok(false);
        }
        let is_new = self.follow(observed, before.is_some_and(|before| steps < before))?;
        // without a description, files cannot be opened again
        let has_files = self.files.is_some() && observed.description.is_some();
        if std::mem::take(&mut self.is_cleared) && has_files && !is_new {
            self.begin_anew(observed)?;
        }
        let is_repeated = std::mem::take(&mut self.repeats);
        if let Some(files) = self.files.as_mut().filter(|_| !is_repeated) {
            files.observe(observed.simulation).map_err(OutputError::from)?;
            if let Some(hashes) = &mut self.hashes
                && let Some(row) = hashes.observe(observed.simulation)?
            {
                files.write_hash(&row).map_err(OutputError::from)?;
            }
        }
        Ok(is_new)
    }

    /// Continues with a world that an input has changed, in files of their own if time has gone back or if
    /// it has other entities. Returns whether there are new files.
    fn follow(&mut self, observed: &Observed<'_>, is_back: bool) -> Result<bool, Error> {
        let is_changed = self.known.0 != observed.revision;
        if self.files.is_none() || !(is_back || is_changed) {
            return Ok(false);
        }
        let names = entities(observed.simulation);
        let is_same = names == self.known.1;
        self.known = (observed.revision, names);
        if is_same && !is_back {
            if let Some(description) = observed.description {
                self.rebind(&description.world, observed.simulation);
            }
            return Ok(false);
        }
        if let Some(files) = self.files.take() {
            self.complete.extend(files.finish().map_err(OutputError::from)?);
        }
        self.sequences += 1;
        self.folders[1] = self.folders[0].join(format!("session-{}", self.sequences));
        let quantities = self.quantities(observed);
        self.open(observed, quantities, false)?;
        self.hashes = self.hashes.take().map(Hashes::again);
        Ok(self.files.is_some())
    }

    /// Replaces the present files by new ones, whose rows keep their times.
    fn begin_anew(&mut self, observed: &Observed<'_>) -> Result<(), Error> {
        if let Some(files) = self.files.take() {
            files.finish().map_err(OutputError::from)?;
        }
        let quantities = self.quantities(observed);
        self.open(observed, quantities, true)
    }

    /// Returns the quantities of `quantities.csv`, without those that have been removed.
    fn quantities(&self, observed: &Observed<'_>) -> simhost_engine::Quantities {
        let quantities = observed.description.map(|one| {
            let world = (&*one.world, &*one.sources);
            quantities::select(&self.options.record, world, observed.simulation)
        });
        quantities.and_then(Result::ok).unwrap_or_default()
    }

    /// Completes all files and returns their paths.
    ///
    /// # Errors
    /// [`RecordError`] if a file cannot be written.
    pub fn finish(self) -> Result<Vec<PathBuf>, RecordError> {
        let mut files = self.complete;
        if let Some(open) = self.files {
            files.extend(open.finish()?);
        }
        Ok(files)
    }
}

/// Returns the names of everything that files have rows or columns for.
fn entities(simulation: &Simulation) -> Vec<String> {
    let movers = simulation.movers().map(|(label, _)| label.to_owned());
    let sensors = simulation.sensors().iter();
    let sensors = sensors.map(|sensor| format!("{}/{}", sensor.vehicle, sensor.sensor));
    simulation.vehicle_names().iter().cloned().chain(movers).chain(sensors).collect()
}

/// Returns the result hash of a simulation as 32 hexadecimal digits.
pub fn result_hash(simulation: &Simulation) -> String {
    format!("{:032x}", simulation.result_hash())
}

/// Returns the state hash of a simulation as 32 hexadecimal digits.
///
/// # Errors
/// [`SnapshotError`] if a model cannot save its memory.
pub fn state_hash(simulation: &Simulation) -> Result<String, SnapshotError> {
    Ok(format!("{:032x}", simulation.state_hash()?))
}
