//! Between the body and the world: poses and velocities read back, imposed twists, odometry.

use simhost_sdk::math;

use super::Table;
use crate::physics::Physics;

impl Table {
    /// Whether the controller's twist replaces the tyres.
    pub(super) fn imposes_before_step(&self) -> bool {
        self.imposed.is_some_and(|imposed| !imposed.after_step)
    }

    /// Pose of the reference point and its twist in the vehicle frame.
    pub fn read_back(&mut self, physics: &Physics) {
        let host = &self.host;
        let cells = self.columns.cells();
        let [nose, side] = host.sway.map(|[angle, _]| cells.column(angle));
        let [x, y, yaw] = [host.x, host.y, host.yaw].map(|column| cells.column(column));
        let [vx, vy, omega] = [host.vx, host.vy, host.omega].map(|column| cells.column(column));
        let attitude = host.attitude.map(|column| cells.column(column));
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let state = physics.state(lane.body);
            let [cos, sin] = state.heading;
            let [world_vx, world_vy] = state.velocity;
            lane.turned = state.heading;
            lane.velocity = state.velocity;
            x[i].set(state.position[0]);
            y[i].set(state.position[1]);
            yaw[i].set(math::atan2(sin, cos));
            // the reference point lies at −centre from the centre of mass
            let level = [cos * world_vx + sin * world_vy, cos * world_vy - sin * world_vx];
            let [along, across] = lane.tilt.onto_slope(level);
            let turning = lane.tilt.turning(state.omega);
            vx[i].set(along + turning * lane.centre[1]);
            vy[i].set(across - turning * lane.centre[0]);
            omega[i].set(turning);
            let [z, pitch, roll] = lane.attitude;
            let told = [z, pitch - nose[i].get(), roll + side[i].get()];
            for (column, value) in attitude.iter().zip(told) {
                column[i].set(value);
            }
        }
    }

    /// Gives the bodies the twist of their reference point that the controller wants, seen with
    /// the heading of `ahead` seconds later.
    pub(super) fn impose(&mut self, physics: &mut Physics, ahead: f64) {
        let Some(imposed) = self.imposed else { return };
        let wanted =
            |k: usize, i: usize| imposed.twist[k].map_or(0.0, |column| self.columns.get(column)[i]);
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            if lane.disabled {
                continue;
            }
            let sideways = imposed.sideways || imposed.after_step;
            let vy = if sideways { wanted(1, i) } else { 0.0 };
            let omega = wanted(2, i);
            let vx = wanted(0, i) - omega * lane.centre[1];
            let vy = vy + omega * lane.centre[0];
            let [cos, sin] = lane.turned;
            let (turn_sin, turn_cos) = math::sin_cos(omega * ahead);
            let (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
            lane.velocity = [cos * vx - sin * vy, sin * vx + cos * vy];
            physics.set_velocity(lane.body, lane.velocity, omega);
        }
    }

    /// Turns the imposed velocity along with the heading; what contacts changed of it stays.
    pub(super) fn keep_imposed(&mut self, physics: &mut Physics) {
        let pushed: Vec<[f64; 3]> = self
            .lanes
            .iter_mut()
            .enumerate()
            .map(|(i, lane)| {
                let state = physics.state(lane.body);
                lane.turned = state.heading;
                let wanted = self.imposed.and_then(|imposed| imposed.twist[2]);
                let omega = wanted.map_or(0.0, |column| self.columns.get(column)[i]);
                let [vx, vy] = state.velocity;
                [vx - lane.velocity[0], vy - lane.velocity[1], state.omega - omega]
            })
            .collect();
        self.impose(physics, 0.0);
        for (lane, [dvx, dvy, domega]) in self.lanes.iter().zip(pushed) {
            if !lane.disabled && (dvx, dvy, domega) != (0.0, 0.0, 0.0) {
                let [vx, vy] = lane.velocity;
                let omega = physics.state(lane.body).omega;
                physics.set_velocity(lane.body, [vx + dvx, vy + dvy], omega + domega);
            }
        }
    }

    /// Without tyres, wheels roll along with the twist that is imposed.
    pub(super) fn roll_along(&mut self) {
        let Some(imposed) = self.imposed else { return };
        let count = self.lanes.len();
        for index in 0..count * self.wheels {
            let lane = index % count;
            let wanted =
                |k: usize| imposed.twist[k].map_or(0.0, |column| self.columns.get(column)[lane]);
            let omega = wanted(2);
            let vx = wanted(0) - omega * self.columns.get(self.host.wheel_y)[index];
            let vy = if imposed.sideways { wanted(1) } else { 0.0 }
                + omega * self.columns.get(self.host.wheel_x)[index];
            let heading = self.columns.get(self.host.steer)[index] + self.mounting[index];
            let (sin, cos) = math::sin_cos(heading);
            let radius = self.columns.get(self.host.radius)[index];
            self.columns.get_mut(self.host.spin)[index] = (cos * vx + sin * vy) / radius;
        }
    }

    /// The steering angles as others read them.
    pub(super) fn tell_steer(&mut self) {
        let cells = self.columns.cells();
        let (steer, told) = (cells.column(self.host.steer), cells.column(self.host.told_steer));
        for (steer, told) in steer.iter().zip(told) {
            told.set(steer.get());
        }
    }

    /// Turns the wheels.
    pub(super) fn advance_wheel_angles(&mut self, dt: f64) {
        let spin = self.columns.get(self.host.spin);
        for (angle, spin) in self.angle.iter_mut().zip(spin) {
            *angle += dt * spin;
        }
    }

    /// Moves the pose that the wheels tell, with the heading in the middle of the step.
    pub(super) fn advance_odometry(&mut self, dt: f64) {
        let columns = self.odometry.map(|column| column.map(|column| self.columns.get(column)));
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let twist = columns.map(|column| column.map_or(0.0, |column| column[i]));
            let [fx, fy, fyaw] = lane.odometry_multipliers;
            let (dx, dy, turn) = (dt * twist[0] * fx, dt * twist[1] * fy, dt * twist[2] * fyaw);
            let (sin, cos) = math::sin_cos(lane.odometry[2] + 0.5 * turn);
            lane.odometry[0] += cos * dx - sin * dy;
            lane.odometry[1] += sin * dx + cos * dy;
            lane.odometry[2] = math::wrap_angle(lane.odometry[2] + turn);
        }
    }

    /// Twist that the wheels tell: m/s, m/s, rad/s.
    pub fn odometry_twist(&self, lane: usize) -> [f64; 3] {
        self.odometry.map(|column| column.map_or(0.0, |column| self.columns.get(column)[lane]))
    }
}
