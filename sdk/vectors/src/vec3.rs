//! Vectors in space.

use crate::vector;

/// A vector in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3 {
    /// Component along the x axis.
    pub x: f64,
    /// Component along the y axis.
    pub y: f64,
    /// Component along the z axis.
    pub z: f64,
}

vector!(Vec3, 3, [x: 0, y: 1, z: 2]);

impl Vec3 {
    /// Unit vector along the z axis.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);

    /// Returns the scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Returns the vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}
