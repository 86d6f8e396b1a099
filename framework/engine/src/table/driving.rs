//! Dynamics classes that move the body themselves: by force and moment, or by pose and velocity.

use simhost_sdk::math;

use super::Table;
use crate::columns::Column;
use crate::physics::{BodyState, Physics};

/// What moves the vehicles of a table.
#[derive(Clone, Copy)]
pub(super) enum Driving {
    /// Wheels: torque, steering, friction.
    Wheels,
    /// The force and the moment that the dynamics class answers.
    Wrench(Wrench),
    /// The pose and the velocity that the dynamics class answers.
    Motion(Motion),
}

/// Force, N, and moment about the reference point, N·m, vehicle frame.
#[derive(Clone, Copy)]
pub(super) struct Wrench {
    pub force: [Column; 2],
    pub moment: Column,
    pub spin: Column,
}

/// At the end of the step: x, y, yaw, world frame; vx, vy, yaw rate, vehicle frame.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    pub pose: [Column; 3],
    pub twist: [Column; 3],
    pub spin: Column,
}

/// A body is where its model put it when it is no further away than this, m or rad.
const SAME_PLACE: f64 = 1e-7;

impl Table {
    /// The wheels turn as the dynamics class says.
    fn take_spin(&mut self, spin: Column) {
        for index in 0..self.angle.len() {
            if !self.lanes[index % self.lanes.len()].disabled {
                self.columns.get_mut(self.host.spin)[index] = self.columns.get(spin)[index];
            }
        }
    }

    /// Force and moment on the body: new velocity of the centre of mass, then damping.
    pub(super) fn apply_wrench(&mut self, wrench: Wrench, dt: f64, physics: &mut Physics) {
        self.take_spin(wrench.spin);
        let [force_x, force_y] = wrench.force.map(|column| self.columns.get(column));
        let (moments, omegas) =
            (self.columns.get(wrench.moment), self.columns.get(self.host.omega));
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let (fx, fy) = (force_x[i], force_y[i]);
            let moment = moments[i] - (lane.centre[0] * fy - lane.centre[1] * fx);
            lane.push([fx, fy], moment, omegas[i], dt, physics);
        }
    }

    /// Velocities with which the bodies arrive where the dynamics class wants them.
    pub(super) fn set_out(&mut self, motion: Motion, dt: f64, physics: &mut Physics) {
        self.take_spin(motion.spin);
        for (i, lane) in self.lanes.iter().enumerate().filter(|(_, lane)| !lane.disabled) {
            let wanted = wanted(&self.columns, motion, i);
            let now = physics.state(lane.body);
            let [from, to] = [now.transform(lane.centre), wanted.transform(lane.centre)];
            let turn = math::wrap_angle(
                math::atan2(wanted.heading[1], wanted.heading[0])
                    - math::atan2(now.heading[1], now.heading[0]),
            );
            let velocity = [(to[0] - from[0]) / dt, (to[1] - from[1]) / dt];
            physics.set_velocity(lane.body, velocity, turn / dt);
        }
    }

    /// A body that nothing held up is exactly where the dynamics class put it, with the velocity
    /// that it told.
    pub(super) fn arrive(&mut self, motion: Motion, physics: &mut Physics) {
        for (i, lane) in self.lanes.iter().enumerate().filter(|(_, lane)| !lane.disabled) {
            let mut wanted = wanted(&self.columns, motion, i);
            let now = physics.state(lane.body);
            let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            if far(now.position, wanted.position) > SAME_PLACE
                || far(now.heading, wanted.heading) > SAME_PLACE
            {
                continue;
            }
            let [vx, vy, omega] = motion.twist.map(|column| self.columns.get(column)[i]);
            let (vx, vy) = (vx - omega * lane.centre[1], vy + omega * lane.centre[0]);
            let [cos, sin] = wanted.heading;
            wanted.velocity = [cos * vx - sin * vy, sin * vx + cos * vy];
            wanted.omega = omega;
            physics.put(lane.body, wanted);
        }
    }
}

/// Where the dynamics class wants a vehicle at the end of the step.
fn wanted(columns: &crate::columns::Columns, motion: Motion, lane: usize) -> BodyState {
    let [x, y, yaw] = motion.pose.map(|column| columns.get(column)[lane]);
    let (sin, cos) = math::sin_cos(yaw);
    BodyState { position: [x, y], heading: [cos, sin], ..BodyState::default() }
}
