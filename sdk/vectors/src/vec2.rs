//! Vectors in the plane.

use crate::vector;

/// A vector in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec2 {
    /// Component along the x axis.
    pub x: f64,
    /// Component along the y axis.
    pub y: f64,
}

vector!(Vec2, 2, [x: 0, y: 1]);

impl Vec2 {
    /// Returns the scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the z component of the vector product, which is positive if `other` is to the left.
    #[inline(always)]
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
}
