//! Columns of the motion of bodies in space.

use crate::columns::{Column, Layout};

/// Columns of the motion in space, in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionColumns {
    /// Specific force of the reference point, m/s².
    pub force: [Column; 3],
    /// Angular velocity, rad/s.
    pub rate: [Column; 3],
    /// Angular acceleration, rad/s².
    pub acceleration: [Column; 3],
    /// Velocity of the reference point, m/s; NaN if the step before is unknown.
    pub velocity: [Column; 3],
    /// Normal of the plane of the vehicle, world frame.
    pub normal: [Column; 3],
}

impl MotionColumns {
    /// Adds the columns of `lanes` vehicles.
    pub fn new(lanes: usize, layout: &mut Layout) -> Self {
        let passing = |layout: &mut Layout| [(); 3].map(|()| layout.fill_passing(lanes, 0.0));
        let (force, acceleration) = (passing(layout), passing(layout));
        let mut kept = |value: f64| [(); 3].map(|()| layout.fill(lanes, value));
        Self { force, rate: kept(0.0), acceleration, velocity: kept(f64::NAN), normal: kept(0.0) }
    }

    /// Returns the columns that models read, in the order of their ports.
    pub fn measured(&self) -> [Column; 12] {
        let [vx, vy, vz] = self.velocity;
        let [fx, fy, fz] = self.force;
        let [wx, wy, wz] = self.rate;
        let [ax, ay, az] = self.acceleration;
        [vx, vy, vz, fx, fy, fz, wx, wy, wz, ax, ay, az]
    }
}

impl MotionColumns {
    /// Returns the columns of the velocity and the angular velocity.
    pub fn state(&self) -> [Column; 6] {
        let ([vx, vy, vz], [wx, wy, wz]) = (self.velocity, self.rate);
        [vx, vy, vz, wx, wy, wz]
    }

    /// Returns the columns of the velocities along x and y, m/s, and about z of the body, rad/s.
    pub fn twist(&self) -> [Column; 3] {
        [self.velocity[0], self.velocity[1], self.rate[2]]
    }
}
