//! Vehicles that leave the ground: ballistic flight, and landing.
//!
//! The plane of a vehicle is compared with that of the ground below it at the corners of its footing.
//! A corner above the ground falls with g from the vertical velocity that it has, and a corner that
//! reaches the ground stays on it: an inelastic contact without bounce. The new plane is the
//! least-squares plane through the corners. A vehicle with all corners in the air is in free flight: it
//! keeps its horizontal velocity and its rotation, and wheels carry nothing.
//!
//! Simplification: rotation in the air changes no horizontal velocity, and tyres and springs take up
//! hops with less than [`HOP_SPEED`].

use simhost_scene::Pose3;
use simhost_sdk::math;

/// Vertical speed at which the ground falls away below a vehicle without it leaving the ground, m/s. It
/// would rise by 13 mm.
const HOP_SPEED: f64 = 0.5;

/// Vertical motion of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Fall {
    /// Slopes of the plane of the vehicle, world frame.
    slopes: [f64; 2],
    /// Vertical velocity of the reference point, m/s.
    rising: f64,
    /// Rates of the slopes, world frame, 1/s.
    tilting: [f64; 2],
    /// Number of corners in the air.
    lifted: u8,
    /// Whether the vehicle has been placed and has not moved yet.
    is_placed: bool,
    /// Whether the vehicle has left the ground and not yet returned to it, so that it can stand on
    /// bodies.
    pub above_bodies: bool,
}

/// A plane, relative to the position and the heading of a vehicle.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Height at the reference point, m.
    height: f64,
    /// Slopes along and across.
    slopes: [f64; 2],
}

impl Plane {
    fn of(pose: &Pose3) -> Self {
        if pose.pitch == 0.0 && pose.roll == 0.0 {
            return Self { height: pose.z, slopes: [0.0; 2] };
        }
        let along = -math::tan(pose.pitch);
        let across = math::tan(pose.roll) / math::cos(pose.pitch);
        Self { height: pose.z, slopes: [along, across] }
    }

    fn at(&self, [x, y]: [f64; 2]) -> f64 {
        self.height + x * self.slopes[0] + y * self.slopes[1]
    }

    /// Returns the least-squares plane through heights at the corners of a rectangle.
    fn through(heights: [f64; 4], corners: &Corners) -> Self {
        let Corners { low, high } = *corners;
        let [a, b, c, d] = heights;
        let along = 0.5 * (c + d - a - b) / (high[0] - low[0]);
        let across = 0.5 * (b + d - a - c) / (high[1] - low[1]);
        let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
        let height = 0.25 * (a + b + c + d) - middle[0] * along - middle[1] * across;
        Self { height, slopes: [along, across] }
    }

    fn pose(self, at: Pose3) -> Pose3 {
        let [along, across] = self.slopes;
        // the normal (−along, −across, 1) is the z axis of R_z R_y R_x
        let length = (1.0 + along * along + across * across).sqrt();
        let sin_roll = across / length;
        let roll = math::atan2(sin_roll, (1.0 - sin_roll * sin_roll).sqrt());
        Pose3 { z: self.height, pitch: -math::atan(along), roll, ..at }
    }
}

/// Least extent of the rectangle of a footing, m.
const LEAST_EXTENT: f64 = 0.1;

/// Rectangle around the contact points of a vehicle, vehicle frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ground) struct Corners {
    low: [f64; 2],
    high: [f64; 2],
}

impl Corners {
    pub fn around(points: &[[f64; 2]]) -> Self {
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0)
        };
        let (mut low, mut high) = ([0.0; 2], [0.0; 2]);
        for axis in 0..2 {
            let (least, greatest) = (bound(axis, f64::min), bound(axis, f64::max));
            let half = 0.5 * (greatest - least).max(LEAST_EXTENT);
            let middle = 0.5 * (least + greatest);
            (low[axis], high[axis]) = (middle - half, middle + half);
        }
        Self { low, high }
    }

    fn points(&self) -> [[f64; 2]; 4] {
        let Self { low, high } = *self;
        [low, [low[0], high[1]], [high[0], low[1]], high]
    }
}

/// Motion of a vehicle as seen from above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Cosine and sine of the heading.
    pub heading: [f64; 2],
    /// Velocity, world frame, m/s.
    pub velocity: [f64; 2],
}

impl Course {
    /// Converts a vector of the world to the frame of the heading.
    fn to_heading(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.heading;
        [cos * x + sin * y, cos * y - sin * x]
    }

    /// Converts a vector of the frame of the heading to the world.
    fn to_world(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.heading;
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// Returns the vertical velocity of a vehicle that follows a plane with these slopes, m/s.
    fn rising(self, slopes: [f64; 2]) -> f64 {
        let [vx, vy] = self.to_heading(self.velocity);
        vx * slopes[0] + vy * slopes[1]
    }
}

impl Fall {
    /// Creates the motion of a vehicle that is placed on ground of this pose.
    pub fn on_ground(ground: &Pose3, course: Course) -> Self {
        let slopes = Plane::of(ground).slopes;
        let rising = course.rising(slopes);
        Self { slopes: course.to_world(slopes), rising, is_placed: true, ..Self::default() }
    }

    /// Creates the motion of a vehicle that is let go in the air at a pose.
    pub fn in_air(pose: &Pose3, course: Course) -> Self {
        let slopes = course.to_world(Plane::of(pose).slopes);
        Self { slopes, lifted: 4, above_bodies: true, ..Self::default() }
    }

    /// Returns whether a part of the vehicle is in the air.
    pub fn is_lifted(&self) -> bool {
        self.lifted > 0
    }

    /// Returns whether the whole vehicle is in the air.
    pub fn is_free(&self) -> bool {
        self.lifted == 4
    }

    /// Returns the vertical velocity of the reference point, m/s, if a part of the vehicle is in the air.
    pub fn rising(&self) -> Option<f64> {
        self.is_lifted().then_some(self.rising)
    }

    /// Advances the vehicle by `dt` seconds. `pose` has the new position and the height of before,
    /// `ground` is the pose on the ground below.
    pub(super) fn advance(
        &mut self,
        pose: &Pose3,
        ground: &Pose3,
        corners: &Corners,
        course: Course,
        [gravity, dt]: [f64; 2],
    ) -> Pose3 {
        if self.is_placed {
            *self = Self { is_placed: false, ..Self::on_ground(ground, course) };
            return *ground;
        }
        let was = Plane { height: pose.z, slopes: course.to_heading(self.slopes) };
        let (below, tilting) = (Plane::of(ground), course.to_heading(self.tilting));
        let follow = course.rising(below.slopes);
        let rate = |[x, y]: [f64; 2]| self.rising + x * tilting[0] + y * tilting[1];
        // flight without ground
        let points = corners.points();
        let fallen = points.map(|at| was.at(at) + dt * (rate(at) - 0.5 * gravity * dt));
        let lift = [0, 1, 2, 3].map(|i| fallen[i] - below.at(points[i]));
        let slack = if self.is_lifted() { 0.0 } else { HOP_SPEED * dt };
        if lift.iter().all(|lift| *lift <= slack) {
            let followed = ((below.height - was.height) / dt).min(follow);
            let rising = followed.max(self.rising - gravity * dt);
            let slopes = course.to_world(below.slopes);
            *self = Self { slopes, rising, tilting: [0.0; 2], lifted: 0, ..*self };
            return *ground;
        }
        let (mut heights, mut rates) = (fallen, points.map(rate));
        self.lifted = 0;
        for i in 0..4 {
            let falling = rates[i] - gravity * dt;
            rates[i] = falling;
            if lift[i] > 0.0 {
                self.lifted += 1;
            } else {
                // the ground can sink too
                heights[i] = below.at(points[i]);
                let followed = ((heights[i] - was.at(points[i])) / dt).min(follow);
                rates[i] = followed.max(falling);
            }
        }
        let (plane, rates) = (Plane::through(heights, corners), Plane::through(rates, corners));
        self.slopes = course.to_world(plane.slopes);
        (self.rising, self.tilting) = (rates.height, course.to_world(rates.slopes));
        self.above_bodies = true;
        plane.pose(*pose)
    }
}

#[cfg(test)]
mod tests;
