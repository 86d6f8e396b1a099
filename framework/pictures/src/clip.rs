//! Parts of polygons.

use std::ops::{Add, Div, Mul, Sub};

/// Returns the part of a polygon on the side of `bound` to which `sign`, 1 or -1, points along an axis: a pass of the
/// algorithm of Sutherland and Hodgman (1974).
pub(crate) fn clip_half_plane<T>(polygon: &[[T; 2]], axis: usize, bound: T, sign: T) -> Vec<[T; 2]>
where
    T: Copy
        + Default
        + PartialOrd
        + Add<Output = T>
        + Sub<Output = T>
        + Mul<Output = T>
        + Div<Output = T>,
{
    let distance = |point: [T; 2]| sign * (point[axis] - bound);
    let mut kept = Vec::with_capacity(polygon.len() + 2);
    for (k, &to) in polygon.iter().enumerate() {
        let from = polygon[(k + polygon.len() - 1) % polygon.len()];
        let (before, after) = (distance(from), distance(to));
        if (before < T::default()) != (after < T::default()) {
            let share = before / (before - after);
            kept.push(std::array::from_fn(|k| from[k] + share * (to[k] - from[k])));
        }
        if after >= T::default() {
            kept.push(to);
        }
    }
    kept
}
