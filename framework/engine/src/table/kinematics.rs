//! Poses and velocities of vehicles and wheels.

use simhost_sdk::math;

use super::host::HostColumns;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::physics::RigidBody;
use crate::tiles::{Kernel, TileView};
use crate::tilt::Tilt;

/// Returns the spin, rad/s, of a wheel that rolls without slip: `twist` is the velocity of the vehicle, m/s, and its
/// yaw rate, rad/s, in the frame of the vehicle; then x, y and radius of the wheel, m, and its heading, rad.
pub(super) fn rolling_spin(
    [vx, vy, omega]: [f64; 3],
    [x, y, radius]: [f64; 3],
    heading: f64,
) -> f64 {
    let (sin, cos) = math::sin_cos(heading);
    let rolling = cos * (vx - omega * y) + sin * (vy + omega * x);
    rolling / radius
}

impl Vehicles {
    /// Reads the bodies: pose of the reference point, and its twist in the vehicle frame.
    pub fn read_bodies(&mut self, bodies: &[RigidBody]) {
        let Self { columns, host, .. } = self;
        columns.run(bodies.len(), &mut ReadBodies { host, bodies });
        self.show_motion_in_space();
    }

    /// Computes the velocity of every wheel centre in the vehicle frame: v + ω × p.
    pub fn update_wheel_velocities(&mut self) {
        let (count, wheels) = (self.lanes.len(), self.wheels.count);
        let Self { columns, host, .. } = self;
        columns.run(count, &mut WheelVelocities { host, count, wheels });
    }

    /// Computes the velocity of every wheel centre in the wheel frame.
    pub fn update_contact_velocities(&mut self) {
        let wheels = self.wheel_count();
        let Self { columns, host, .. } = self;
        columns.run(wheels, &mut ContactVelocities { host });
    }

    /// Copies steering angles and camber to the measurements that models read. A phase does not read
    /// the columns that it writes.
    pub fn publish_steering(&mut self) {
        self.columns.copy(self.host.steer, self.host.measured.wheel_steer);
        for (from, to) in &self.host.camber {
            self.columns.copy(*from, *to);
        }
    }

    /// Adds the inertia of the powertrain to that of the wheels.
    pub fn add_drive_inertia(&mut self) {
        let Some(parts) = self.host.drive_inertia else { return };
        let wheels = self.wheel_count();
        let sum = self.host.contact.inertia;
        self.columns.run(wheels, &mut WheelInertias { parts, sum });
    }

    /// Rotates the wheels about their axles.
    pub fn advance_wheel_angles(&mut self, dt: f64) {
        let wheels = self.wheel_count();
        let Self { columns, host, .. } = self;
        columns.run(wheels, &mut WheelAngles { host, dt });
    }
}

/// Sums of the inertia that the powertrain adds to each wheel and of the wheel alone.
struct WheelInertias {
    parts: [Column; 2],
    sum: Column,
}

impl Kernel for WheelInertias {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let [added, wheel] = columns.load_all::<_, N>(self.parts, lane);
        let mut sum = wheel;
        for i in 0..N {
            sum[i] = wheel[i] + added[i].max(0.0);
        }
        columns.store(self.sum, lane, sum);
    }
}

struct ReadBodies<'a> {
    host: &'a HostColumns,
    bodies: &'a [RigidBody],
}

impl Kernel for ReadBodies<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (measured, own) = (&self.host.measured, &self.host.own);
        let [mut x, mut y, mut cos, mut sin] = [[0.0; N]; 4];
        let [mut world_vx, mut world_vy, mut level_omega] = [[0.0; N]; 3];
        for (i, body) in self.bodies[lane..lane + N].iter().enumerate() {
            let state = &body.state;
            [x[i], y[i]] = state.position;
            [cos[i], sin[i]] = state.heading;
            [world_vx[i], world_vy[i]] = state.velocity;
            level_omega[i] = state.omega;
        }
        let tilt = columns.load_all::<_, N>(own.tilt, lane);
        let [centre_x, centre_y] =
            columns.load_all::<_, N>([measured.centre_x, measured.centre_y], lane);
        let [z, pitch, roll] = columns.load_all::<_, N>(own.attitude, lane);
        let [[nose, _], [side, _]] = self.host.sway;
        let [nose, side] = columns.load_all::<_, N>([nose, side], lane);
        let [mut yaw, mut vx, mut vy, mut omega] = [[0.0; N]; 4];
        let [mut shown_pitch, mut shown_roll] = [[0.0; N]; 2];
        for i in 0..N {
            let tilt = Tilt::from_numbers([tilt[0][i], tilt[1][i], tilt[2][i], tilt[3][i]]);
            yaw[i] = math::atan2(sin[i], cos[i]);
            // the reference point lies at −centre from the centre of mass
            let level = [
                cos[i] * world_vx[i] + sin[i] * world_vy[i],
                cos[i] * world_vy[i] - sin[i] * world_vx[i],
            ];
            let [along, across] = tilt.to_slope(level);
            let rotation = tilt.rotation_rate(level_omega[i]);
            vx[i] = along + rotation * centre_y[i];
            vy[i] = across - rotation * centre_x[i];
            omega[i] = rotation;
            shown_pitch[i] = pitch[i] - nose[i];
            shown_roll[i] = roll[i] + side[i];
        }
        columns.store(own.heading[0], lane, cos);
        columns.store(own.heading[1], lane, sin);
        columns.store(own.velocity[0], lane, world_vx);
        columns.store(own.velocity[1], lane, world_vy);
        columns.store(measured.x, lane, x);
        columns.store(measured.y, lane, y);
        columns.store(measured.yaw, lane, yaw);
        columns.store(measured.vx, lane, vx);
        columns.store(measured.vy, lane, vy);
        columns.store(measured.omega, lane, omega);
        columns.store(measured.z, lane, z);
        columns.store(measured.pitch, lane, shown_pitch);
        columns.store(measured.roll, lane, shown_roll);
    }
}

struct WheelVelocities<'a> {
    host: &'a HostColumns,
    /// Number of vehicles.
    count: usize,
    /// Number of wheels of a vehicle.
    wheels: usize,
}

impl Kernel for WheelVelocities<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let measured = &self.host.measured;
        let [vx, vy, omega] =
            columns.load_all::<_, N>([measured.vx, measured.vy, measured.omega], lane);
        for wheel in 0..self.wheels {
            let at = wheel * self.count + lane;
            let [x, y] = columns.load_all::<_, N>([measured.wheel_x, measured.wheel_y], at);
            let [mut wheel_vx, mut wheel_vy] = [[0.0; N]; 2];
            for i in 0..N {
                wheel_vx[i] = vx[i] - omega[i] * y[i];
                wheel_vy[i] = vy[i] + omega[i] * x[i];
            }
            columns.store(measured.wheel_vx, at, wheel_vx);
            columns.store(measured.wheel_vy, at, wheel_vy);
        }
    }
}

struct ContactVelocities<'a> {
    host: &'a HostColumns,
}

impl Kernel for ContactVelocities<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, contact, own, steer, .. } = self.host;
        let [steer, mounting, vx, vy] = columns
            .load_all::<_, N>([*steer, own.mounting, measured.wheel_vx, measured.wheel_vy], lane);
        let [mut heading, mut cos, mut sin] = [[0.0; N]; 3];
        let [mut contact_vx, mut contact_vy] = [[0.0; N]; 2];
        for i in 0..N {
            heading[i] = steer[i] + mounting[i];
            (sin[i], cos[i]) = math::sin_cos(heading[i]);
            contact_vx[i] = cos[i] * vx[i] + sin[i] * vy[i];
            contact_vy[i] = cos[i] * vy[i] - sin[i] * vx[i];
        }
        columns.store(contact.steer, lane, heading);
        columns.store(own.wheel_heading[0], lane, cos);
        columns.store(own.wheel_heading[1], lane, sin);
        columns.store(contact.vx, lane, contact_vx);
        columns.store(contact.vy, lane, contact_vy);
    }
}

struct WheelAngles<'a> {
    host: &'a HostColumns,
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for WheelAngles<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let column = self.host.own.angle;
        let mut angle = columns.load::<N>(column, lane);
        let spin = columns.load::<N>(self.host.measured.spin, lane);
        for i in 0..N {
            angle[i] += self.dt * spin[i];
        }
        columns.store(column, lane, angle);
    }
}
