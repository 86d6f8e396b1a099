//! Tables in snapshots.
//!
//! Every field is named here, so that a new field does not compile before it is classified as state or
//! not. Columns are written as a whole.

use super::step::Table;
use super::vehicles::{Lane, Vehicles, Wheels};
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
            commands: _,
            measurements: _,
            // has no influence on the simulation
            books: _,
            // used within a step
            extrapolation: _,
            faults: _,
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
            wheels,
            any_disabled,
            // determined by the world file
            host: _,
            bodies: _,
            environment: _,
        } = self;
        let Wheels { angle, force, heading, count: _, names: _, mounting: _ } = wheels;
        columns.write(to)?;
        to.put(angle)?;
        to.put(force)?;
        to.put(heading)?;
        to.put(any_disabled)?;
        lanes.iter().try_for_each(|lane| lane.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let wheels = &mut self.wheels;
        self.columns.read(from)?;
        from.fill(&mut wheels.angle)?;
        let force: [Vec<f64>; 2] = from.take()?;
        if force.iter().any(|axis| axis.len() != wheels.heading.len()) {
            return Err(DecodeError::damaged("the wheel forces are of other wheels"));
        }
        wheels.force = force;
        from.fill(&mut wheels.heading)?;
        self.any_disabled = from.take()?;
        self.lanes.iter_mut().try_for_each(|lane| lane.read(from))
    }
}

impl Lane {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            heading,
            velocity,
            disabled,
            uses_fallback,
            attitude,
            odometry,
            tilt,
            normal,
            // computed before it is used
            pull: _,
            // determined by the world file
            vehicle: _,
            name: _,
            body: _,
            mass: _,
            inertia: _,
            centre: _,
            damping: _,
            footing: _,
            footing_radius: _,
            border: _,
            loading: _,
            odometry_multipliers: _,
        } = self;
        let moving = (heading, velocity, disabled, uses_fallback);
        to.put(&(moving, (attitude, odometry, tilt, normal)))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let Self {
            heading,
            velocity,
            disabled,
            uses_fallback,
            attitude,
            odometry,
            tilt,
            normal,
            ..
        } = self;
        (
            (*heading, *velocity, *disabled, *uses_fallback),
            (*attitude, *odometry, *tilt, *normal),
        ) = from.take()?;
        Ok(())
    }
}
