//! What of a table goes into a snapshot.
//!
//! Everything is named here, so that a new field must be sorted in before this compiles. Columns go as a
//! whole.

use super::{Lane, Table};
use crate::model::Call;
use crate::snapshot::{Reader, RestoreError, SnapshotError, Writer};

/// The calls that hold the state of a table's models.
pub(crate) struct ModelCalls<'t> {
    /// Its lanes are vehicles.
    pub controller: &'t Call,
    /// Its lanes are vehicles.
    pub dynamics: &'t Call,
    /// Its lanes are wheels.
    pub friction: &'t Call,
    /// Replaces `friction` after a fault; its lanes are wheels.
    pub fallback: Option<&'t Call>,
}

impl Table {
    /// Returns the calls that hold the state of its models, by role.
    pub fn models(&self) -> ModelCalls<'_> {
        ModelCalls {
            controller: &self.control,
            dynamics: &self.drive,
            friction: &self.friction,
            fallback: self.fallback.as_ref().map(|fallback| &fallback.call),
        }
    }

    /// The calls of its models, one a model; others of a model share what it remembers.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let own = [&self.control, &self.drive, &self.friction];
        own.into_iter().chain(self.fallback.as_ref().map(|fallback| &fallback.call))
    }

    /// Takes the state down.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            columns,
            lanes,
            angle,
            force,
            turned,
            any_disabled,
            // with what they remember
            control: _,
            drive: _,
            measure: _,
            friction: _,
            rates: _,
            fallback: _,
            // what the world makes of it
            host: _,
            wheels: _,
            wheel_names: _,
            mounting: _,
            driving: _,
            policy: _,
            imposed: _,
            odometry: _,
            commands: _,
            measurements: _,
            around: _,
            brakes: _,
            // it decides nothing
            books: _,
            // is made and used within a step
            extrapolation: _,
        } = self;
        columns.write(to)?;
        to.put(angle)?;
        to.put(force)?;
        to.put(turned)?;
        to.put(any_disabled)?;
        lanes.iter().try_for_each(|lane| lane.write(to))?;
        self.calls().try_for_each(|call| call.write(to))
    }

    /// Takes the state of another one that was built the same.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        self.columns.read(from)?;
        from.fill(&mut self.angle)?;
        let force: [Vec<f64>; 2] = from.take()?;
        if force.iter().any(|part| part.len() != self.turned.len()) {
            return Err(RestoreError::damaged("forces of other wheels"));
        }
        self.force = force;
        from.fill(&mut self.turned)?;
        self.any_disabled = from.take()?;
        self.lanes.iter_mut().try_for_each(|lane| lane.read(from))?;
        self.calls().try_for_each(|call| call.read(from))
    }
}

impl Lane {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            turned,
            velocity,
            disabled,
            falls_back,
            attitude,
            odometry,
            tilt,
            normal,
            // made anew before it acts
            pull: _,
            // what the world makes of it
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
            weight: _,
            odometry_multipliers: _,
        } = self;
        to.put(&(turned, velocity, disabled, falls_back, attitude, odometry, tilt, normal))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        let Self {
            turned, velocity, disabled, falls_back, attitude, odometry, tilt, normal, ..
        } = self;
        (*turned, *velocity, *disabled, *falls_back, *attitude, *odometry, *tilt, *normal) =
            from.take()?;
        Ok(())
    }
}
