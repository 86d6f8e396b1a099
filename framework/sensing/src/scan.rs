//! The state of one scan: directions and nearest distances of all rays, into which outlines and grids
//! are projected.

use simhost_scene::polygon;
use simhost_vectors::Vec2;

use crate::bearing::{Interval, RayIndex};
use crate::directions;
use crate::fan::Fan;
use crate::tree::Sight;

/// Number of rays that are computed together.
pub(crate) const TILE: usize = 8;

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

/// Neighbouring rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// Direction.
    pub cos: [f64; TILE],
    /// As `cos`.
    pub sin: [f64; TILE],
    /// Distance to the nearest hit, or just above the maximum range, m.
    pub nearest: [f64; TILE],
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
    /// The rays. Those that fill the last tile meet nothing and hide nothing.
    pub tiles: Vec<Tile>,
    /// Nearest hits before the present grid.
    pub before: Vec<[f64; TILE]>,
    /// 1 for a ray that an unknown cell of the present grid has ended, otherwise 0.
    pub ended: Vec<[f64; TILE]>,
    /// Work so far.
    pub work: Work,
}

/// Fills tiles with directions.
struct Fill<'s> {
    tiles: &'s mut Vec<Tile>,
    nearest: f64,
}

impl directions::Write for Fill<'_> {
    #[inline(always)]
    fn write(&mut self, _: usize, cos: &[f64; directions::TILE], sin: &[f64; directions::TILE]) {
        for (cos, sin) in cos.as_chunks::<TILE>().0.iter().zip(sin.as_chunks::<TILE>().0) {
            let (cos, sin) = (*cos, *sin);
            self.tiles.push(Tile { cos, sin, nearest: [self.nearest; TILE] });
        }
    }
}

impl Tile {
    /// Intersects a segment with the rays. Adds 1 to `along` for those along whose lines it lies.
    #[inline(always)]
    fn meet(&mut self, a: [f64; 2], b: [f64; 2], along: &mut [f64; TILE]) {
        for (i, along) in along.iter_mut().enumerate() {
            let (distance, is_along) = intersect([self.cos[i], self.sin[i]], a, b);
            let nearest = self.nearest[i];
            self.nearest[i] = if distance < nearest { distance } else { nearest };
            *along += is_along;
        }
    }
}

impl Scan {
    /// Begins a scan. Buffers keep their memory.
    #[inline(always)]
    pub fn begin(&mut self, fan: &Fan) {
        let rays = fan.angles.len();
        self.origin = [fan.origin.x, fan.origin.y];
        self.max_range = fan.max_range;
        self.index = RayIndex::new(fan.origin.yaw, fan.angles);
        self.work = Work::default();
        self.tiles.clear();
        self.tiles.reserve(rays.next_multiple_of(directions::TILE) / TILE);
        let mut fill = Fill { tiles: &mut self.tiles, nearest: fan.max_range.next_up() };
        directions::compute(fan.origin.yaw, fan.angles, &mut fill);
        self.tiles.truncate(rays.div_ceil(TILE));
        for ray in rays..self.tiles.len() * TILE {
            let (tile, i) = (&mut self.tiles[ray / TILE], ray % TILE);
            (tile.cos[i], tile.sin[i], tile.nearest[i]) = (f64::NAN, f64::NAN, f64::NEG_INFINITY);
        }
    }

    /// Writes the range of each ray, m; infinity where nothing is within the maximum range.
    #[inline(always)]
    pub fn finish(&self, ranges: &mut [f64]) {
        let range = |nearest: f64| if nearest > self.max_range { f64::INFINITY } else { nearest };
        let (whole, rest) = ranges.as_chunks_mut::<TILE>();
        for (ranges, tile) in whole.iter_mut().zip(&self.tiles) {
            for (to, nearest) in ranges.iter_mut().zip(&tile.nearest) {
                *to = range(*nearest);
            }
        }
        if let Some(last) = self.tiles.last() {
            for (to, nearest) in rest.iter_mut().zip(&last.nearest) {
                *to = range(*nearest);
            }
        }
    }

    /// Returns whether every ray that can meet a box has met something nearer.
    #[inline(always)]
    pub fn is_hidden(&self, sight: &Sight) -> bool {
        let [toward_x, toward_y] =
            sight.near.map(|side| if side == 0.0 { 0.0 } else { 1f64.copysign(side) });
        let [away_x, away_y] = sight.near.map(f64::abs);
        for (from, to, _) in self.index.runs(sight.rays) {
            for tile in &self.tiles[from / TILE..=to / TILE] {
                let mut is_open = false;
                for i in 0..TILE {
                    let nearest = tile.nearest[i];
                    let reach = if nearest < f64::MAX { nearest } else { f64::MAX };
                    let (x, y) = (reach * tile.cos[i], reach * tile.sin[i]);
                    // the ray is in the box after it has crossed the nearer sides of both axes
                    is_open |= (x * toward_x >= away_x) & (y * toward_y >= away_y);
                }
                if is_open {
                    return false;
                }
            }
        }
        true
    }

    /// Intersects all edges of an outline, in the world frame, with the rays in an interval.
    #[inline(always)]
    pub fn meet_outline(&mut self, corners: &[[f64; 2]], rays: Interval) {
        let [x, y] = self.origin;
        let Some(last) = corners.last() else { return };
        for (from, to, _) in self.index.runs(rays) {
            for tile in &mut self.tiles[from / TILE..=to / TILE] {
                let mut a = [last[0] - x, last[1] - y];
                let mut along = [0.0; TILE];
                for corner in corners {
                    let b = [corner[0] - x, corner[1] - y];
                    tile.meet(a, b, &mut along);
                    a = b;
                }
                if along != [0.0; TILE] {
                    for (a, b) in polygon::edges(corners) {
                        let [a, b] = [a, b].map(|at| [at[0] - x, at[1] - y]);
                        meet_along(a, b, std::slice::from_mut(tile));
                    }
                }
            }
        }
    }

    /// Intersects the segment a–b, relative to the origin, with the rays in an interval.
    #[inline(always)]
    pub fn meet_segment(&mut self, a: [f64; 2], b: [f64; 2], rays: Interval) {
        for (from, to, _) in self.index.runs(rays) {
            let tiles = &mut self.tiles[from / TILE..=to / TILE];
            let mut along = [0.0; TILE];
            for tile in &mut *tiles {
                tile.meet(a, b, &mut along);
            }
            if along != [0.0; TILE] {
                meet_along(a, b, tiles);
            }
        }
    }
}

/// Intersects the segment a–b with the rays on whose lines it lies.
#[cold]
fn meet_along(a: [f64; 2], b: [f64; 2], tiles: &mut [Tile]) {
    for tile in tiles {
        for i in 0..TILE {
            let distance = intersect_along([tile.cos[i], tile.sin[i]], a, b);
            tile.nearest[i] = tile.nearest[i].min(distance);
        }
    }
}

/// Returns the distance along a ray from the origin to the segment a–b, or infinity if they do not
/// intersect; and 1 if the segment lies along the line of the ray, for which the distance is infinity,
/// otherwise 0.
///
/// The sides of the ray on which the ends lie decide. Segments that share a corner compute the same side
/// for it, so that no ray passes between them.
#[inline(always)]
fn intersect(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> (f64, f64) {
    let (direction, a, b) = (Vec2::from(direction), Vec2::from(a), Vec2::from(b));
    let (side_a, side_b) = (direction.cross(a), direction.cross(b));
    let sides = side_a * side_b;
    let part = side_a / (side_a - side_b);
    let distance = direction.dot(a + part * (b - a));
    let distance = if distance >= 0.0 { distance } else { f64::INFINITY };
    let distance = if sides > 0.0 { f64::INFINITY } else { distance };
    // an unordered comparison counts as not along
    let is_along = if side_a == side_b { 1.0 } else { 0.0 };
    let is_along = if sides > 0.0 { 0.0 } else { is_along };
    (if is_along > 0.0 { f64::INFINITY } else { distance }, is_along)
}

/// Returns the distance to the nearer end in front of a segment along the line of a ray, otherwise
/// infinity.
fn intersect_along(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (direction, a, b) = (Vec2::from(direction), Vec2::from(a), Vec2::from(b));
    let (side_a, side_b) = (direction.cross(a), direction.cross(b));
    if side_a * side_b > 0.0 || side_a != side_b {
        return f64::INFINITY;
    }
    [direction.dot(a), direction.dot(b)]
        .into_iter()
        .filter(|distance| *distance >= 0.0)
        .fold(f64::INFINITY, f64::min)
}
