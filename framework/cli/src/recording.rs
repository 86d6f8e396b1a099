//! All output that a run writes while it is running.

use std::path::{Path, PathBuf};

use simhost_engine::{Divergence, Observers, Quantities, RunEnding, Simulation, Stop};
use simhost_world::{Sources, World};

use crate::arguments::Run;
use crate::csv_files::{CsvFiles, Schedule};
use crate::diagnostics;
use crate::exit::{Code, Failure};
use crate::hashes::Hashes;
use crate::snapshots::Snapshots;

/// All output that a run writes while it is running.
pub struct Recording {
    files: Option<CsvFiles>,
    /// Rows of `hash.csv`.
    hashes: Option<Hashes>,
    snapshots: Snapshots,
    /// Observers of the world.
    observers: Observers,
    /// Texts of the world until observers have begun.
    sources: Option<Sources>,
    /// Directory of all files.
    out: Option<PathBuf>,
}

/// Everything that reads quantities while a run is running.
pub struct Watched {
    /// Quantities of `quantities.csv`.
    pub quantities: Quantities,
    /// Observers of the world.
    pub observers: Observers,
    /// Texts of the world for errors at the start of observers, if there are any.
    pub sources: Option<Sources>,
}

impl Recording {
    /// Creates the files of a run that starts, or is resumed from a snapshot.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn new(
        arguments: &Run,
        (world, simulation): (&World, &Simulation),
        Watched { quantities, observers, sources }: Watched,
        resumed: bool,
    ) -> Result<Self, Failure> {
        let out = arguments.out.as_deref();
        let every = arguments.resuming.hash_every.filter(|_| out.is_some());
        let schedule = Schedule { period: arguments.log_period, hashes: every.is_some(), resumed };
        let files = out
            .map(|folder| CsvFiles::new(folder, schedule, (world, simulation), quantities))
            .transpose()
            .map_err(|error| Failure::new(Code::Output, error))?;
        let from = resumed.then(|| simulation.clock());
        let hashes = every.map(|every| Hashes::new(every, from));
        let snapshots = Snapshots::new(&arguments.resuming, out, simulation)?;
        let out = out.map(Path::to_owned);
        Ok(Self { files, hashes, snapshots, observers, sources, out })
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    ///
    /// # Errors
    /// Fails if an observer cannot begin.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) -> Result<(), Failure> {
        self.observers
            .rebind(world, simulation)
            .map_err(|error| Failure::new(Code::PluginFault, error))?;
        if let Some(files) = &mut self.files {
            files.rebind(world, simulation);
        }
        Ok(())
    }

    /// Returns the observers of the world.
    pub fn observers(&self) -> &Observers {
        &self.observers
    }

    /// Returns whether nothing is written before the run ends.
    pub fn is_idle(&self) -> bool {
        self.files.is_none() && self.snapshots.is_idle()
    }

    /// Writes the output at the start of a run, and begins that of observers. Rows at the time of a
    /// snapshot belong to the original run, so a resumed run does not write them again. Returns the
    /// request of an observer to end the run.
    ///
    /// # Errors
    /// Fails if a file cannot be written, a snapshot cannot be taken, or an observer cannot begin.
    pub fn start(
        &mut self,
        simulation: &Simulation,
        is_resumed: bool,
    ) -> Result<Option<Stop>, Failure> {
        if is_resumed {
            self.snapshots.observe(simulation)?;
        } else {
            self.write(simulation)?;
        }
        let sources = self.sources.take().unwrap_or_default();
        self.observers
            .start(simulation, self.out.as_deref())
            .map_err(|error| diagnostics::observer_failure(&error, &sources))
    }

    /// Writes all output that is due, also that of observers. Returns the request of an observer to end
    /// the run.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<Option<Stop>, Failure> {
        self.write(simulation)?;
        Ok(self.observers.observe(simulation))
    }

    /// Ends the run of all observers, and returns the paths of the files that they have written.
    pub fn end(&mut self, simulation: &Simulation, ending: &RunEnding) -> Vec<PathBuf> {
        self.observers.end(simulation, ending)
    }

    fn write(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let failed = |error| Failure::new(Code::Output, error);
        if let Some(files) = &mut self.files {
            files.observe(simulation).map_err(failed)?;
            if let Some(hashes) = &mut self.hashes
                && let Some(row) = hashes.observe(simulation)?
            {
                files.write_hash(&row).map_err(failed)?;
            }
        }
        self.snapshots.observe(simulation)
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
        let files = self.files.map(|files| files.finish(simulation)).transpose();
        Ok(files.map_err(|error| Failure::new(Code::Output, error))?.unwrap_or_default())
    }
}
