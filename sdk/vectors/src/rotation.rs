//! Rotations in space.

use crate::vector;

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

/// Returns the distance along a ray at which it meets a triangle, from either side, in lengths of
/// `direction`. A ray in the plane of the triangle does not meet it.
///
/// Source: Möller and Trumbore, *Fast, minimum storage ray/triangle intersection*, 1997.
pub fn meet_triangle(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let p = direction.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = origin - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(e1);
    let v = direction.dot(q) / determinant;
    let range = e2.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && range >= 0.0).then_some(range)
}
