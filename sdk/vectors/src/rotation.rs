//! Rotations in space.

use crate::Vec3;

/// A rotation in space: the axes of the rotated frame in the outer one, which are the columns of the
/// rotation matrix. They are orthogonal and of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Rotation {
    /// Axes x, y and z of the rotated frame.
    pub axes: [Vec3; 3],
}

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self =
        Self { axes: [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::Z] };

    /// Converts a vector from the rotated frame to the outer one.
    #[inline(always)]
    pub fn apply(&self, vector: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        x * vector.x + y * vector.y + z * vector.z
    }

    /// Converts a vector from the outer frame to the rotated one.
    #[inline(always)]
    pub fn invert(&self, vector: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        Vec3::new(x.dot(vector), y.dot(vector), z.dot(vector))
    }

    /// Returns the rotation by `inner`, and then by this one.
    #[inline(always)]
    pub fn compose(&self, inner: &Self) -> Self {
        Self { axes: inner.axes.map(|axis| self.apply(axis)) }
    }

    /// Returns the rotation in the opposite direction.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let [x, y, z] = self.axes;
        Self {
            axes: [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)],
        }
    }
}
