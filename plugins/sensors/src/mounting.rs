//! Mounting poses of sensors, and rotations in space.

use simhost_sdk::math;
use simhost_sdk::prelude::Aim;

/// Position and attitude of a sensor in the frame of its vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mounting {
    /// Position, m.
    pub position: [f64; 3],
    /// Yaw, rad.
    pub yaw: f64,
    /// Attitude.
    pub rotation: Rotation,
}

impl Mounting {
    /// Returns the mounting of `<pose>` (x, y, m; yaw, deg) or `<pose_3d>` (x, y, z, m; yaw, pitch, roll,
    /// deg). `<pose>` replaces x, y and yaw.
    pub fn new(pose: Option<[f64; 3]>, pose_3d: Option<[f64; 6]>) -> Self {
        let [mut x, mut y, z, mut yaw, pitch, roll] = pose_3d.unwrap_or_default();
        if let Some(planar) = pose {
            [x, y, yaw] = planar;
        }
        let [yaw, pitch, roll] = [yaw, pitch, roll].map(|angle| angle * math::DEG);
        Self { position: [x, y, z], yaw, rotation: Rotation::new([yaw, pitch, roll]) }
    }

    /// Sets origin and yaw of a sensor whose rays lie in a level plane, or that has none.
    pub fn aim_level(&self, aim: &mut Aim) {
        [aim.x, aim.y, aim.z] = self.position;
        aim.yaw = self.yaw;
    }

    /// Sets origin and attitude of a sensor that casts no rays of its own.
    pub fn aim_without_rays(&self, aim: &mut Aim) {
        [aim.x, aim.y, aim.z] = self.position;
        [aim.yaw, aim.pitch, aim.roll] = self.rotation.angles();
        aim.max_range = 0.0;
        aim.angles.fill(0.0);
    }

    /// Returns the pose in the vehicle frame of what has this mounting in the frame of the sensor: x, y, z,
    /// m; yaw, pitch, roll, rad.
    pub fn place(&self, inner: &Self) -> [f64; 6] {
        let moved = self.rotation.apply(inner.position);
        let [x, y, z] = [0, 1, 2].map(|axis| self.position[axis] + moved[axis]);
        let [yaw, pitch, roll] = self.rotation.compose(&inner.rotation).angles();
        [x, y, z, yaw, pitch, roll]
    }
}

/// A rotation in space, as the axes of the rotated frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotation([[f64; 3]; 3]);

impl Rotation {
    /// Returns R_z(yaw) R_y(pitch) R_x(roll) for angles in rad.
    pub fn new([yaw, pitch, roll]: [f64; 3]) -> Self {
        let (sin_yaw, cos_yaw) = math::sin_cos(yaw);
        let (sin_pitch, cos_pitch) = math::sin_cos(pitch);
        let (sin_roll, cos_roll) = math::sin_cos(roll);
        let (skew, lean) = (sin_pitch * sin_roll, sin_pitch * cos_roll);
        Self([
            [cos_yaw * cos_pitch, sin_yaw * cos_pitch, -sin_pitch],
            [
                cos_yaw * skew - sin_yaw * cos_roll,
                sin_yaw * skew + cos_yaw * cos_roll,
                cos_pitch * sin_roll,
            ],
            [
                cos_yaw * lean + sin_yaw * sin_roll,
                sin_yaw * lean - cos_yaw * sin_roll,
                cos_pitch * cos_roll,
            ],
        ])
    }

    /// Returns the rotation to these axes, which are orthogonal and of unit length.
    pub const fn from_axes(axes: [[f64; 3]; 3]) -> Self {
        Self(axes)
    }

    /// Converts a vector from the rotated frame to the outer one.
    pub fn apply(&self, v: [f64; 3]) -> [f64; 3] {
        let Self([x, y, z]) = self;
        [0, 1, 2].map(|axis| x[axis] * v[0] + y[axis] * v[1] + z[axis] * v[2])
    }

    /// Converts a vector from the outer frame to the rotated one.
    pub fn invert(&self, v: [f64; 3]) -> [f64; 3] {
        self.0.map(|axis| axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2])
    }

    /// Returns the rotation by `inner`, and then by this one.
    pub fn compose(&self, inner: &Self) -> Self {
        Self(inner.0.map(|axis| self.apply(axis)))
    }

    /// Returns yaw, pitch and roll, rad.
    pub fn angles(&self) -> [f64; 3] {
        let Self([x, y, z]) = self;
        let across = (x[0] * x[0] + x[1] * x[1]).sqrt();
        [math::atan2(x[1], x[0]), math::atan2(-x[2], across), math::atan2(y[2], z[2])]
    }
}

/// Returns the cross product of two vectors.
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_and_inverse_of_a_rotation() {
        let angles = [2.5, -0.3, 0.8];
        let rotation = Rotation::new(angles);
        let found = rotation.angles();
        let back = rotation.invert(rotation.apply([1.0, -2.0, 0.5]));
        for axis in 0..3 {
            assert!((found[axis] - angles[axis]).abs() < 1e-14, "{found:?}");
            assert!((back[axis] - [1.0, -2.0, 0.5][axis]).abs() < 1e-14, "{back:?}");
        }
    }

    #[test]
    fn a_rotation_composes_yaw_pitch_and_roll() {
        let yaw = Rotation::new([0.4, 0.0, 0.0]);
        let rest = Rotation::new([0.0, -0.7, 0.2]);
        let found = yaw.compose(&rest).angles();
        for (found, expected) in found.iter().zip([0.4, -0.7, 0.2]) {
            assert!((found - expected).abs() < 1e-14);
        }
    }
}
