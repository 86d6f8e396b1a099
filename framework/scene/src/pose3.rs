//! Poses in space.

use simhost_vectors::Vec3;

use crate::pose::Pose2;

/// Rows of a rotation matrix.
pub type Rotation = [[f64; 3]; 3];

/// A pose in space: the rotation R = Rz(`yaw`)·Ry(`pitch`)·Rx(`roll`) followed by a translation by
/// (`x`, `y`, `z`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose3 {
    /// X in m.
    pub x: f64,
    /// Y in m.
    pub y: f64,
    /// Height in m.
    pub z: f64,
    /// Rotation about the z axis in rad, positive counter-clockwise seen from above.
    pub yaw: f64,
    /// Rotation about the rotated y axis in rad, positive with the nose down.
    pub pitch: f64,
    /// Rotation about the rotated x axis in rad, positive with the left side up.
    pub roll: f64,
}

impl Pose3 {
    /// Creates a pose from a position in m and a rotation matrix. With the nose straight up or
    /// down, yaw and roll are not unique and roll is set to 0.
    pub fn from_rotation(position: [f64; 3], rotation: &Rotation) -> Self {
        let r = rotation;
        let cos_pitch = libm::hypot(r[0][0], r[1][0]);
        let pitch = libm::atan2(-r[2][0], cos_pitch);
        let (yaw, roll) = if cos_pitch > 1e-12 {
            (libm::atan2(r[1][0], r[0][0]), libm::atan2(r[2][1], r[2][2]))
        } else {
            (libm::atan2(-r[0][1], r[1][1]), 0.0)
        };
        Self { x: position[0], y: position[1], z: position[2], yaw, pitch, roll }
    }

    /// Returns the rotation matrix. Its columns are the axes of this pose.
    pub fn rotation(&self) -> Rotation {
        let (sin_yaw, cos_yaw) = libm::sincos(self.yaw);
        let (sin_pitch, cos_pitch) = libm::sincos(self.pitch);
        let (sin_roll, cos_roll) = libm::sincos(self.roll);
        [
            [
                cos_yaw * cos_pitch,
                cos_yaw * sin_pitch * sin_roll - sin_yaw * cos_roll,
                cos_yaw * sin_pitch * cos_roll + sin_yaw * sin_roll,
            ],
            [
                sin_yaw * cos_pitch,
                sin_yaw * sin_pitch * sin_roll + cos_yaw * cos_roll,
                sin_yaw * sin_pitch * cos_roll - cos_yaw * sin_roll,
            ],
            [-sin_pitch, cos_pitch * sin_roll, cos_pitch * cos_roll],
        ]
    }

    /// Returns the rotation as a unit quaternion (w, x, y, z).
    pub fn quaternion(&self) -> [f64; 4] {
        let half = [self.yaw, self.pitch, self.roll].map(|angle| libm::sincos(0.5 * angle));
        let [(sy, cy), (sp, cp), (sr, cr)] = half;
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ]
    }

    /// Returns the position (x, y, z) in m.
    pub fn position(&self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// Transforms a point from the frame of this pose to its parent frame.
    pub fn transform(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.position(), rotated(&self.rotation(), point))
    }

    /// Transforms a pose from the frame of this pose to its parent frame.
    pub fn compose(&self, inner: Self) -> Self {
        let own = self.rotation();
        let position = add(self.position(), rotated(&own, inner.position()));
        Self::from_rotation(position, &product(&own, &inner.rotation()))
    }

    /// Returns the inverse pose.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation();
        let transposed: Rotation =
            std::array::from_fn(|row| std::array::from_fn(|column| rotation[column][row]));
        let position = rotated(&transposed, self.position()).map(|value| -value);
        Self::from_rotation(position, &transposed)
    }
}

impl From<Pose2> for Pose3 {
    fn from(pose: Pose2) -> Self {
        Self { x: pose.x, y: pose.y, yaw: pose.yaw, ..Self::default() }
    }
}

/// Rotates a vector.
pub(crate) fn rotated(rotation: &Rotation, vector: [f64; 3]) -> [f64; 3] {
    rotation.map(|row| Vec3::from(row).dot(vector.into()))
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    (Vec3::from(a) + b.into()).to_array()
}

fn product(a: &Rotation, b: &Rotation) -> Rotation {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn close(a: [f64; 3], b: [f64; 3]) -> bool {
        (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-12)
    }

    const SOME: Pose3 = Pose3 { x: 1.0, y: -2.0, z: 0.5, yaw: 2.1, pitch: -0.4, roll: 0.9 };

    #[test]
    fn directions_of_the_angles() {
        let pitched = Pose3 { pitch: 0.1, ..Pose3::default() };
        assert!(pitched.transform([1.0, 0.0, 0.0])[2] < 0.0, "nose down");
        let rolled = Pose3 { roll: FRAC_PI_2, ..Pose3::default() };
        assert!(close(rolled.transform([1.0, 2.0, 3.0]), [1.0, -3.0, 2.0]));
        let yawed = Pose3 { yaw: FRAC_PI_2, x: 1.0, ..Pose3::default() };
        assert!(close(yawed.transform([1.0, 0.0, 0.0]), [1.0, 1.0, 0.0]));
    }

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let point = [0.3, 4.0, -1.0];
        assert!(close(SOME.inverse().transform(SOME.transform(point)), point));
        assert!(close(SOME.compose(SOME.inverse()).transform(point), point));
    }

    #[test]
    fn a_quaternion_turns_as_the_matrix_does() {
        let [w, x, y, z] = SOME.quaternion();
        let rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        for (row, expected) in rows.into_iter().zip(SOME.rotation()) {
            assert!(close(row, expected), "{row:?} {expected:?}");
        }
    }

    #[test]
    fn composition_applies_both_poses() {
        let inner = Pose3 { x: -0.2, y: 0.1, z: 3.0, yaw: -0.3, pitch: 0.8, roll: -2.0 };
        let point = [1.0, 2.0, 3.0];
        assert!(close(
            SOME.compose(inner).transform(point),
            SOME.transform(inner.transform(point))
        ));
    }

    #[test]
    fn angles_are_recovered_even_straight_down() {
        let back = Pose3::from_rotation(SOME.position(), &SOME.rotation());
        assert!((back.yaw - SOME.yaw).abs() < 1e-12 && (back.roll - SOME.roll).abs() < 1e-12);
        let down = Pose3 { pitch: FRAC_PI_2, yaw: 0.7, roll: 0.2, ..Pose3::default() };
        let back = Pose3::from_rotation([0.0; 3], &down.rotation());
        assert!(close(back.transform([1.0, 2.0, 3.0]), down.transform([1.0, 2.0, 3.0])));
    }
}
