//! Transfer of a vehicle from a table of another simulation of the same world.

use super::host::HostColumns;
use super::step::Table;
use super::wheel_friction::WheelFriction;
use crate::model::{Call, MigrationError, copy_states};

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
            let text = format!("the wheels of {} differ", vehicles.lanes[lane].name);
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
        for (name, column) in self.commands.iter() {
            let Some(source) = old.commands.get(name) else { continue };
            vehicles.columns.get_mut(column)[lane] = from.value(source, old_lane);
        }
        let to = (&mut vehicles.columns, lane);
        self.sensor_inputs.copy_lane(to, &old.sensor_inputs, (&from.columns, old_lane));
        self.copy_wheels(lane, old, old_lane);
        self.copy_models(lane, old, old_lane)?;
        Ok(self.copy_actuators(lane, old, old_lane)?)
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
        let (columns, from) = (&mut self.vehicles.columns, &old.vehicles.columns);
        let name = |call: &Call| call.class().full_name.to_string();
        let is_like = self.models.stateful().map(name).eq(old.models.stateful().map(name))
            && self.vehicles.wheels.names == old.vehicles.wheels.names
            && columns.is_like(lanes, from, old_lanes);
        if is_like {
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

    fn copy_wheels(&mut self, lane: usize, old: &Self, old_lane: usize) {
        let (vehicles, from) = (&mut self.vehicles, &old.vehicles);
        for wheel in 0..vehicles.wheels.count {
            let index = wheel * vehicles.lanes.len() + lane;
            let source = wheel * from.lanes.len() + old_lane;
            let held = self.brakes.iter().flat_map(|brakes| brakes.hold);
            let held = held.zip(old.brakes.iter().flat_map(|brakes| brakes.hold));
            let (to, was) = (&vehicles.host, &from.host);
            let own = [
                (to.measured.spin, was.measured.spin),
                (to.own.angle, was.own.angle),
                (to.steer, was.steer),
                (to.measured.wheel_steer, was.measured.wheel_steer),
                (to.own.force[0], was.own.force[0]),
                (to.own.force[1], was.own.force[1]),
            ];
            for (column, old_column) in own.into_iter().chain(held) {
                vehicles.columns.get_mut(column)[index] = from.value(old_column, source);
            }
        }
    }

    fn copy_models(
        &mut self,
        lane: usize,
        old: &Self,
        old_lane: usize,
    ) -> Result<(), MigrationError> {
        let (models, old_models) = (&self.models, &old.models);
        let (count, old_count) = (self.vehicles.lanes.len(), old.vehicles.lanes.len());
        let (columns, from) = (&mut self.vehicles.columns, &old.vehicles.columns);
        let one = || std::iter::once((lane, old_lane));
        copy_states(&models.control, columns, &old_models.control, from, one())?;
        copy_states(&models.drive, columns, &old_models.drive, from, one())?;
        let wheels = 0..self.vehicles.wheels.count;
        let wheels = wheels.map(|wheel| (wheel * count + lane, wheel * old_count + old_lane));
        copy_states(&models.friction, columns, &old_models.friction, from, wheels)?;
        for WheelFriction { wheel, call, .. } in &models.wheel_friction {
            let source = old_models.friction_of(*wheel);
            let lanes = (wheel * count + lane, wheel * old_count + old_lane);
            copy_states(call, columns, source, from, std::iter::once(lanes))?;
        }
        Ok(())
    }
}
