//! Snapshots: the state of a simulation as bytes, to resume or fork a run and to compare runs.
//!
//! A snapshot is complete: a simulation of the same world that is restored from it continues bit for
//! bit like the original. It holds the columns of tables, memories of models, bodies with the contacts
//! and joints of rapier, plans, and the times at which sensors are due. It does not hold the inputs of a
//! run: the world, its models, commands and the seed, which influence the state only through the steps.
//! A run can therefore be forked with other commands or another seed.
//!
//! The state hash is the hash of the same bytes. Two runs with equal inputs and equal state hashes have
//! equal futures.

mod error;
mod file;
mod fit;
mod header;

use std::sync::Arc;

use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::fault::{Evidence, FaultReport};
use crate::simulation::Simulation;
use crate::table::Table;

pub use error::{RestoreError, SnapshotFileError};
pub use file::{SNAPSHOT_FORMAT, Snapshot};
pub use fit::Fit;
pub use header::SnapshotHeader;

/// Number of bytes that a body and its vehicle usually have in a snapshot, besides columns.
const BYTES_PER_BODY: usize = 512;

impl Simulation {
    /// Takes a snapshot of the state after the completed steps. The simulation does not change.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let faults = self.faults.iter().map(|fault| serde_json::to_string(&fault.evidence));
        let faults = faults.collect::<Result<_, _>>().map_err(SnapshotError::encoding)?;
        let (header, edits) = (self.header(), self.edits.clone());
        Ok(Snapshot { header, faults, state: self.state()?, edits })
    }

    /// Returns 128 bits over everything that determines the future, given world, models, commands and
    /// seed. The hash does not depend on the number of threads, the build of the program, or the files
    /// from which models were loaded.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn state_hash(&self) -> Result<u128, SnapshotError> {
        self.state().map(|state| file::hash_of(&state, &self.edits))
    }

    /// Restores a snapshot, instead of [`Self::start`]. Commands whose time has passed are not carried
    /// out again. The seed stays that of this simulation.
    ///
    /// # Errors
    /// [`RestoreError`] if the snapshot does not fit or is damaged; the simulation then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), RestoreError> {
        fit::check(&snapshot.header, &self.header(), fit)?;
        if snapshot.edits != self.edits {
            let reasons = vec!["its world has been changed in another way".to_owned()];
            return Err(RestoreError::Misfit { reasons, may_be_forced: false });
        }
        let faults = snapshot.faults.iter().map(|text| {
            let evidence: Evidence = serde_json::from_str(text).map_err(DecodeError::damaged)?;
            Ok(FaultReport::new(evidence, &self.policy))
        });
        let faults = faults.collect::<Result<_, RestoreError>>()?;
        // a snapshot that a simulation of the same origin has taken fits, unless a model rejects its memory
        let is_own = Arc::ptr_eq(&snapshot.header.models, &self.origin.models);
        let before = (!is_own || self.has_memory()).then(|| self.state());
        let before = before.transpose().map_err(DecodeError::damaged)?;
        if let Err(error) = self.set_state(&snapshot.state) {
            let before = before.expect("the state of a simulation of the same origin fits");
            self.set_state(&before).expect("a state that this simulation wrote fits it");
            return Err(error.into());
        }
        self.faults = faults;
        self.skip_commands();
        Ok(())
    }

    fn header(&self) -> SnapshotHeader {
        SnapshotHeader {
            host: env!("CARGO_PKG_VERSION").to_owned(),
            world: self.origin.world,
            vehicles: Arc::clone(self.names.all()),
            seed: self.seed,
            step: self.clock.steps,
            time: self.clock.time(),
            dt: self.clock.dt,
            models: Arc::clone(&self.origin.models),
        }
    }

    fn state(&self) -> Result<Vec<u8>, SnapshotError> {
        let numbers: usize =
            self.tables.iter().map(|table| table.vehicles.columns.state_count()).sum();
        let bytes = numbers * size_of::<f64>() + self.physics.body_count() * BYTES_PER_BODY;
        let mut writer = Writer { bytes: Vec::with_capacity(bytes) };
        self.write_state(&mut writer)?;
        Ok(writer.bytes)
    }

    /// Returns whether a model keeps memory in addition to its state slots.
    fn has_memory(&self) -> bool {
        let tables = self.tables.iter().flat_map(Table::calls).chain(self.fleets.calls());
        let mut all = tables.chain(self.sensors.calls()).chain(self.environments.calls());
        all.any(|call| call.memories().is_some())
    }

    fn set_state(&mut self, state: &[u8]) -> Result<(), DecodeError> {
        let mut reader = Reader::new(state);
        self.read_state(&mut reader)?;
        reader.finish()
    }
}

#[cfg(test)]
mod tests;
