//! Between the body and its wheels: velocities down, forces up.

use simhost_sdk::math;

use super::Table;
use crate::physics::Physics;

impl Table {
    /// Velocity of every wheel centre in the vehicle frame: v + ω × p.
    pub(super) fn wheel_velocities(&mut self) {
        let count = self.lanes.len();
        for wheel in 0..self.wheels {
            for lane in 0..count {
                let index = wheel * count + lane;
                let omega = self.columns.get(self.host.omega)[lane];
                let vx = self.columns.get(self.host.vx)[lane]
                    - omega * self.columns.get(self.host.wheel_y)[index];
                let vy = self.columns.get(self.host.vy)[lane]
                    + omega * self.columns.get(self.host.wheel_x)[index];
                self.columns.get_mut(self.host.wheel_vx)[index] = vx;
                self.columns.get_mut(self.host.wheel_vy)[index] = vy;
            }
        }
    }

    /// Velocity of every wheel centre in the wheel frame.
    pub(super) fn contact_velocities(&mut self) {
        for index in 0..self.lanes.len() * self.wheels {
            let heading = self.columns.get(self.host.steer)[index] + self.mounting[index];
            let (sin, cos) = math::sin_cos(heading);
            let vx = self.columns.get(self.host.wheel_vx)[index];
            let vy = self.columns.get(self.host.wheel_vy)[index];
            self.columns.get_mut(self.host.heading)[index] = heading;
            self.columns.get_mut(self.host.contact_vx)[index] = cos * vx + sin * vy;
            self.columns.get_mut(self.host.contact_vy)[index] = cos * vy - sin * vx;
        }
    }

    /// Spin from motor torque and friction, explicit Euler.
    pub(super) fn integrate_spin(&mut self, dt: f64) {
        for index in 0..self.lanes.len() * self.wheels {
            let torque = self.columns.get(self.host.torque)[index]
                + self.columns.get(self.host.spin_torque)[index];
            let inertia = self.columns.get(self.host.inertia)[index];
            self.columns.get_mut(self.host.spin)[index] += dt * torque / inertia;
        }
    }

    /// Wheel forces on the body: new velocity of the centre of mass, then damping.
    pub(super) fn apply_forces(&mut self, dt: f64, physics: &mut Physics) {
        let count = self.lanes.len();
        for index in 0..count * self.wheels {
            let (sin, cos) = math::sin_cos(self.columns.get(self.host.heading)[index]);
            let fx = self.columns.get(self.host.force_x)[index];
            let fy = self.columns.get(self.host.force_y)[index];
            self.force[0][index] = cos * fx - sin * fy;
            self.force[1][index] = sin * fx + cos * fy;
        }
        let wheel_x = self.columns.get(self.host.wheel_x);
        let wheel_y = self.columns.get(self.host.wheel_y);
        let omegas = self.columns.get(self.host.omega);
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

            // semi-implicit Euler: the pose moves with the new velocity
            let [cos, sin] = lane.turned;
            let slower = 1.0 + dt * lane.damping[0];
            lane.velocity[0] = (lane.velocity[0] + dt / lane.mass * (cos * fx - sin * fy)) / slower;
            lane.velocity[1] = (lane.velocity[1] + dt / lane.mass * (sin * fx + cos * fy)) / slower;
            let omega = (omegas[i] + dt / lane.inertia * moment) / (1.0 + dt * lane.damping[1]);
            physics.set_velocity(lane.body, lane.velocity, omega);
        }
    }
}
