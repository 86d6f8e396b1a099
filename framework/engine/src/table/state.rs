//! Tables in snapshots.
//!
//! Every field is named here, so that a new field does not compile before it is classified as state or
//! not. Columns are written as a whole.

use super::step::Table;
use super::vehicles::{Lane, Vehicles};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::model::Call;

impl Table {
    /// Returns the calls that hold the states and memories of all models, one call per model.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.models.stateful()
    }

    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            vehicles,
            models,
            // determined by the world file
            driving: _,
            imposed: _,
            odometry: _,
            brakes: _,
            level_loads: _,
            commands: _,
            measurements: _,
            // its columns are written with the others
            sensor_inputs: _,
            // its columns are written with the others, and the faults of the world know which are present
            port_faults: _,
            // has no influence on the simulation
            books: _,
            // used within a step
            extrapolation: _,
            faults: _,
            finite: _,
            finite_spans: _,
            kept: _,
            stopped: _,
            has_memory: _,
            leaves_search: _,
            is_sound: _,
        } = self;
        vehicles.write(to)?;
        models.stateful().try_for_each(|call| call.write(to))
    }

    /// Reads the state of a table that was built from the same description.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.vehicles.read(from)?;
        self.models.stateful().try_for_each(|call| call.read(from))
    }
}

impl Vehicles {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            columns,
            lanes,
            any_disabled,
            // determined by the world file
            wheels: _,
            any_springs: _,
            is_tipping: _,
            host: _,
            bodies: _,
            environment: _,
        } = self;
        columns.write(to)?;
        to.put(any_disabled)?;
        lanes.iter().try_for_each(|lane| lane.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.columns.read(from)?;
        self.any_disabled = from.take()?;
        self.is_tipping = true;
        self.lanes.iter_mut().try_for_each(|lane| lane.read(from))
    }
}

impl Lane {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            disabled,
            uses_fallback,
            tilt,
            normal,
            fall,
            // used within a step
            keeps_velocity: _,
            // determined by the world file
            vehicle: _,
            name: _,
            // of a member of an ensemble, whose seed and steps are inputs of the run
            run: _,
            body: _,
            keeps_pose: _,
            springs: _,
            tipping: _,
            trails: _,
            // follows from the ground in each step
            ride: _,
            // is reported only
            tipped: _,
            contacts: _,
        } = self;
        to.put_short(&(disabled, uses_fallback, tilt, normal, fall))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        (self.disabled, self.uses_fallback, self.tilt, self.normal, self.fall) = from.take()?;
        Ok(())
    }
}
