//! Rays and triangles.

use crate::Vec3;

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
