//! A convex outline with four corners as it is seen from the origin of a fan.

use super::BESIDE;
use crate::bearing::{Interval, RayIndex};

/// Number of corners.
pub(super) const CORNERS: usize = 4;

/// Angle up to which a ray can be near a corner, rad. More than √2 times its sine, because the
/// distance of the corner is measured along both axes.
const WIDEST: f64 = 1.5 * BESIDE;

/// An outline as it is seen from the origin of a fan.
pub(super) struct SeenQuad {
    /// Corners relative to the origin, m.
    pub x: [f64; CORNERS],
    pub y: [f64; CORNERS],
    /// Fractional ray numbers of the corners.
    pub number: [f64; CORNERS],
    /// Whether the edge after each corner faces the origin.
    pub faces: [bool; CORNERS],
    /// Whether the origin is outside, and no edge is seen almost end on.
    pub is_clear: bool,
    /// Whether ray numbers fall from corner to corner along the edges that face the origin.
    pub falls: bool,
}

/// A corner at which the edges that face the origin begin or end.
#[derive(Clone, Copy, Default)]
pub(super) struct SeenEnd {
    /// Position relative to the origin, m.
    pub x: f64,
    pub y: f64,
    /// Fractional ray number.
    number: f64,
}

impl SeenQuad {
    /// Returns the rays that can meet the edge after a corner.
    #[inline(always)]
    pub fn rays(&self, k: usize, index: &RayIndex) -> Interval {
        let (a, b) = (self.number[k], self.number[(k + 1) % CORNERS]);
        let (low, high) = (if self.falls { b } else { a }, if self.falls { a } else { b });
        index.guarded(low, if high < low { high + index.period } else { high })
    }

    /// Returns the corners between which a clear outline is seen.
    #[inline(always)]
    pub fn ends(&self) -> [SeenEnd; 2] {
        let mut ends = [SeenEnd::default(); 2];
        for k in 0..CORNERS {
            let before = (k + CORNERS - 1) % CORNERS;
            let corner = SeenEnd { x: self.x[k], y: self.y[k], number: self.number[k] };
            ends[0].replace(corner, self.faces[k] & !self.faces[before]);
            ends[1].replace(corner, self.faces[before] & !self.faces[k]);
        }
        ends
    }
}

impl SeenEnd {
    /// Takes another corner if it is an end, without a branch.
    #[inline(always)]
    fn replace(&mut self, corner: Self, is_end: bool) {
        self.x = if is_end { corner.x } else { self.x };
        self.y = if is_end { corner.y } else { self.y };
        self.number = if is_end { corner.number } else { self.number };
    }

    /// Returns the rays that can be near the corner.
    #[inline(always)]
    pub fn beside(&self, index: &RayIndex) -> Interval {
        let width = WIDEST * index.per_radian.abs();
        index.guarded(self.number - width, self.number + width)
    }
}
