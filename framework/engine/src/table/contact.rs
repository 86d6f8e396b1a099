//! Between the body and its wheels: velocities down, forces up.

use simhost_sdk::math;

use super::{Lane, Table};
use crate::physics::Physics;

impl Table {
    /// Velocity of every wheel centre in the vehicle frame: v + ω × p.
    pub(super) fn wheel_velocities(&mut self) {
        let host = &self.host;
        let cells = self.columns.cells();
        let (vx, vy, omega) =
            (cells.column(host.vx), cells.column(host.vy), cells.column(host.omega));
        let count = vx.len();
        for wheel in 0..self.wheels {
            let of_wheel = wheel * count..(wheel + 1) * count;
            let x = &cells.column(host.wheel_x)[of_wheel.clone()];
            let y = &cells.column(host.wheel_y)[of_wheel.clone()];
            let wheel_vx = &cells.column(host.wheel_vx)[of_wheel.clone()];
            let wheel_vy = &cells.column(host.wheel_vy)[of_wheel];
            for i in 0..count {
                let omega = omega[i].get();
                wheel_vx[i].set(vx[i].get() - omega * y[i].get());
                wheel_vy[i].set(vy[i].get() + omega * x[i].get());
            }
        }
    }

    /// Velocity of every wheel centre in the wheel frame.
    pub(super) fn contact_velocities(&mut self) {
        let host = &self.host;
        let cells = self.columns.cells();
        let (steer, heading) = (cells.column(host.steer), cells.column(host.heading));
        let (vx, vy) = (cells.column(host.wheel_vx), cells.column(host.wheel_vy));
        let (contact_vx, contact_vy) =
            (cells.column(host.contact_vx), cells.column(host.contact_vy));
        for (i, mounting) in self.mounting.iter().enumerate() {
            let angle = steer[i].get() + mounting;
            let (sin, cos) = math::sin_cos(angle);
            let (vx, vy) = (vx[i].get(), vy[i].get());
            heading[i].set(angle);
            self.turned[i] = [cos, sin];
            contact_vx[i].set(cos * vx + sin * vy);
            contact_vy[i].set(cos * vy - sin * vx);
        }
    }

    /// Spin from motor torque and friction, explicit Euler.
    pub(super) fn integrate_spin(&mut self, dt: f64) {
        let host = &self.host;
        let cells = self.columns.cells();
        let (motor, reaction) = (cells.column(host.torque), cells.column(host.spin_torque));
        let (inertia, spin) = (cells.column(host.inertia), cells.column(host.spin));
        for (i, spin) in spin.iter().enumerate() {
            let torque = motor[i].get() + reaction[i].get();
            spin.set(spin.get() + dt * torque / inertia[i].get());
        }
    }

    /// Wheel forces on the body: new velocity of the centre of mass, then damping.
    pub(super) fn apply_forces(&mut self, dt: f64, physics: &mut Physics) {
        let count = self.lanes.len();
        let columns = &self.columns;
        let (force_x, force_y) = (columns.get(self.host.force_x), columns.get(self.host.force_y));
        for (index, [cos, sin]) in self.turned.iter().enumerate() {
            let (fx, fy) = (force_x[index], force_y[index]);
            self.force[0][index] = cos * fx - sin * fy;
            self.force[1][index] = sin * fx + cos * fy;
        }
        let (wheel_x, wheel_y) = (columns.get(self.host.wheel_x), columns.get(self.host.wheel_y));
        let omegas = columns.get(self.host.omega);
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            // force on the body and moment about the centre of mass, vehicle frame
            let (mut fx, mut fy, mut moment) = (0.0, 0.0, 0.0);
            for wheel in 0..self.wheels {
                let index = wheel * count + i;
                let (wheel_fx, wheel_fy) = (self.force[0][index], self.force[1][index]);
                fx += wheel_fx;
                fy += wheel_fy;
                moment += (wheel_x[index] - lane.centre[0]) * wheel_fy
                    - (wheel_y[index] - lane.centre[1]) * wheel_fx;
            }

            lane.push([fx, fy], moment, omegas[i], dt, physics);
        }
        self.remember_push();
    }
}

impl Lane {
    /// Force on the body, N, and moment about the centre of mass, N·m, vehicle frame; gravity and air
    /// pull as well. Semi-implicit
    /// Euler: the pose moves with the new velocity.
    #[inline]
    pub(super) fn push(
        &mut self,
        [fx, fy]: [f64; 2],
        moment: f64,
        omega: f64,
        dt: f64,
        physics: &mut Physics,
    ) {
        let [cos, sin] = self.turned;
        let [fx, fy] = self.tilt.onto_level([fx + self.pull[0], fy + self.pull[1]]);
        let slower = 1.0 + dt * self.damping[0];
        self.velocity[0] = (self.velocity[0] + dt / self.mass * (cos * fx - sin * fy)) / slower;
        self.velocity[1] = (self.velocity[1] + dt / self.mass * (sin * fx + cos * fy)) / slower;
        let omega = (omega + dt / self.inertia * moment) / (1.0 + dt * self.damping[1]);
        physics.set_velocity(self.body, self.velocity, self.tilt.yaw_rate(omega));
    }
}
