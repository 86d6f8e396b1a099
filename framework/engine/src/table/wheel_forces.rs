//! Wheel forces: spins of the wheels, and velocities of the bodies.

use super::vehicles::{Lane, Vehicles};
use crate::physics::RigidBody;

impl Vehicles {
    /// Integrates the spins from motor torque and friction, explicit Euler.
    pub fn integrate_spin(&mut self, dt: f64) {
        let host = &self.host;
        let cells = self.columns.cells();
        let (motor, reaction) = (cells.column(host.torque), cells.column(host.forces.spin_torque));
        let (inertia, spin) =
            (cells.column(host.contact.inertia), cells.column(host.measured.spin));
        for (i, spin) in spin.iter().enumerate() {
            let torque = motor[i].get() + reaction[i].get();
            spin.set(spin.get() + dt * torque / inertia[i].get());
        }
    }

    /// Applies the wheel forces to the bodies: new velocity of the centre of mass, then damping.
    pub fn apply_wheel_forces(&mut self, dt: f64, bodies: &mut [RigidBody]) {
        let Self { columns, host, lanes, wheels, .. } = self;
        let count = lanes.len();
        let (force_x, force_y) = (columns.get(host.forces.fx), columns.get(host.forces.fy));
        for (index, [cos, sin]) in wheels.heading.iter().enumerate() {
            let (fx, fy) = (force_x[index], force_y[index]);
            wheels.force[0][index] = cos * fx - sin * fy;
            wheels.force[1][index] = sin * fx + cos * fy;
        }
        let measured = &host.measured;
        let (wheel_x, wheel_y) = (columns.get(measured.wheel_x), columns.get(measured.wheel_y));
        let omegas = columns.get(measured.omega);
        for (i, lane) in lanes.iter_mut().enumerate() {
            // force on the body and moment about the centre of mass, vehicle frame
            let (mut fx, mut fy, mut moment) = (0.0, 0.0, 0.0);
            for wheel in 0..wheels.count {
                let index = wheel * count + i;
                let (wheel_fx, wheel_fy) = (wheels.force[0][index], wheels.force[1][index]);
                fx += wheel_fx;
                fy += wheel_fy;
                moment += (wheel_x[index] - lane.centre[0]) * wheel_fy
                    - (wheel_y[index] - lane.centre[1]) * wheel_fx;
            }
            lane.accelerate([fx, fy], moment, omegas[i], dt, &mut bodies[i]);
        }
        self.store_wheel_force();
    }
}

impl Lane {
    /// Applies a force, N, and a moment about the centre of mass, N·m, vehicle frame, in addition to
    /// gravity and drag. Semi-implicit Euler: the pose advances with the new velocity.
    #[inline]
    pub fn accelerate(
        &mut self,
        [fx, fy]: [f64; 2],
        moment: f64,
        omega: f64,
        dt: f64,
        body: &mut RigidBody,
    ) {
        let [cos, sin] = self.heading;
        let [fx, fy] = self.tilt.to_level([fx + self.pull[0], fy + self.pull[1]]);
        let slower = 1.0 + dt * self.damping[0];
        self.velocity[0] = (self.velocity[0] + dt / self.mass * (cos * fx - sin * fy)) / slower;
        self.velocity[1] = (self.velocity[1] + dt / self.mass * (sin * fx + cos * fy)) / slower;
        let omega = (omega + dt / self.inertia * moment) / (1.0 + dt * self.damping[1]);
        body.set_velocity(self.velocity, self.tilt.level_yaw_rate(omega));
    }
}
