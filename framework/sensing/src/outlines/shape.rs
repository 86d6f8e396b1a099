//! Closed outlines in their own frames.

use std::sync::Arc;

use simhost_scene::polygon;

/// Smallest sine of the angle at a corner of an outline whose edges on the far side are left out.
const SHARP: f64 = 0.2;
/// A closed outline in its own frame.
#[derive(Clone, Debug)]
pub struct Shape {
    corners: Arc<[[f64; 2]]>,
    /// Largest distance of a corner from the origin, m.
    pub(super) radius: f64,
    /// Direction of a convex outline without sharp or flat corners, see [`winding`]; otherwise 0.
    pub(super) winding: f64,
    /// Length of the shortest edge, m.
    pub(super) shortest: f64,
}

impl Shape {
    /// Creates an outline from its corners, m. Either direction is allowed.
    pub fn new(corners: &[[f64; 2]]) -> Self {
        let radius = polygon::bounding_radius(corners, [0.0, 0.0]);
        let (winding, shortest) = (winding(corners), shortest(corners));
        Self { corners: corners.into(), radius, winding, shortest }
    }

    /// Returns the corners, m.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }
}

/// Returns 1 for a convex outline that turns left, −1 for one that turns right, and 0 for one that is not convex or
/// has a corner that is almost flat or almost a needle.
fn winding(corners: &[[f64; 2]]) -> f64 {
    let count = corners.len();
    let side = |from: usize| {
        let ([ax, ay], [bx, by]) = (corners[from % count], corners[(from + 1) % count]);
        [bx - ax, by - ay]
    };
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let (mut winding, mut turned) = (0.0, 0.0);
    for at in 0..count {
        let (a, b) = (side(at), side(at + 1));
        let cross = a[0] * b[1] - a[1] * b[0];
        let sine = cross / (length(a) * length(b));
        // false for an edge without length
        let is_clear = sine.abs() >= SHARP;
        if !is_clear || winding * sine < 0.0 {
            return 0.0;
        }
        winding = 1f64.copysign(sine);
        turned += libm::atan2(cross, a[0] * b[0] + a[1] * b[1]);
    }
    // an outline that turns twice is not convex
    if count >= 3 && turned.abs() < 7.0 { winding } else { 0.0 }
}

/// Returns the length of the shortest edge, m.
fn shortest(corners: &[[f64; 2]]) -> f64 {
    let lengths = polygon::edges(corners).map(|(a, b)| {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        (x * x + y * y).sqrt()
    });
    lengths.fold(f64::INFINITY, f64::min)
}
