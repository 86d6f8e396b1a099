//! Poses in the plane.

/// A pose in the plane: a rotation by `yaw` followed by a translation by (`x`, `y`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose2 {
    /// X in m.
    pub x: f64,
    /// Y in m.
    pub y: f64,
    /// Yaw in rad, positive counter-clockwise.
    pub yaw: f64,
}

impl Pose2 {
    /// Transforms a point from the frame of this pose to its parent frame.
    pub fn transform(&self, point: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.yaw);
        [self.x + cos * point[0] - sin * point[1], self.y + sin * point[0] + cos * point[1]]
    }

    /// Transforms a pose from the frame of this pose to its parent frame.
    pub fn compose(&self, inner: Self) -> Self {
        let [x, y] = self.transform([inner.x, inner.y]);
        Self { x, y, yaw: self.yaw + inner.yaw }
    }

    /// Returns the inverse pose.
    pub fn inverse(&self) -> Self {
        let (sin, cos) = libm::sincos(self.yaw);
        Self { x: -cos * self.x - sin * self.y, y: sin * self.x - cos * self.y, yaw: -self.yaw }
    }
}

#[cfg(test)]
mod tests {
    use super::Pose2;

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let pose = Pose2 { x: 1.0, y: -2.0, yaw: 0.7 };
        let identity = pose.compose(pose.inverse());
        assert!(identity.x.abs() < 1e-15 && identity.y.abs() < 1e-15 && identity.yaw == 0.0);
        let turned = Pose2 { x: 1.0, y: 0.0, yaw: std::f64::consts::FRAC_PI_2 };
        let [x, y] = turned.transform([2.0, 0.0]);
        assert!((x - 1.0).abs() < 1e-15 && (y - 2.0).abs() < 1e-15);
    }
}
