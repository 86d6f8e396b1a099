//! The state of a simulation as bytes: to go on from it later, elsewhere or twice, and to compare runs.
//!
//! A snapshot is complete: a simulation of the same world that is restored from it goes on bit for bit as
//! the one that it was taken of. It holds columns of tables, what models remember, bodies with their
//! contacts and joints as rapier keeps them, plans, and when sensors are due. It does not hold what a run
//! is given: the world, its models, commands and the seed of draws, of which none leaves a trace but
//! in the state. So a run can be taken up with other commands or another seed from there on.
//!
//! The state hash is that of the very same bytes, so two runs with equal hashes have equal futures.

mod error;
mod file;
mod fit;
mod header;
mod tape;

use xxhash_rust::xxh3::xxh3_128;

use crate::fault::{Evidence, FaultReport};
use crate::simulation::Simulation;

pub use error::{RestoreError, SnapshotError, SnapshotFileError};
pub use file::SNAPSHOT_FORMAT;
pub use fit::Fit;
pub(crate) use header::stamps;
pub use header::{ModelStamp, SnapshotHeader};
pub(crate) use tape::{Reader, Writer};

/// The state of a simulation after a step, and what it is a state of.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    header: SnapshotHeader,
    /// Evidence of the faults after which the run went on, as JSON. They decide nothing.
    faults: Vec<String>,
    state: Vec<u8>,
}

impl Snapshot {
    /// What it is a state of.
    pub fn header(&self) -> &SnapshotHeader {
        &self.header
    }

    /// As [`Simulation::state_hash`] of the simulation that it was taken of.
    pub fn state_hash(&self) -> u128 {
        xxh3_128(&self.state)
    }
}

impl std::fmt::Debug for Snapshot {
    /// Without the bytes, of which there may be millions.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hash = format!("{:032x}", self.state_hash());
        f.debug_struct("Snapshot").field("header", &self.header).field("state", &hash).finish()
    }
}

impl Simulation {
    /// The state after the steps done. Taking it changes nothing.
    ///
    /// # Errors
    /// [`SnapshotError`] when a model cannot save what it remembers.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let faults = self.faults.iter().map(|fault| serde_json::to_string(&fault.evidence));
        let faults = faults.collect::<Result<_, _>>().map_err(SnapshotError::encoding)?;
        Ok(Snapshot { header: SnapshotHeader::of(self), faults, state: self.state()? })
    }

    /// A number of 128 bits over everything that decides the future, given world, models, commands and
    /// seed. It does not depend on threads, on how the program was built, or on where models come from.
    ///
    /// # Errors
    /// As [`Self::snapshot`].
    pub fn state_hash(&self) -> Result<u128, SnapshotError> {
        self.state().map(|state| xxh3_128(&state))
    }

    /// Goes on from a snapshot, in place of [`Self::start`]. Commands whose time has come by then are not
    /// carried out again; the seed stays that of this simulation.
    ///
    /// # Errors
    /// [`RestoreError`] when the snapshot does not fit or its bytes make no sense; the simulation then is
    /// as it was.
    pub fn restore(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), RestoreError> {
        fit::check(&snapshot.header, &SnapshotHeader::of(self), fit)?;
        let faults = snapshot.faults.iter().map(|text| {
            let evidence: Evidence = serde_json::from_str(text).map_err(RestoreError::damaged)?;
            Ok(FaultReport::new(evidence, &self.policy))
        });
        let faults = faults.collect::<Result<_, RestoreError>>()?;
        let before = self.state().map_err(|error| RestoreError::damaged(&error))?;
        if let Err(error) = self.set_state(&snapshot.state) {
            self.set_state(&before).expect("a state that this simulation wrote fits it");
            return Err(error);
        }
        self.faults = faults;
        self.skip_commands();
        Ok(())
    }

    fn state(&self) -> Result<Vec<u8>, SnapshotError> {
        let mut writer = Writer::default();
        self.write(&mut writer)?;
        Ok(writer.bytes)
    }

    fn set_state(&mut self, state: &[u8]) -> Result<(), RestoreError> {
        let mut reader = Reader::new(state);
        self.read(&mut reader)?;
        reader.finish()
    }

    /// A new field must be sorted in here before this compiles: state, or what a run is given.
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            tables,
            physics,
            plans,
            sensors,
            clock,
            // what the world makes of it
            places: _,
            names: _,
            movers: _,
            regions_at_zero: _,
            overlaps: _,
            policy: _,
            pool: _,
            origin: _,
            limits: _,
            // follows bodies and time at the start of each step
            ground: _,
            // what the run is given
            seed: _,
            commands: _,
            // follows from the time
            next_command: _,
            // what has been told
            faults: _,
            substeps: _,
        } = self;
        to.put(&clock.steps)?;
        tables.iter().try_for_each(|table| table.write(to))?;
        physics.write(to)?;
        plans.write(to)?;
        sensors.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        self.clock.steps = from.take()?;
        self.tables.iter_mut().try_for_each(|table| table.read(from))?;
        self.physics.read(from)?;
        self.plans.read(from)?;
        self.sensors.read(from)
    }
}

#[cfg(test)]
mod tests;
