//! Geometry between the plane of a vehicle and the level plane in which bodies move.
//!
//! Bodies are solved in the level plane, seen from above. A vehicle drives in the plane of the ground
//! below it. With the rotation R_z(yaw) R_y(pitch) R_x(roll), its axes seen from above and relative to
//! its heading are (cos θ, 0) and (sin θ sin φ, cos φ) for pitch θ and roll φ, and its normal is
//! (sin θ cos φ, −sin φ, cos θ cos φ). It rotates about that normal. Its yaw rate in the level plane is
//! therefore cos φ / cos θ times its rotation rate (Euler's kinematic equations without pitch rate; see
//! any book on flight mechanics).

use crate::live_state::live_state;
use simhost_sdk::math;
use simhost_vectors::Vec3;

/// Inclination of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tilt {
    /// cos θ.
    along: f64,
    /// sin θ sin φ.
    skew: f64,
    /// cos φ.
    across: f64,
    /// cos φ / cos θ.
    turn: f64,
    /// Normal of the vehicle's plane, relative to its heading.
    normal: [f64; 3],
}

live_state! { Tilt { state { along, skew, across, turn, normal } } }

impl Tilt {
    /// No inclination.
    pub const LEVEL: Self =
        Self { along: 1.0, skew: 0.0, across: 1.0, turn: 1.0, normal: [0.0, 0.0, 1.0] };

    /// Creates the inclination of a pitch (positive nose down) and a roll (positive right side down),
    /// rad.
    pub fn new(pitch: f64, roll: f64) -> Self {
        if pitch == 0.0 && roll == 0.0 {
            return Self::LEVEL;
        }
        let (sin_pitch, cos_pitch) = math::sin_cos(pitch);
        let (sin_roll, cos_roll) = math::sin_cos(roll);
        Self {
            along: cos_pitch,
            skew: sin_pitch * sin_roll,
            across: cos_roll,
            turn: cos_roll / cos_pitch,
            normal: [sin_pitch * cos_roll, -sin_roll, cos_pitch * cos_roll],
        }
    }

    /// Returns the numbers of [`Self::from_numbers`].
    pub fn numbers(self) -> [f64; 4] {
        [self.along, self.skew, self.across, self.turn]
    }

    /// Creates an inclination without its normal, for conversions between the planes.
    #[inline(always)]
    pub fn from_numbers([along, skew, across, turn]: [f64; 4]) -> Self {
        Self { along, skew, across, turn, normal: [0.0; 3] }
    }

    /// Projects a vector from the vehicle's plane to the level plane, relative to its heading.
    #[inline(always)]
    pub fn to_level(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.along * x + self.skew * y, self.across * y]
    }

    /// Projects a vector from the level plane to the vehicle's plane.
    #[inline(always)]
    pub fn to_slope(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = y / self.across;
        [(x - self.skew * y) / self.along, y]
    }

    /// Converts a rotation rate about the vehicle's normal to a yaw rate in the level plane, rad/s.
    #[inline(always)]
    pub fn level_yaw_rate(self, rotation: f64) -> f64 {
        self.turn * rotation
    }

    /// Converts a yaw rate in the level plane to a rotation rate about the vehicle's normal, rad/s.
    #[inline(always)]
    pub fn rotation_rate(self, yaw_rate: f64) -> f64 {
        yaw_rate / self.turn
    }

    /// Returns the components of gravity: forwards and leftwards in the vehicle's plane, and normal to
    /// it, positive downwards.
    pub fn gravity(self, gravity: f64) -> [f64; 3] {
        // projections of −e_z on e_x, e_y and −n
        let [nx, ny, nz] = self.normal;
        let sin_pitch = nx / self.across;
        [gravity * sin_pitch, gravity * self.along * ny, gravity * nz]
    }

    /// Returns the normal in the world frame for a heading given as cosine and sine.
    pub fn normal(self, [cos, sin]: [f64; 2]) -> [f64; 3] {
        let [x, y, z] = self.normal;
        [cos * x - sin * y, sin * x + cos * y, z]
    }
}

/// Converts a level velocity when the plane of motion changes its normal from `from` to `to`. The
/// velocity in space rotates with the normal about the intersection of the planes (Rodrigues), so that
/// its magnitude does not change.
pub(crate) fn rotate_velocity([vx, vy]: [f64; 2], from: [f64; 3], to: [f64; 3]) -> [f64; 2] {
    if from == to {
        return [vx, vy];
    }
    let (from, to) = (Vec3::from(from), Vec3::from(to));
    let v = Vec3::new(vx, vy, -(from.x * vx + from.y * vy) / from.z);
    let axis = from.cross(to);
    let cos = from.dot(to);
    let [x, y, _] = (cos * v + axis.cross(v) + axis * (axis.dot(v) / (1.0 + cos))).to_array();
    [x, y]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_inverse() {
        let tilt = Tilt::new(0.2, -0.3);
        let [x, y] = tilt.to_slope(tilt.to_level([1.5, -0.7]));
        assert!((x - 1.5).abs() < 1e-15 && (y + 0.7).abs() < 1e-15);
        assert!((tilt.rotation_rate(tilt.level_yaw_rate(0.4)) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn gravity_pulls_down_a_slope_with_unchanged_magnitude() {
        // nose up by 10°: gravity pulls backwards
        let [x, y, n] = Tilt::new(-10f64.to_radians(), 0.0).gravity(9.81);
        assert!((x + 9.81 * 10f64.to_radians().sin()).abs() < 1e-12 && y == 0.0, "{x} {y}");
        assert!((n - 9.81 * 10f64.to_radians().cos()).abs() < 1e-12);
        let [x, y, n] = Tilt::new(0.3, 0.2).gravity(9.81);
        // rolled to the right: gravity pulls to the right
        assert!(x > 0.0 && y < 0.0);
        assert!(((x * x + y * y + n * n).sqrt() - 9.81).abs() < 1e-12);
    }

    #[test]
    fn speed_in_space_does_not_change_when_the_ground_turns() {
        let (from, to) =
            (Tilt::new(0.1, 0.05).normal([0.6, 0.8]), Tilt::new(-0.2, 0.1).normal([0.8, 0.6]));
        let speed = |[x, y]: [f64; 2], n: [f64; 3]| {
            let z = -(n[0] * x + n[1] * y) / n[2];
            (x * x + y * y + z * z).sqrt()
        };
        let before = [3.0, -1.0];
        let after = rotate_velocity(before, from, to);
        assert!((speed(before, from) - speed(after, to)).abs() < 1e-12);
    }
}
