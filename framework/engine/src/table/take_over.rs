//! Transfer of a vehicle from a table of another simulation of the same world.

use super::host::HostColumns;
use super::models::{Actuator, Models};
use super::step::Table;
use super::vehicles::Vehicles;
use super::wheel_friction::WheelFriction;
use crate::model::{MigrationError, copy_states};

/// A vehicle cannot be transferred.
pub(crate) enum VehicleError {
    /// The vehicles do not have the same wheels.
    Wheels(String),
    /// A model rejected the state of its predecessor.
    Model(MigrationError),
}

impl From<MigrationError> for VehicleError {
    fn from(error: MigrationError) -> Self {
        Self::Model(error)
    }
}

impl Table {
    /// Copies the state of a vehicle of another table.
    ///
    /// # Errors
    /// [`VehicleError`] if the wheels differ or a model rejects the state of its predecessor.
    pub fn take_over(
        &mut self,
        lane: usize,
        old: &Self,
        old_lane: usize,
    ) -> Result<(), VehicleError> {
        let (vehicles, from) = (&mut self.vehicles, &old.vehicles);
        if vehicles.wheels.names != from.wheels.names {
            let text = format!("the wheels of {} differ", vehicles.lanes[lane].fixed.name);
            return Err(VehicleError::Wheels(text));
        }
        let (to, source) = (&mut vehicles.lanes[lane], &from.lanes[old_lane]);
        let tilt = source.tilt;
        to.normal = source.normal;
        to.fall = source.fall;
        vehicles.set_tilt(lane, tilt);
        vehicles.is_tipping = true;
        let of_vehicle = |host: &HostColumns| {
            let [[nose, nose_rate], [side, side_rate]] = host.sway;
            let [force_x, force_y] = host.wheel_force;
            let (slope_x, slope_y) = (host.measured.slope_ax, host.measured.slope_ay);
            let [z, pitch, roll] = host.own.attitude;
            let [x, y, yaw] = host.own.odometry;
            let sway = [nose, nose_rate, side, side_rate];
            let other = [force_x, force_y, slope_x, slope_y, z, pitch, roll, x, y, yaw];
            let space = host.motion.filter(|_| host.spatial).map(|motion| motion.state());
            sway.into_iter().chain(other).chain(space.into_iter().flatten())
        };
        for (column, source) in of_vehicle(&vehicles.host).zip(of_vehicle(&from.host)) {
            vehicles.columns.get_mut(column)[lane] = from.value(source, old_lane);
        }
        for (name, column) in self.blueprint.commands.iter() {
            let Some(source) = old.blueprint.commands.get(name) else { continue };
            vehicles.columns.get_mut(column)[lane] = from.value(source, old_lane);
        }
        let to = (&mut vehicles.columns, lane);
        self.blueprint.sensor_inputs.copy_lane(
            to.0,
            to.1,
            &old.blueprint.sensor_inputs,
            &from.columns,
            old_lane,
        );
        copy_wheels(self, lane, old, old_lane);
        let lanes = [lane, old_lane];
        self.models.copy_states(&old.models, &mut self.vehicles, &old.vehicles, lanes)?;
        Ok(self.models.copy_actuators(&old.models, &mut self.vehicles, &old.vehicles, lanes)?)
    }

    /// Copies everything that can change of a vehicle of another table, so that it continues bit for bit.
    /// Returns whether the tables are alike, which this requires.
    ///
    /// # Errors
    /// [`VehicleError`] if a model rejects its own memory.
    pub fn continue_lane(
        &mut self,
        lane: usize,
        old: &Self,
        old_lane: usize,
    ) -> Result<bool, VehicleError> {
        let (lanes, old_lanes) = (self.vehicles.lanes.len(), old.vehicles.lanes.len());
        let is_like = self.is_alike(old);
        if is_like {
            let (columns, from) = (&mut self.vehicles.columns, &old.vehicles.columns);
            columns.copy_lane([lane, lanes], from, [old_lane, old_lanes]);
        }
        self.take_over(lane, old, old_lane)?;
        let source = &old.vehicles.lanes[old_lane];
        let to = &mut self.vehicles.lanes[lane];
        (to.disabled, to.uses_fallback) = (source.disabled, source.uses_fallback);
        self.vehicles.any_disabled |= to.disabled || to.uses_fallback;
        if let (Some(books), Some(known)) = (&mut self.books, old.book(old_lane)) {
            books.books[lane] = known;
        }
        Ok(is_like)
    }
}

/// Copies the states of the wheels of a vehicle of another table.
fn copy_wheels(to: &mut Table, lane: usize, old: &Table, old_lane: usize) {
    let (vehicles, from) = (&mut to.vehicles, &old.vehicles);
    for wheel in 0..vehicles.wheels.count {
        let index = wheel * vehicles.lanes.len() + lane;
        let source = wheel * from.lanes.len() + old_lane;
        let held = to.blueprint.brakes.iter().flat_map(|brakes| brakes.hold);
        let held = held.zip(old.blueprint.brakes.iter().flat_map(|brakes| brakes.hold));
        let (own, was) = (&vehicles.host, &from.host);
        let states = [
            (own.measured.spin, was.measured.spin),
            (own.own.angle, was.own.angle),
            (own.steer, was.steer),
            (own.measured.wheel_steer, was.measured.wheel_steer),
            (own.own.force[0], was.own.force[0]),
            (own.own.force[1], was.own.force[1]),
        ];
        for (column, old_column) in states.into_iter().chain(held) {
            vehicles.columns.get_mut(column)[index] = from.value(old_column, source);
        }
    }
}

impl Models {
    /// Copies the states of the actuators of another table that have the same names. `vehicles` are their vehicles and
    /// those of the other table, `lanes` the lanes.
    ///
    /// # Errors
    /// [`MigrationError`] if an actuator rejects the state of its predecessor.
    pub(super) fn copy_actuators(
        &self,
        old: &Self,
        vehicles: &mut Vehicles,
        from: &Vehicles,
        [lane, old_lane]: [usize; 2],
    ) -> Result<(), MigrationError> {
        let (count, old_count) = (vehicles.lanes.len(), from.lanes.len());
        let wheels = vehicles.wheels.count;
        for actuator in &self.actuators {
            let same = |other: &&Actuator| {
                other.name == actuator.name && other.by_wheel == actuator.by_wheel
            };
            let Some(before) = old.actuators.iter().find(same) else { continue };
            let lanes = actuator.lanes(lane, count, wheels);
            let lanes = lanes.zip(before.lanes(old_lane, old_count, wheels));
            copy_states(&actuator.call, &mut vehicles.columns, &before.call, &from.columns, lanes)?;
        }
        Ok(())
    }

    /// Copies the states of controller, dynamics class and friction models of another table, as
    /// [`Self::copy_actuators`].
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects the state of its predecessor.
    pub(super) fn copy_states(
        &self,
        old: &Self,
        vehicles: &mut Vehicles,
        from: &Vehicles,
        [lane, old_lane]: [usize; 2],
    ) -> Result<(), MigrationError> {
        let (count, old_count) = (vehicles.lanes.len(), from.lanes.len());
        let wheels = 0..vehicles.wheels.count;
        let (columns, from) = (&mut vehicles.columns, &from.columns);
        let one = || std::iter::once((lane, old_lane));
        copy_states(&self.control, columns, &old.control, from, one())?;
        copy_states(&self.drive, columns, &old.drive, from, one())?;
        for suspension in &self.suspensions {
            let before = old.suspensions.iter().find(|other| other.axle == suspension.axle);
            let Some(before) = before else { continue };
            copy_states(&suspension.call, columns, &before.call, from, one())?;
        }
        let wheels = wheels.map(|wheel| (wheel * count + lane, wheel * old_count + old_lane));
        copy_states(&self.friction, columns, &old.friction, from, wheels)?;
        for WheelFriction { wheel, call, .. } in &self.wheel_friction {
            let source = old.friction_of(*wheel);
            let lanes = (wheel * count + lane, wheel * old_count + old_lane);
            copy_states(call, columns, source, from, std::iter::once(lanes))?;
        }
        Ok(())
    }
}
