//! Poses and velocities of bodies, vehicles and wheels.

use simhost_sdk::math;

use super::vehicles::Vehicles;
use crate::physics::RigidBody;

impl Vehicles {
    /// Reads the bodies: pose of the reference point, and its twist in the vehicle frame.
    pub fn read_bodies(&mut self, bodies: &[RigidBody]) {
        let Self { columns, host, lanes, .. } = self;
        let measured = &host.measured;
        let cells = columns.cells();
        let [nose, side] = host.sway.map(|[angle, _]| cells.column(angle));
        let [x, y, yaw] = [measured.x, measured.y, measured.yaw].map(|c| cells.column(c));
        let [vx, vy, omega] = [measured.vx, measured.vy, measured.omega].map(|c| cells.column(c));
        let attitude = [measured.z, measured.pitch, measured.roll].map(|c| cells.column(c));
        for (i, lane) in lanes.iter_mut().enumerate() {
            let state = &bodies[i].state;
            let [cos, sin] = state.heading;
            let [world_vx, world_vy] = state.velocity;
            lane.heading = state.heading;
            lane.velocity = state.velocity;
            x[i].set(state.position[0]);
            y[i].set(state.position[1]);
            yaw[i].set(math::atan2(sin, cos));
            // the reference point lies at −centre from the centre of mass
            let level = [cos * world_vx + sin * world_vy, cos * world_vy - sin * world_vx];
            let [along, across] = lane.tilt.to_slope(level);
            let rotation = lane.tilt.rotation_rate(state.omega);
            vx[i].set(along + rotation * lane.centre[1]);
            vy[i].set(across - rotation * lane.centre[0]);
            omega[i].set(rotation);
            let [z, pitch, roll] = lane.attitude;
            let published = [z, pitch - nose[i].get(), roll + side[i].get()];
            for (column, value) in attitude.iter().zip(published) {
                column[i].set(value);
            }
        }
    }

    /// Computes the velocity of every wheel centre in the vehicle frame: v + ω × p.
    pub fn update_wheel_velocities(&mut self) {
        let measured = &self.host.measured;
        let cells = self.columns.cells();
        let (vx, vy, omega) =
            (cells.column(measured.vx), cells.column(measured.vy), cells.column(measured.omega));
        let count = vx.len();
        for wheel in 0..self.wheels.count {
            let of_wheel = wheel * count..(wheel + 1) * count;
            let x = &cells.column(measured.wheel_x)[of_wheel.clone()];
            let y = &cells.column(measured.wheel_y)[of_wheel.clone()];
            let wheel_vx = &cells.column(measured.wheel_vx)[of_wheel.clone()];
            let wheel_vy = &cells.column(measured.wheel_vy)[of_wheel];
            for i in 0..count {
                let omega = omega[i].get();
                wheel_vx[i].set(vx[i].get() - omega * y[i].get());
                wheel_vy[i].set(vy[i].get() + omega * x[i].get());
            }
        }
    }

    /// Computes the velocity of every wheel centre in the wheel frame.
    pub fn update_contact_velocities(&mut self) {
        let Self { columns, host, wheels, .. } = self;
        let (measured, contact) = (&host.measured, &host.contact);
        let cells = columns.cells();
        let (steer, heading) = (cells.column(host.steer), cells.column(contact.steer));
        let (vx, vy) = (cells.column(measured.wheel_vx), cells.column(measured.wheel_vy));
        let (contact_vx, contact_vy) = (cells.column(contact.vx), cells.column(contact.vy));
        for (i, mounting) in wheels.mounting.iter().enumerate() {
            let angle = steer[i].get() + mounting;
            let (sin, cos) = math::sin_cos(angle);
            let (vx, vy) = (vx[i].get(), vy[i].get());
            heading[i].set(angle);
            wheels.heading[i] = [cos, sin];
            contact_vx[i].set(cos * vx + sin * vy);
            contact_vy[i].set(cos * vy - sin * vx);
        }
    }

    /// Copies the steering angles to the measurement that models read. A phase does not read the
    /// columns that it writes.
    pub fn publish_steering(&mut self) {
        let cells = self.columns.cells();
        let (steer, published) =
            (cells.column(self.host.steer), cells.column(self.host.measured.wheel_steer));
        for (steer, published) in steer.iter().zip(published) {
            published.set(steer.get());
        }
    }

    /// Rotates the wheels about their axles.
    pub fn advance_wheel_angles(&mut self, dt: f64) {
        let spin = self.columns.get(self.host.measured.spin);
        for (angle, spin) in self.wheels.angle.iter_mut().zip(spin) {
            *angle += dt * spin;
        }
    }
}
