//! All output that a run writes while it is running.

use std::path::PathBuf;

use simhost_engine::{Divergence, Quantities, Simulation};
use simhost_world::World;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::hashes::Hashes;
use crate::observer::{Observer, Schedule};
use crate::snapshots::Snapshots;

/// All output that a run writes while it is running.
pub struct Recording {
    observer: Option<Observer>,
    /// Rows of `hash.csv`, which the observer writes.
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
        (world, simulation): (&World, &Simulation),
        quantities: Quantities,
        resumed: bool,
    ) -> Result<Self, Failure> {
        let out = arguments.out.as_deref();
        let every = arguments.resuming.hash_every.filter(|_| out.is_some());
        let schedule = Schedule { period: arguments.log_period, hashes: every.is_some(), resumed };
        let observer = out
            .map(|folder| Observer::new(folder, schedule, (world, simulation), quantities))
            .transpose()
            .map_err(|error| Failure::new(Code::Output, error))?;
        let from = resumed.then(|| simulation.clock());
        let hashes = every.map(|every| Hashes::new(every, from));
        let snapshots = Snapshots::new(&arguments.resuming, out, simulation)?;
        Ok(Self { observer, hashes, snapshots })
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        if let Some(observer) = &mut self.observer {
            observer.rebind(world, simulation);
        }
    }

    /// Returns whether nothing is written before the run ends.
    pub fn is_idle(&self) -> bool {
        self.observer.is_none() && self.snapshots.is_idle()
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
        let failed = |error| Failure::new(Code::Output, error);
        if let Some(observer) = &mut self.observer {
            observer.observe(simulation).map_err(failed)?;
            if let Some(hashes) = &mut self.hashes
                && let Some(row) = hashes.observe(simulation)?
            {
                observer.write_hash(&row).map_err(failed)?;
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
        let files = self.observer.map(|observer| observer.finish(simulation)).transpose();
        Ok(files.map_err(|error| Failure::new(Code::Output, error))?.unwrap_or_default())
    }
}
