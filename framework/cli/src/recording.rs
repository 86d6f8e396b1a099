//! All output that a run writes while it is running.

use std::path::PathBuf;

use simhost_engine::{Divergence, Simulation};
use simhost_world::World;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::hashes::Hashes;
use crate::observer::Observer;
use crate::snapshots::Snapshots;

/// All output that a run writes while it is running.
pub struct Recording {
    observer: Option<Observer>,
    hashes: Option<Hashes>,
    snapshots: Snapshots,
}

impl Recording {
    /// Creates the files of a run that starts, or is resumed from a snapshot.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn new(
        arguments: &Run,
        world: &World,
        simulation: &Simulation,
        resumed: bool,
    ) -> Result<Self, Failure> {
        let out = arguments.out.as_deref();
        let observer = out
            .map(|folder| Observer::new(folder, arguments.log_period, resumed, world, simulation))
            .transpose()
            .map_err(|error| Failure::new(Code::Output, error))?;
        let from = resumed.then(|| simulation.clock());
        let every = arguments.resuming.hash_every;
        let hashes = every.map(|every| Hashes::new(every, out, from)).transpose()?;
        let snapshots = Snapshots::new(&arguments.resuming, out, simulation)?;
        Ok(Self { observer, hashes, snapshots })
    }

    /// Prepares a resumed run. Rows at the time of the snapshot belong to the original run and are not
    /// written again.
    ///
    /// # Errors
    /// Fails if a snapshot cannot be taken.
    pub fn resume(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.snapshots.observe(simulation)
    }

    /// Writes all output that is due.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if let Some(observer) = &mut self.observer {
            observer.observe(simulation).map_err(|error| Failure::new(Code::Output, error))?;
        }
        if let Some(hashes) = &mut self.hashes {
            hashes.observe(simulation)?;
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
        let files = self.observer.map(|observer| observer.finish(simulation)).transpose();
        let mut files =
            files.map_err(|error| Failure::new(Code::Output, error))?.unwrap_or_default();
        if let Some(hashes) = self.hashes {
            files.extend(hashes.finish()?);
        }
        Ok(files)
    }
}
