//! The state of one scan: directions and nearest distances of all rays, into which outlines and grids
//! are projected.

use crate::bearing::{Interval, RayIndex};
use crate::directions;
use crate::fan::Fan;
use crate::tree::Sight;

/// Number of rays that are computed together.
pub(crate) const TILE: usize = 4;

/// Work that a scan has taken, in numbers that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Groups of eight boxes that were tested.
    pub groups: usize,
    /// Outlines, and walls of occupancy grids, that were examined.
    pub candidates: usize,
    /// Cells through which rays were followed one by one.
    pub cells: usize,
}

/// Rays from one origin and what they have met so far.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Origin in the world frame, m.
    pub origin: [f64; 2],
    /// Maximum range, m.
    pub max_range: f64,
    /// Map from bearings to rays.
    pub index: RayIndex,
    /// Directions, padded to whole tiles.
    pub cos: Vec<f64>,
    /// As `cos`.
    pub sin: Vec<f64>,
    /// Distance to the nearest hit of each ray, or just above the maximum range, m. Padded.
    pub nearest: Vec<f64>,
    /// `nearest` before the present grid.
    pub before: Vec<f64>,
    /// 1 for a ray that an unknown cell of the present grid has ended, otherwise 0.
    pub ended: Vec<f64>,
    /// Work so far.
    pub work: Work,
}

impl Scan {
    /// Begins a scan. Buffers keep their memory.
    #[inline(always)]
    pub fn begin(&mut self, fan: &Fan) {
        let rays = fan.angles.len();
        let padded = rays.next_multiple_of(TILE);
        self.origin = [fan.origin.x, fan.origin.y];
        self.max_range = fan.max_range;
        self.index = RayIndex::new(fan.origin.yaw, fan.angles);
        self.cos.resize(padded, 0.0);
        self.sin.resize(padded, 0.0);
        directions::fill(fan.origin.yaw, fan.angles, &mut self.cos[..rays], &mut self.sin[..rays]);
        self.nearest.clear();
        self.nearest.resize(padded, fan.max_range.next_up());
        // rays that fill the last tile meet nothing and hide nothing
        self.cos[rays..].fill(f64::NAN);
        self.sin[rays..].fill(f64::NAN);
        self.nearest[rays..].fill(f64::NEG_INFINITY);
        self.work = Work::default();
    }

    /// Writes the range of each ray, m; infinity where nothing is within the maximum range.
    #[inline(always)]
    pub fn finish(&self, ranges: &mut [f64]) {
        for (range, &nearest) in ranges.iter_mut().zip(&self.nearest) {
            *range = if nearest > self.max_range { f64::INFINITY } else { nearest };
        }
    }

    /// Returns whether every ray that can meet a box has met something nearer.
    #[inline(always)]
    pub fn is_hidden(&self, sight: &Sight) -> bool {
        let tiles = self.nearest.as_chunks::<TILE>().0;
        for (from, to, _) in self.index.runs(sight.rays) {
            for tile in &tiles[from / TILE..=to / TILE] {
                let mut is_open = false;
                for nearest in tile {
                    is_open |= *nearest >= sight.distance;
                }
                if is_open {
                    return false;
                }
            }
        }
        true
    }

    /// Intersects the segment a–b, relative to the origin, with the rays in an interval.
    #[inline(always)]
    pub fn meet_segment(&mut self, a: [f64; 2], b: [f64; 2], rays: Interval) {
        let Self { index, cos, sin, nearest, .. } = self;
        for (from, to, _) in index.runs(rays) {
            let (first, end) = (from / TILE, to / TILE + 1);
            let cos = &cos.as_chunks::<TILE>().0[first..end];
            let sin = &sin.as_chunks::<TILE>().0[first..end];
            let nearest = &mut nearest.as_chunks_mut::<TILE>().0[first..end];
            let mut along = [false; TILE];
            for ((cos, sin), nearest) in cos.iter().zip(sin).zip(&mut *nearest) {
                for i in 0..TILE {
                    let (distance, is_along) = intersect([cos[i], sin[i]], a, b);
                    nearest[i] = if distance < nearest[i] { distance } else { nearest[i] };
                    along[i] |= is_along;
                }
            }
            if along != [false; TILE] {
                meet_along(
                    a,
                    b,
                    cos.as_flattened(),
                    sin.as_flattened(),
                    nearest.as_flattened_mut(),
                );
            }
        }
    }
}

/// Intersects the segment a–b with the rays on whose lines it lies.
#[cold]
fn meet_along(a: [f64; 2], b: [f64; 2], cos: &[f64], sin: &[f64], nearest: &mut [f64]) {
    for ((cos, sin), nearest) in cos.iter().zip(sin).zip(nearest) {
        *nearest = nearest.min(intersect_along([*cos, *sin], a, b));
    }
}

#[inline(always)]
fn cross(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}

#[inline(always)]
fn dot(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[0] * v[0] + u[1] * v[1]
}

/// Returns the distance along a ray from the origin to the segment a–b, or infinity if they do not
/// intersect, and whether the segment lies along the line of the ray, for which the distance is
/// infinity.
///
/// The sides of the ray on which the ends lie decide. Segments that share a corner compute the same side
/// for it, so that no ray passes between them.
#[inline(always)]
fn intersect(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> (f64, bool) {
    let (side_a, side_b) = (cross(direction, a), cross(direction, b));
    let is_beside = side_a * side_b > 0.0;
    let is_along = !is_beside & (side_a == side_b);
    let part = side_a / (side_a - side_b);
    let hit = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
    let distance = dot(direction, hit);
    let meets = !is_beside & !is_along & (distance >= 0.0);
    (if meets { distance } else { f64::INFINITY }, is_along)
}

/// Returns the distance to the nearer end in front of a segment along the line of a ray, otherwise
/// infinity.
fn intersect_along(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (side_a, side_b) = (cross(direction, a), cross(direction, b));
    if side_a * side_b > 0.0 || side_a != side_b {
        return f64::INFINITY;
    }
    [dot(direction, a), dot(direction, b)]
        .into_iter()
        .filter(|distance| *distance >= 0.0)
        .fold(f64::INFINITY, f64::min)
}
