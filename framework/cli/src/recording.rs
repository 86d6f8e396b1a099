//! Everything that a run writes while it goes on.

use std::path::PathBuf;

use simhost_engine::{Divergence, Simulation};
use simhost_world::World;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::hashes::Hashes;
use crate::observer::Observer;
use crate::snapshots::Snapshots;

/// Everything that a run writes while it goes on.
pub struct Recording {
    observer: Option<Observer>,
    hashes: Option<Hashes>,
    snapshots: Snapshots,
}

impl Recording {
    /// Opens the files of a run that is about to begin, or to go on from a snapshot.
    ///
    /// # Errors
    /// They cannot be written.
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

    /// Before the first step of a run that goes on: what stands in the files of the run before is not
    /// written again.
    ///
    /// # Errors
    /// A snapshot cannot be taken.
    pub fn go_on(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.snapshots.observe(simulation)
    }

    /// Writes what is due.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if let Some(observer) = &mut self.observer {
            observer.observe(simulation).map_err(|error| Failure::new(Code::Output, error))?;
        }
        if let Some(hashes) = &mut self.hashes {
            hashes.observe(simulation)?;
        }
        self.snapshots.observe(simulation)
    }

    /// Writes the last good snapshot of a run that has diverged; what there is to tell of that.
    pub fn keep_last(&self, divergence: &Divergence) -> String {
        self.snapshots.keep_last(divergence)
    }

    /// Completes the files; their paths come back.
    ///
    /// # Errors
    /// They cannot be written.
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
