//! Poses in space.

use crate::pose::Pose2;

/// Rows of a rotation matrix.
pub type Rotation = [[f64; 3]; 3];

/// A pose in space: turned by R = Rz(`yaw`)·Ry(`pitch`)·Rx(`roll`), then moved by (`x`, `y`, `z`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose3 {
    /// m.
    pub x: f64,
    /// m.
    pub y: f64,
    /// Upwards, m.
    pub z: f64,
    /// About the z axis, counter-clockwise seen from above, rad.
    pub yaw: f64,
    /// About the turned y axis, positive with the nose down, rad.
    pub pitch: f64,
    /// About the turned x axis, positive with the left side up, rad.
    pub roll: f64,
}

impl Pose3 {
    /// The pose with this position, m, and rotation matrix. Nose straight up or down leaves yaw and
    /// roll undetermined together; roll is then zero.
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

    /// The rotation matrix: its columns are the axes of this pose.
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

    /// (x, y, z), m.
    pub fn position(&self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// A point of this pose's frame, in the frame that the pose is given in.
    pub fn transform(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.position(), turned(&self.rotation(), point))
    }

    /// The pose `inner`, given in this pose's frame, in the frame that this pose is given in.
    pub fn compose(&self, inner: Self) -> Self {
        let own = self.rotation();
        let position = add(self.position(), turned(&own, inner.position()));
        Self::from_rotation(position, &product(&own, &inner.rotation()))
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation();
        let transposed: Rotation =
            std::array::from_fn(|row| std::array::from_fn(|column| rotation[column][row]));
        let position = turned(&transposed, self.position()).map(|value| -value);
        Self::from_rotation(position, &transposed)
    }
}

impl From<Pose2> for Pose3 {
    fn from(pose: Pose2) -> Self {
        Self { x: pose.x, y: pose.y, yaw: pose.yaw, ..Self::default() }
    }
}

/// The vector turned by the rotation.
pub(crate) fn turned(rotation: &Rotation, vector: [f64; 3]) -> [f64; 3] {
    rotation.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
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
    fn composing_is_applying_one_after_the_other() {
        let inner = Pose3 { x: -0.2, y: 0.1, z: 3.0, yaw: -0.3, pitch: 0.8, roll: -2.0 };
        let point = [1.0, 2.0, 3.0];
        assert!(close(
            SOME.compose(inner).transform(point),
            SOME.transform(inner.transform(point))
        ));
    }

    #[test]
    fn angles_come_back_and_straight_down_is_not_lost() {
        let back = Pose3::from_rotation(SOME.position(), &SOME.rotation());
        assert!((back.yaw - SOME.yaw).abs() < 1e-12 && (back.roll - SOME.roll).abs() < 1e-12);
        let down = Pose3 { pitch: FRAC_PI_2, yaw: 0.7, roll: 0.2, ..Pose3::default() };
        let back = Pose3::from_rotation([0.0; 3], &down.rotation());
        assert!(close(back.transform([1.0, 2.0, 3.0]), down.transform([1.0, 2.0, 3.0])));
    }
}
