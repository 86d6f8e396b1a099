//! Orientations as unit quaternions.

use simhost_sdk::kinematics::angles;
use simhost_sdk::math;
use simhost_sdk::vectors::{Rotation, Vec3};

/// A unit quaternion w + x i + y j + z k that rotates vectors of the body into the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// Returns the rotation R_z(yaw) R_y(pitch) R_x(roll), angles in rad.
    pub fn of([yaw, pitch, roll]: [f64; 3]) -> Self {
        let half = |angle: f64| math::sin_cos(0.5 * angle);
        let ((sy, cy), (sp, cp), (sr, cr)) = (half(yaw), half(pitch), half(roll));
        Self([
            cy * cp * cr + sy * sp * sr,
            cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr,
            sy * cp * cr - cy * sp * sr,
        ])
    }

    /// Returns the axes of the body in the world, orthonormal to rounding.
    #[inline(always)]
    pub fn axes(self) -> Rotation {
        let [w, x, y, z] = self.0;
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Rotation { axes: axes.map(Vec3::from) }
    }

    /// Returns yaw, pitch and roll, rad. Pitch is within ±π/2.
    pub fn angles(self) -> [f64; 3] {
        angles(&self.axes())
    }

    /// Returns the rate of change for an angular velocity in the world, rad/s: q̇ = ½ ω q.
    #[inline(always)]
    pub fn rate(self, omega: Vec3) -> [f64; 4] {
        let [w, x, y, z] = self.0;
        let [a, b, c] = omega.to_array();
        [
            -0.5 * (a * x + b * y + c * z),
            0.5 * (a * w + b * z - c * y),
            0.5 * (b * w + c * x - a * z),
            0.5 * (c * w + a * y - b * x),
        ]
    }

    /// Returns the rotation q + k r, of length 1.
    #[inline(always)]
    pub fn plus(self, k: f64, rate: [f64; 4]) -> Self {
        let sum: [f64; 4] = std::array::from_fn(|i| self.0[i] + k * rate[i]);
        let length = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
        Self(sum.map(|value| value / length))
    }
}
