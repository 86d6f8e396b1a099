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

use crate::encoding::{DecodeError, SnapshotError};
use crate::fault::{Evidence, FaultReport};
use crate::simulation::Simulation;

pub use error::{RestoreError, SnapshotFileError};
pub use file::{SNAPSHOT_FORMAT, Snapshot};
pub use fit::Fit;
pub use header::SnapshotHeader;

impl Simulation {
    /// Takes a snapshot of the state after the completed steps. The simulation does not change.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let faults = self.state.faults.iter().map(|fault| serde_json::to_string(&fault.evidence));
        let faults = faults.collect::<Result<_, _>>().map_err(SnapshotError::encoding)?;
        let (header, edits) = (header_of(self), self.state.edits.clone());
        Ok(Snapshot { header, faults, state: self.state.encode()?, edits })
    }

    /// Returns 128 bits over everything that determines the future, given world, models, commands and
    /// seed. The hash does not depend on the number of threads, the build of the program, or the files
    /// from which models were loaded.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn state_hash(&self) -> Result<u128, SnapshotError> {
        self.state.encode().map(|state| file::hash_of(&state, &self.state.edits))
    }

    /// Restores a snapshot, instead of [`Self::start`]. Commands whose time has passed are not carried
    /// out again. The seed stays that of this simulation.
    ///
    /// # Errors
    /// [`RestoreError`] if the snapshot does not fit or is damaged; the simulation then does not change.
    pub fn restore(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), RestoreError> {
        fit::check(&snapshot.header, &header_of(self), fit)?;
        if snapshot.edits != self.state.edits {
            let reasons = vec!["its world has been changed in another way".to_owned()];
            return Err(RestoreError::Misfit { reasons, may_be_forced: false });
        }
        let faults = snapshot.faults.iter().map(|text| {
            let evidence: Evidence = serde_json::from_str(text).map_err(DecodeError::damaged)?;
            Ok(FaultReport::new(evidence, &self.blueprint.policy))
        });
        let faults = faults.collect::<Result<_, RestoreError>>()?;
        // a snapshot that a simulation of the same origin has taken fits, unless a model rejects its memory
        let is_own = Arc::ptr_eq(&snapshot.header.models, &self.blueprint.models);
        let before = (!is_own || self.state.calls().any(|call| call.memories().is_some()))
            .then(|| self.state.encode());
        let before = before.transpose().map_err(DecodeError::damaged)?;
        if let Err(error) = self.state.decode(&snapshot.state) {
            let before = before.expect("the state of a simulation of the same origin fits");
            self.state.decode(&before).expect("a state that this simulation wrote fits it");
            return Err(error.into());
        }
        self.state.faults = faults;
        self.state.skip_commands();
        Ok(())
    }
}

/// Returns the header of a snapshot of a simulation.
fn header_of(of: &Simulation) -> SnapshotHeader {
    SnapshotHeader {
        host: env!("CARGO_PKG_VERSION").to_owned(),
        world: of.blueprint.world,
        vehicles: Arc::clone(of.blueprint.names.all()),
        seed: of.state.seed,
        step: of.state.clock.steps,
        time: of.state.clock.time(),
        dt: of.state.clock.dt,
        models: Arc::clone(&of.blueprint.models),
    }
}

#[cfg(test)]
mod tests;
