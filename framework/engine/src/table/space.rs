//! Motion of vehicles whose dynamics class sets all six degrees of freedom.
//!
//! The class gives the attitude R_z(ψ) R_y(θ) R_x(φ) and the velocities in the frame of the body. Bodies
//! are solved in the level plane, as seen from above: an obstacle changes the horizontal velocity and the
//! rotation about the vertical, and leaves the rest of the motion as it is.

use super::motion::Inclination;
use super::vehicles::Vehicles;
use crate::ground::Ground;
use crate::physics::Physics;
use crate::tilt::Tilt;

/// Motion of a vehicle in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct InSpace {
    /// Height of the reference point, m; pitch, positive nose down, and roll, positive right side down,
    /// rad.
    pub attitude: [f64; 3],
    /// Velocity of the reference point, m/s, frame of the body.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s, frame of the body.
    pub rate: [f64; 3],
}

impl InSpace {
    pub(super) fn inclination(&self) -> Inclination {
        let [_, pitch, roll] = self.attitude;
        Inclination { pitch, roll }
    }

    /// Returns the velocity of the reference point along and across the heading, m/s, and the angular
    /// velocity about the vertical, rad/s.
    pub fn level_twist(&self) -> [f64; 3] {
        let at = self.inclination();
        let [vx, vy, _] = at.to_heading(self.velocity);
        [vx, vy, at.to_heading(self.rate)[2]]
    }

    /// Replaces the part of the motion that [`Self::level_twist`] returns.
    pub fn with_level_twist(self, [vx, vy, omega]: [f64; 3]) -> Self {
        let at = self.inclination();
        let [_, _, rising] = at.to_heading(self.velocity);
        let [about_x, about_y, _] = at.to_heading(self.rate);
        let velocity = at.to_body([vx, vy, rising]);
        Self { velocity, rate: at.to_body([about_x, about_y, omega]), ..self }
    }
}

impl Vehicles {
    /// Takes the heights of vehicles that do not follow the ground over to their bodies.
    pub fn carry_heights(&self, physics: &mut Physics) {
        let heights = self.columns.get(self.host.own.attitude[0]);
        for (lane, height) in self.lanes.iter().zip(heights) {
            physics.bodies.set_height(lane.body, *height);
        }
    }

    /// Places vehicles that do not follow the ground before the first step: on the ground below, or as
    /// the world file says.
    pub fn place_in_space(&mut self, lane: usize, ground: &Ground, physics: &mut Physics) {
        if !self.lanes[lane].fixed.keeps_pose {
            self.follow_ground_below(lane, ground, physics, None);
        }
        let [_, pitch, roll] = self.values(self.host.own.attitude, lane);
        let heading = self.values(self.host.own.heading, lane);
        self.lanes[lane].normal = Tilt::new(pitch, roll).normal(heading);
    }

    /// Sets the motion in space at the end of a step of `dt` seconds.
    pub(super) fn set_motion_in_space(&mut self, lane: usize, motion: InSpace, dt: f64) {
        let InSpace { attitude, velocity, rate } = motion;
        self.set_values(self.host.own.attitude, lane, attitude);
        if let Some(columns) = self.host.motion {
            self.record_motion(lane, &columns, motion.inclination(), [velocity, rate], Some(dt));
        }
    }

    /// Shows the motion in space as the velocity of the vehicles.
    pub fn show_motion_in_space(&mut self) {
        let Some(columns) = self.host.motion.filter(|_| self.host.spatial) else { return };
        let measured = &self.host.measured;
        let shown = [measured.vx, measured.vy, measured.omega];
        for lane in 0..self.lanes.len() {
            let twist = columns.twist().map(|column| self.value(column, lane));
            // unknown before the first step and at another place
            if !twist[0].is_nan() {
                self.set_values(shown, lane, twist);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_twist_replaces_nothing_but_itself() {
        let motion = InSpace {
            attitude: [2.0, 0.3, -0.5],
            velocity: [4.0, -1.0, 0.7],
            rate: [0.2, -0.4, 0.9],
        };
        let same = motion.with_level_twist(motion.level_twist());
        let stopped = motion.with_level_twist([0.0; 3]);
        for axis in 0..3 {
            assert!((same.velocity[axis] - motion.velocity[axis]).abs() < 1e-14);
            assert!((same.rate[axis] - motion.rate[axis]).abs() < 1e-14);
        }
        assert!(stopped.level_twist().iter().all(|value| value.abs() < 1e-15));
        // the vertical velocity is that of before
        let rising = |motion: &InSpace| motion.inclination().to_heading(motion.velocity)[2];
        assert!((rising(&stopped) - rising(&motion)).abs() < 1e-14);
    }
}
