//! Rotations as unit quaternions, and vectors in space.

use simhost_sdk::math;

/// A vector in space.
pub type Vector = [f64; 3];

/// Returns a + k b.
#[inline(always)]
pub fn add(a: Vector, k: f64, b: Vector) -> Vector {
    [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]]
}

/// Returns the scalar product.
#[inline(always)]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the vector product a × b.
#[inline(always)]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the magnitude.
#[inline(always)]
pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// A unit quaternion w + x i + y j + z k that rotates vectors of the body into the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation(pub [f64; 4]);

/// Columns of a rotation matrix: the axes of the body in the world.
pub type Axes = [Vector; 3];

impl Rotation {
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
    pub fn axes(self) -> Axes {
        let [w, x, y, z] = self.0;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }

    /// Returns yaw, pitch and roll, rad. Pitch is within ±π/2.
    pub fn angles(self) -> [f64; 3] {
        let [x, y, z] = self.axes();
        let level = (x[0] * x[0] + x[1] * x[1]).sqrt();
        [math::atan2(x[1], x[0]), math::atan2(-x[2], level), math::atan2(y[2], z[2])]
    }

    /// Returns the rate of change for an angular velocity in the world, rad/s: q̇ = ½ ω q.
    #[inline(always)]
    pub fn rate(self, omega: Vector) -> [f64; 4] {
        let [w, x, y, z] = self.0;
        let [a, b, c] = omega;
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

/// Returns a vector of the body in the world.
#[inline(always)]
pub fn to_world([x, y, z]: &Axes, v: Vector) -> Vector {
    [0, 1, 2].map(|i| x[i] * v[0] + y[i] * v[1] + z[i] * v[2])
}

/// Returns a vector of the world in the body.
#[inline(always)]
pub fn to_body([x, y, z]: &Axes, v: Vector) -> Vector {
    [dot(*x, v), dot(*y, v), dot(*z, v)]
}
