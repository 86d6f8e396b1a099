//! Tables of a recorded session: trajectories, wheels, readings, quantities, energy and hashes.

mod files;
mod folders;

use std::fs::{remove_dir, remove_file};
use std::path::{Path, PathBuf};

use simhost_engine::{Clock, Period, Quantities, SensorInfo, Simulation, SnapshotError, Units};
use simhost_record::{HashRow, RecordError};

use crate::description::Description;
use crate::error::Error;
use crate::output::{OutputError, TableOptions};
use files::{Files, Schedule};

pub(crate) use files::select_quantities as recorded_quantities;
pub use folders::{cloud_form, images_of, viewpoint, write_images, write_names};

/// The tables of a session while they are written.
///
/// If time goes back, or if a change of the world leads to other rows or columns, the rows continue in new files, in the
/// folders `session-2`, `session-3` and so on. Files without rows are replaced.
pub(crate) struct SessionTables {
    options: TableOptions,
    /// The output folder, and the folder of the present sequence of rows.
    folders: [PathBuf; 2],
    files: Option<Files>,
    hashes: Option<Hashes>,
    /// Number of completed steps when rows were last written.
    written: Option<u64>,
    /// Whether the next rows show the state from which a run continues, and not the state after a
    /// step.
    is_paused: bool,
    /// Whether the rows so far are dropped before the next ones.
    is_cleared: bool,
    /// Whether the next rows show the snapshot from which the session is resumed.
    repeats: bool,
    /// Number of changes of the world that the files know, and their layout.
    known: (u64, Layout),
    /// Whether files have been opened since the last rows.
    has_new_files: bool,
    /// Whether the present files have rows, and whether they start after a snapshot.
    has_rows: bool,
    is_resumed: bool,
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
            known: (observed.revision, Layout::default()),
            has_new_files: false,
            has_rows: false,
            is_resumed,
            sequences: 1,
            complete: Vec::new(),
        };
        if let Some(description) = observed.description {
            let quantities = files::select_quantities(
                &options.record,
                &description.world,
                &description.sources,
                observed.simulation,
            )?;
            tables.open(observed, quantities, is_resumed)?;
            // the caller knows them
            tables.has_new_files = false;
        }
        Ok(tables)
    }

    /// Creates the files of a sequence of rows.
    fn open(
        &mut self,
        observed: &Observed<'_>,
        quantities: Quantities,
        resumed: bool,
    ) -> Result<(), Error> {
        (self.has_rows, self.is_resumed) = (false, resumed);
        let Some(description) = observed.description else { return Ok(()) };
        self.known = (observed.revision, Layout::new(observed.simulation, &quantities));
        self.has_new_files = true;
        let hashes = self.options.hash_period.is_some();
        let schedule = Schedule { period: self.options.period, hashes, resumed };
        let (folder, world) = (&self.folders[1], &description.world);
        let files = Files::new(folder, schedule, world, observed.simulation, quantities);
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

    /// Returns whether a number of completed steps is before the last rows.
    pub fn is_back(&self, steps: u64) -> bool {
        self.written.is_some_and(|written| steps < written)
    }

    /// Writes no rows until a run continues.
    pub fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Drops the rows of the present files before the next rows.
    pub fn clear(&mut self) {
        self.is_cleared = true;
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
        let is_back = self.is_back(steps);
        if self.written == Some(steps) {
            return Ok(false);
        }
        if is_back {
            self.begin_sequence(observed, self.quantities(observed))?;
        } else {
            self.follow(observed)?;
        }
        self.written = Some(steps);
        // without a description, files cannot be opened again
        let has_files = self.files.is_some() && observed.description.is_some();
        if std::mem::take(&mut self.is_cleared) && has_files && !self.has_new_files {
            let quantities = self.quantities(observed);
            self.replace_files(observed, quantities, true)?;
        }
        let is_repeated = std::mem::take(&mut self.repeats);
        if let Some(files) = self.files.as_mut().filter(|_| !is_repeated) {
            self.has_rows = true;
            files.observe(observed.simulation).map_err(OutputError::from)?;
            if let Some(hashes) = &mut self.hashes
                && let Some(row) = hashes.observe(observed.simulation)?
            {
                files.write_hash(&row).map_err(OutputError::from)?;
            }
        }
        Ok(std::mem::take(&mut self.has_new_files))
    }

    /// Continues with a changed world: in the same files if they have the same rows and columns, and otherwise in new ones.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn follow(&mut self, observed: &Observed<'_>) -> Result<(), Error> {
        if self.known.0 == observed.revision {
            return Ok(());
        }
        let quantities = self.quantities(observed);
        let layout = Layout::new(observed.simulation, &quantities);
        let Some(files) = &mut self.files else { return Ok(()) };
        if layout == self.known.1 {
            files.rebind(observed.simulation, quantities);
            self.known.0 = observed.revision;
            return Ok(());
        }
        match self.has_rows {
            true => self.begin_sequence(observed, quantities),
            false => self.replace_files(observed, quantities, self.is_resumed),
        }
    }

    /// Continues in separate files, after time has gone back or in another layout.
    fn begin_sequence(
        &mut self,
        observed: &Observed<'_>,
        quantities: Quantities,
    ) -> Result<(), Error> {
        if !(self.has_rows || self.is_resumed) {
            return self.replace_files(observed, quantities, false);
        }
        let Some(files) = self.files.take() else { return Ok(()) };
        self.complete.extend(files.finish().map_err(OutputError::from)?);
        self.sequences += 1;
        self.folders[1] = self.folders[0].join(format!("session-{}", self.sequences));
        self.open(observed, quantities, false)?;
        self.hashes = self.hashes.take().map(Hashes::again);
        Ok(())
    }

    /// Replaces the present files by new ones. The rows of `is_resumed` ones keep their times.
    fn replace_files(
        &mut self,
        observed: &Observed<'_>,
        quantities: Quantities,
        is_resumed: bool,
    ) -> Result<(), Error> {
        let files = self.files.take().map(Files::finish).transpose();
        let before = files.map_err(OutputError::from)?.unwrap_or_default();
        self.open(observed, quantities, is_resumed)?;
        let present = self.paths();
        for path in before.iter().filter(|path| !present.contains(path)) {
            // a folder that is not empty has files of another program
            let _ = if path.is_dir() { remove_dir(path) } else { remove_file(path) };
        }
        Ok(())
    }

    /// Returns the quantities of `quantities.csv`, without those that the world does not have.
    fn quantities(&self, observed: &Observed<'_>) -> Quantities {
        observed.description.map_or_else(Quantities::default, |description| {
            files::present(&self.options.record, &description.world, observed.simulation)
        })
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

/// The entities, sensors and quantities of the rows and columns of files.
#[derive(Default, PartialEq)]
struct Layout {
    /// Names of the vehicles, blocks and actors.
    entities: Vec<String>,
    /// Names of the wheels, vehicle by vehicle.
    wheels: Vec<String>,
    sensors: Vec<SensorInfo>,
    /// Names, numbers of values and units.
    quantities: Vec<(String, Option<usize>, Units)>,
}

impl Layout {
    /// Returns the layout of the files of a simulation with quantities of `quantities.csv`.
    pub fn new(simulation: &Simulation, quantities: &Quantities) -> Self {
        let movers = simulation.movers().map(|(label, _)| label.to_owned());
        let infos = quantities.infos().iter();
        Self {
            entities: simulation.vehicle_names().iter().cloned().chain(movers).collect(),
            wheels: simulation.wheels().map(|wheel| wheel.wheel.to_owned()).collect(),
            sensors: simulation.sensors().to_vec(),
            quantities: infos.map(|info| (info.name.clone(), info.len, info.units)).collect(),
        }
    }
}

/// Computes the rows of `hash.csv`.
struct Hashes {
    every: f64,
    period: Period,
}

impl Hashes {
    /// Creates rows every `every` seconds. The rows of a resumed run start after the snapshot.
    pub fn new(every: f64, resumed: Option<Clock>) -> Self {
        let period = match resumed {
            Some(clock) => Period::after(every, clock),
            None => Period::new(every),
        };
        Self { every, period }
    }

    /// Begins again, after time has gone back.
    #[must_use]
    pub fn again(self) -> Self {
        Self::new(self.every, None)
    }

    /// Returns a row if one is due.
    ///
    /// # Errors
    /// Fails if a model cannot save its memory.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<Option<HashRow>, SnapshotError> {
        let clock = simulation.clock();
        if !self.period.is_due(clock) {
            return Ok(None);
        }
        let hash = simulation.state_hash()?;
        Ok(Some(HashRow { time: clock.time(), step: clock.steps, hash }))
    }
}
