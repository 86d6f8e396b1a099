//! The files that a run writes while it is running.

use std::path::{Path, PathBuf};

use simhost::Session;
use simhost_engine::{Divergence, Quantities, Simulation};
use simhost_world::World;

use crate::arguments::Run;
use crate::csv_files::{CsvFiles, Schedule};
use crate::exit::{Code, Failure};
use crate::hashes::Hashes;
use crate::quantities;
use crate::snapshots::Snapshots;

/// The files that a run writes while it is running.
pub struct Recording {
    arguments: Run,
    files: Option<CsvFiles>,
    /// Rows of `hash.csv`.
    hashes: Option<Hashes>,
    snapshots: Snapshots,
    /// Number of completed steps when rows were last written.
    written: Option<u64>,
    is_resumed: bool,
    /// Changes of the world that the files know, and the names of its entities.
    known: (u64, Vec<String>),
    /// Number of sequences of rows: time goes back, or entities come and go, between two of them.
    sequences: usize,
    /// Files of earlier sequences.
    complete: Vec<PathBuf>,
}

impl Recording {
    /// Creates the files of a run that starts, or is resumed from a snapshot.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn new(
        arguments: &Run,
        session: &Session,
        quantities: Quantities,
        is_resumed: bool,
    ) -> Result<Self, Failure> {
        let simulation = session.simulation();
        let out = arguments.out.as_deref();
        let every = arguments.resuming.hash_every.filter(|_| out.is_some());
        let files = create(arguments, out, session, quantities, is_resumed)?;
        let from = is_resumed.then(|| simulation.clock());
        let hashes = every.map(|every| Hashes::new(every, from));
        let snapshots = Snapshots::new(&arguments.resuming, out, simulation)?;
        Ok(Self {
            arguments: arguments.clone(),
            files,
            hashes,
            snapshots,
            written: None,
            is_resumed,
            known: (session.revision(), entities(simulation)),
            sequences: 1,
            complete: Vec::new(),
        })
    }

    /// Returns the paths of the files that have been created, and of those that the end of the run adds.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.as_ref().map_or(Vec::new(), CsvFiles::paths)
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        if let Some(files) = &mut self.files {
            files.rebind(world, simulation);
        }
    }

    /// Returns whether nothing is written before the run ends.
    pub fn is_idle(&self) -> bool {
        self.files.is_none() && self.snapshots.is_idle()
    }

    /// Writes everything that is due after the completed steps, once. Rows at the time of a snapshot belong
    /// to the original run, so a resumed run does not write them again.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or a snapshot cannot be taken.
    pub fn observe(&mut self, session: &mut Session) -> Result<(), Failure> {
        let steps = session.steps();
        let before = self.written.replace(steps);
        if before == Some(steps) {
            return Ok(());
        }
        self.follow(session, before.is_some_and(|before| steps < before))?;
        let failed = |error| Failure::new(Code::Output, error);
        let is_repeated = before.is_none() && self.is_resumed;
        if let Some(files) = self.files.as_mut().filter(|_| !is_repeated) {
            files.observe(session.simulation()).map_err(failed)?;
            if let Some(hashes) = &mut self.hashes
                && let Some(row) = hashes.observe(session.simulation())?
            {
                files.write_hash(&row).map_err(failed)?;
            }
        }
        self.snapshots.observe(session)
    }

    /// Continues with a world that an input has changed, in files of their own if time has gone back or if
    /// it has other entities.
    fn follow(&mut self, session: &mut Session, is_back: bool) -> Result<(), Failure> {
        let is_changed = self.known.0 != session.revision();
        if self.files.is_none() || !(is_back || is_changed) {
            return Ok(());
        }
        let names = entities(session.simulation());
        let is_same = names == self.known.1;
        self.known = (session.revision(), names);
        if is_same && !is_back {
            if let Some(world) = session.world().cloned() {
                self.rebind(&world, session.simulation());
            }
            return Ok(());
        }
        if let Some(files) = self.files.take() {
            self.complete.extend(finish(files, session.simulation())?);
        }
        self.sequences += 1;
        let name = format!("session-{}", self.sequences);
        let folder = self.arguments.out.as_ref().map(|out| out.join(name));
        let described = session.world().zip(session.sources());
        let quantities = described.map_or(Ok(Quantities::default()), |(world, sources)| {
            quantities::recorded(&self.arguments.record, (world, sources), session.simulation())
        });
        // what was recorded may have been removed
        let quantities = quantities.unwrap_or_default();
        self.files = create(&self.arguments, folder.as_deref(), session, quantities, false)?;
        self.hashes = self.hashes.take().map(|hashes| hashes.again());
        session.announce_files(&self.paths()).map_err(crate::opening::failure)
    }

    /// Writes the last snapshot before a divergence, and returns a note about it.
    pub fn keep_last(&self, divergence: &Divergence) -> String {
        self.snapshots.keep_last(divergence)
    }

    /// Completes all files and returns their paths.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn finish(self, simulation: &Simulation) -> Result<Vec<PathBuf>, Failure> {
        let mut files = self.complete;
        if let Some(open) = self.files {
            files.extend(finish(open, simulation)?);
        }
        Ok(files)
    }
}

/// Creates the files of a sequence of rows in a folder.
fn create(
    arguments: &Run,
    folder: Option<&Path>,
    session: &Session,
    quantities: Quantities,
    is_resumed: bool,
) -> Result<Option<CsvFiles>, Failure> {
    let hashes = arguments.resuming.hash_every.is_some();
    let schedule = Schedule { period: arguments.log_period, hashes, resumed: is_resumed };
    let (Some(folder), Some(world)) = (folder, session.world()) else { return Ok(None) };
    let files = CsvFiles::new(folder, schedule, (world, session.simulation()), quantities);
    files.map(Some).map_err(|error| Failure::new(Code::Output, error))
}

fn finish(files: CsvFiles, simulation: &Simulation) -> Result<Vec<PathBuf>, Failure> {
    files.finish(simulation).map_err(|error| Failure::new(Code::Output, error))
}

/// Returns the names of everything that files have rows or columns for.
fn entities(simulation: &Simulation) -> Vec<String> {
    let movers = simulation.movers().map(|(label, _)| label.to_owned());
    let sensors = simulation.sensors().iter();
    let sensors = sensors.map(|sensor| format!("{}/{}", sensor.vehicle, sensor.sensor));
    simulation.vehicle_names().iter().cloned().chain(movers).chain(sensors).collect()
}
