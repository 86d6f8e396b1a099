//! Convex outlines with four corners, eight at a time: walls, boxes and vehicles.

use super::{BESIDE, END_ON, Outline};
use crate::bearing::{Interval, RayIndex, bearing};
use crate::scan::Scan;
use crate::tree::WIDTH;

/// Number of corners.
const CORNERS: usize = 4;
/// Bit of an outline that is clear: its origin is outside, and no edge is seen end on.
const CLEAR: u64 = 1 << 16;
/// Bit of an outline with rays beside one of the corners between which it is seen.
const IS_BESIDE: u64 = 1 << 17;

/// One number of each outline of a group.
type Column = [f64; WIDTH];

/// The outlines of a group of the tree.
#[derive(Clone, Debug)]
pub(super) struct Quads {
    /// Corners, m; of no meaning for outlines without winding.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// See [`Outline::winding`]; 0 also for an outline with another number of corners.
    winding: Column,
}

impl Quads {
    /// An empty group.
    pub const EMPTY: Self =
        Self { x: [[0.0; WIDTH]; CORNERS], y: [[0.0; WIDTH]; CORNERS], winding: [0.0; WIDTH] };

    /// Sets an outline.
    pub fn set(&mut self, slot: usize, outline: &Outline, corners: &[[f64; 2]]) {
        if let Ok(corners) = <&[[f64; 2]; CORNERS]>::try_from(corners) {
            self.winding[slot] = outline.winding;
            for (at, [x, y]) in corners.iter().enumerate() {
                (self.x[at][slot], self.y[at][slot]) = (*x, *y);
            }
        }
    }

    /// Returns the outlines as they are seen from the origin of a fan.
    #[inline(always)]
    pub fn seen(&self, origin: [f64; 2], index: &RayIndex) -> SeenQuads {
        let mut seen = SeenQuads::default();
        let turns = 1f64.copysign(index.per_radian);
        let beside = BESIDE * 1.5 * index.per_radian.abs();
        let last = index.rays as f64 - 1.0;
        for i in 0..WIDTH {
            let mut number = [0.0; CORNERS];
            let (mut x, mut y, mut square) = ([0.0; CORNERS], [0.0; CORNERS], [0.0; CORNERS]);
            for k in 0..CORNERS {
                x[k] = self.x[k][i] - origin[0];
                y[k] = self.y[k][i] - origin[1];
                square[k] = x[k] * x[k] + y[k] * y[k];
                number[k] = index.number(bearing(x[k], y[k]));
                seen.x[k][i] = x[k];
                seen.y[k][i] = y[k];
            }
            let mut is_clear = true;
            let mut faces = [false; CORNERS];
            for k in 0..CORNERS {
                let next = (k + 1) % CORNERS;
                let cross = self.winding[i] * (x[k] * y[next] - y[k] * x[next]);
                is_clear &= cross * cross > END_ON * END_ON * square[k] * square[next];
                faces[k] = cross < 0.0;
            }
            is_clear &= faces[0] | faces[1] | faces[2] | faces[3];
            let rises = self.winding[i] * turns > 0.0;
            let mut marks = 0;
            let (mut start, mut end) = (number[0], number[0]);
            for k in 0..CORNERS {
                let (next, before) = ((k + 1) % CORNERS, (k + 3) % CORNERS);
                start = if faces[k] & !faces[before] { number[k] } else { start };
                end = if faces[k] & !faces[next] { number[next] } else { end };
                let low = if rises { number[next] } else { number[k] };
                let high = if rises { number[k] } else { number[next] };
                let high = if high < low { high + index.period } else { high };
                let Interval { low, high } = index.guarded(low, high);
                let from = if low > 0.0 { low.ceil() } else { 0.0 };
                let to = if high < last { high.floor() } else { last };
                let wraps = low + index.period <= last;
                seen.low[k][i] = low;
                seen.high[k][i] = high;
                marks |= if faces[k] & (wraps | (from <= to)) { 1 << k } else { 0 };
                marks |= if wraps { 16 << k } else { 0 };
            }
            let start = index.guarded(start - beside, start + beside);
            let end = index.guarded(end - beside, end + beside);
            (seen.start[0][i], seen.start[1][i]) = (start.low, start.high);
            (seen.end[0][i], seen.end[1][i]) = (end.low, end.high);
            let is_beside = index.can_meet(start) | index.can_meet(end);
            marks |= if is_beside { IS_BESIDE } else { 0 };
            marks |= if is_clear { CLEAR } else { 0 };
            seen.marks[i] = marks;
        }
        seen
    }
}

/// Outlines of a group as they are seen from the origin of a fan.
#[derive(Default)]
pub(super) struct SeenQuads {
    /// Corners relative to the origin, m.
    x: [Column; CORNERS],
    y: [Column; CORNERS],
    /// Rays that can meet the edge after each corner.
    low: [Column; CORNERS],
    high: [Column; CORNERS],
    /// Rays beside the corners between which an outline is seen.
    start: [Column; 2],
    end: [Column; 2],
    marks: [u64; WIDTH],
}

impl SeenQuads {
    /// Returns whether an outline is clear.
    #[inline(always)]
    pub fn is_clear(&self, slot: usize) -> bool {
        self.marks[slot] & CLEAR != 0
    }

    /// Intersects a clear outline with the rays of a scan.
    #[inline(always)]
    pub fn meet(&self, slot: usize, scan: &mut Scan, corners: &[[f64; 2]]) {
        let marks = self.marks[slot];
        let mut edges = marks & 15;
        while edges != 0 {
            let k = edges.trailing_zeros() as usize;
            edges &= edges - 1;
            let next = (k + 1) % CORNERS;
            let ends = [k, next].map(|k| [self.x[k][slot], self.y[k][slot]]);
            let rays = Interval { low: self.low[k][slot], high: self.high[k][slot] };
            scan.meet_edge(ends, rays, marks & 16 << k != 0);
        }
        if marks & IS_BESIDE != 0 {
            for [low, high] in [self.start, self.end] {
                let rays = Interval { low: low[slot], high: high[slot] };
                scan.meet_outline(corners, rays);
            }
        }
    }
}
