//! Frames: places and attitudes in space.

use nalgebra::{Matrix3, Vector3};
use simhost_xml::{Element, ReadError};

/// A rigid transformation from a frame to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkFrame {
    /// Axes of the frame in its parent, one per column.
    pub rotation: Matrix3<f64>,
    /// Origin of the frame in its parent, m.
    pub origin: Vector3<f64>,
}

impl Default for LinkFrame {
    fn default() -> Self {
        Self { rotation: Matrix3::identity(), origin: Vector3::zeros() }
    }
}

impl LinkFrame {
    /// Returns the frame of an origin, m, and of roll, pitch and yaw, rad: turns about the fixed axes x, y and z, in this
    /// order, as in URDF and SDF.
    pub fn of_pose([x, y, z]: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let about = |axis: usize, angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let mut turn = Matrix3::identity();
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            (turn[(i, i)], turn[(i, j)]) = (cos, -sin);
            (turn[(j, i)], turn[(j, j)]) = (sin, cos);
            turn
        };
        let rotation = about(2, yaw) * about(1, pitch) * about(0, roll);
        Self { rotation, origin: Vector3::new(x, y, z) }
    }

    /// Returns this frame in the parent of `parent`.
    pub fn within(&self, parent: &Self) -> Self {
        Self {
            rotation: parent.rotation * self.rotation,
            origin: parent.rotation * self.origin + parent.origin,
        }
    }

    /// Returns the frame `of` as this frame sees it; both have the same parent.
    pub fn sees(&self, of: &Self) -> Self {
        let back = self.rotation.transpose();
        Self { rotation: back * of.rotation, origin: back * (of.origin - self.origin) }
    }

    /// Returns a point of this frame in its parent.
    pub fn point(&self, point: Vector3<f64>) -> Vector3<f64> {
        self.rotation * point + self.origin
    }

    /// Returns x, y, z, m, and yaw, pitch, roll, °, in the order of `pose_3d`.
    pub fn pose_3d(&self) -> [f64; 6] {
        let r = &self.rotation;
        let pitch = (-r[(2, 0)]).clamp(-1.0, 1.0).asin();
        // looking straight up or down, only the sum of yaw and roll is known
        let (yaw, roll) = if pitch.cos() > 1e-9 {
            (r[(1, 0)].atan2(r[(0, 0)]), r[(2, 1)].atan2(r[(2, 2)]))
        } else {
            ((-r[(0, 1)]).atan2(r[(1, 1)]), 0.0)
        };
        let [x, y, z] = self.origin.into();
        [x, y, z, yaw.to_degrees(), pitch.to_degrees(), roll.to_degrees()]
    }
}

/// Reads an axis, which has a direction.
pub(crate) fn axis_of(
    element: Element<'_>,
    text: &str,
    what: &str,
) -> Result<Vector3<f64>, ReadError> {
    let axis = Vector3::from(element.numbers::<3>(text, what)?);
    axis.try_normalize(1e-9).ok_or_else(|| {
        let text =
            format!("`{what}` of <{}> is {text:?}; expected an axis, not 0 0 0", element.name());
        ReadError::new(element.line(), text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_read_back() {
        for angles in [[0.1, -0.7, 2.0], [-3.0, 1.2, -1.0], [0.4, 1.57, 0.3], [0.0, 0.0, 0.0]] {
            let frame = LinkFrame::of_pose([1.0, 2.0, 3.0], angles);
            let [x, y, z, yaw, pitch, roll] = frame.pose_3d();
            let again = [roll, pitch, yaw].map(f64::to_radians);
            let again = LinkFrame::of_pose([x, y, z], again);
            assert!((frame.rotation - again.rotation).norm() < 1e-12, "{angles:?}");
        }
    }

    #[test]
    fn a_camera_that_looks_straight_down_keeps_its_attitude() {
        let frame = LinkFrame::of_pose([0.0; 3], [0.3, std::f64::consts::FRAC_PI_2, 0.5]);
        let [.., yaw, pitch, roll] = frame.pose_3d();
        let again = LinkFrame::of_pose([0.0; 3], [roll, pitch, yaw].map(f64::to_radians));
        assert!((frame.rotation - again.rotation).norm() < 1e-9);
    }

    #[test]
    fn frames_are_composed_and_compared() {
        let parent = LinkFrame::of_pose([1.0, -2.0, 0.5], [0.2, 0.3, -1.0]);
        let child = LinkFrame::of_pose([0.4, 0.1, 2.0], [-0.5, 0.1, 0.7]);
        let seen = parent.sees(&child.within(&parent));
        assert!((seen.rotation - child.rotation).norm() < 1e-15);
        assert!((seen.origin - child.origin).norm() < 1e-15);
    }
}
