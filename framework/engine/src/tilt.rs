//! How a vehicle leans: between its own plane and the level plane in which bodies move.
//!
//! Bodies are solved in the level plane, seen from above; a vehicle drives in the plane of the ground
//! below it. With the rotation R_z(yaw) R_y(pitch) R_x(roll) its axes, seen from above and from its
//! heading, are (cos θ, 0) and (sin θ sin φ, cos φ) for pitch θ and roll φ, and its normal is
//! (sin θ cos φ, −sin φ, cos θ cos φ). It turns about that normal, so its yaw grows by cos φ / cos θ times
//! its rate of turning (Euler's kinematic equations without pitch rate; any book of flight mechanics).

use simhost_sdk::math;

/// The lean of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Tilt {
    /// cos θ, sin θ sin φ, cos φ.
    along: f64,
    skew: f64,
    across: f64,
    /// cos φ / cos θ.
    turn: f64,
    /// Its normal, seen from its heading.
    normal: [f64; 3],
}

impl Tilt {
    /// Level.
    pub const LEVEL: Self =
        Self { along: 1.0, skew: 0.0, across: 1.0, turn: 1.0, normal: [0.0, 0.0, 1.0] };

    /// By pitch (nose down positive) and roll, rad.
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

    /// From the vehicle's plane to the level one, seen from its heading.
    #[inline(always)]
    pub fn onto_level(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.along * x + self.skew * y, self.across * y]
    }

    /// From the level plane to that of the vehicle.
    #[inline(always)]
    pub fn onto_slope(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = y / self.across;
        [(x - self.skew * y) / self.along, y]
    }

    /// Rate of yaw, rad/s, at a rate of turning about its normal.
    #[inline(always)]
    pub fn yaw_rate(self, turning: f64) -> f64 {
        self.turn * turning
    }

    /// Rate of turning about its normal at a rate of yaw, rad/s.
    #[inline(always)]
    pub fn turning(self, yaw_rate: f64) -> f64 {
        yaw_rate / self.turn
    }

    /// Parts of gravity: forwards and to the left in the vehicle's plane, and onto that plane.
    pub fn gravity(self, gravity: f64) -> [f64; 3] {
        // −e_z along e_x, e_y and −n
        let [nx, ny, nz] = self.normal;
        let sin_pitch = nx / self.across;
        [gravity * sin_pitch, gravity * self.along * ny, gravity * nz]
    }

    /// The normal in the world frame at a heading with this cosine and sine.
    pub fn normal(self, [cos, sin]: [f64; 2]) -> [f64; 3] {
        let [x, y, z] = self.normal;
        [cos * x - sin * y, sin * x + cos * y, z]
    }
}

/// Carries a level velocity from a plane with one normal to a plane with another: what it is in space
/// turns with the normal about the line in which the planes meet (Rodrigues), so no speed is lost or won.
pub(crate) fn carry([vx, vy]: [f64; 2], from: [f64; 3], to: [f64; 3]) -> [f64; 2] {
    if from == to {
        return [vx, vy];
    }
    let v = [vx, vy, -(from[0] * vx + from[1] * vy) / from[2]];
    let axis = cross(from, to);
    let cos = dot(from, to);
    let (turned, along) = (cross(axis, v), dot(axis, v) / (1.0 + cos));
    [cos * v[0] + turned[0] + axis[0] * along, cos * v[1] + turned[1] + axis[1] * along]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let tilt = Tilt::new(0.2, -0.3);
        let [x, y] = tilt.onto_slope(tilt.onto_level([1.5, -0.7]));
        assert!((x - 1.5).abs() < 1e-15 && (y + 0.7).abs() < 1e-15);
        assert!((tilt.turning(tilt.yaw_rate(0.4)) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn gravity_pulls_down_a_slope_and_keeps_its_size() {
        // nose up by 10°: backwards
        let [x, y, n] = Tilt::new(-10f64.to_radians(), 0.0).gravity(9.81);
        assert!((x + 9.81 * 10f64.to_radians().sin()).abs() < 1e-12 && y == 0.0, "{x} {y}");
        assert!((n - 9.81 * 10f64.to_radians().cos()).abs() < 1e-12);
        let [x, y, n] = Tilt::new(0.3, 0.2).gravity(9.81);
        // rolled to the right, it slides to the right
        assert!(x > 0.0 && y < 0.0);
        assert!(((x * x + y * y + n * n).sqrt() - 9.81).abs() < 1e-12);
    }

    #[test]
    fn speed_in_space_is_kept_when_the_ground_turns() {
        let (from, to) =
            (Tilt::new(0.1, 0.05).normal([0.6, 0.8]), Tilt::new(-0.2, 0.1).normal([0.8, 0.6]));
        let speed = |[x, y]: [f64; 2], n: [f64; 3]| {
            let z = -(n[0] * x + n[1] * y) / n[2];
            (x * x + y * y + z * z).sqrt()
        };
        let before = [3.0, -1.0];
        let after = carry(before, from, to);
        assert!((speed(before, from) - speed(after, to)).abs() < 1e-12);
    }
}
