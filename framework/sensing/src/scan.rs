//! The state of one scan: directions and nearest distances of all rays, into which outlines and grids
//! are projected.

use simhost_scene::Pose2;
use simhost_vectors::Vec2;

use crate::bearing::{Interval, RayIndex, ray_of};
use crate::ray_angles::{Lanes, RayAngles, TILE, Tile};
use crate::tree::Sight;

/// Distance beyond which nothing is hidden, m. Finite also when multiplied by a cosine that rounding makes larger than 1.
const FARTHEST: f64 = 0.5 * f64::MAX;

/// Work that a scan has taken, in numbers that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Groups of eight boxes or outlines that were tested together.
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
    /// The angles of the last scan, which usually are also the angles of the next scan.
    angles: RayAngles,
    /// The rays. Those that fill the last tile meet nothing and hide nothing.
    pub tiles: Vec<Tile>,
    /// Distance of each ray to its nearest hit, or just above the maximum range, m.
    pub nearest: Vec<Lanes>,
    /// Nearest hits before the present grid.
    pub before: Vec<Lanes>,
    /// 1 for a ray that an unknown cell of the present grid has ended, otherwise 0.
    pub ended: Vec<Lanes>,
    /// Work so far.
    pub work: Work,
}

/// Numbers of each ray of a tile: 0 and, where something was found, more.
type Marks = [f64; TILE];

impl Tile {
    /// Reduces the distances `nearest` to the distances of a segment that the rays hit earlier.
    /// Adds 1 to `along` for rays along whose lines it lies, and to `close` for rays whose lines
    /// pass an end at no more than its distance in `beside`, m.
    #[inline(always)]
    fn meet(
        &self,
        nearest: &mut [f64; TILE],
        [a, b]: [[f64; 2]; 2],
        beside: [f64; 2],
        [along, close]: &mut [Marks; 2],
    ) {
        for i in 0..TILE {
            let (distance, is_along, sides) = intersect([self.cos[i], self.sin[i]], a, b);
            nearest[i] = if distance < nearest[i] { distance } else { nearest[i] };
            along[i] += is_along;
            let is_close = (sides[0].abs() <= beside[0]) | (sides[1].abs() <= beside[1]);
            close[i] += if is_close { 1.0 } else { 0.0 };
        }
    }

    /// Reduces the distances `nearest` to the distances of a segment that the rays hit earlier, and
    /// that lies along none of their lines.
    #[inline(always)]
    fn meet_clear(&self, nearest: &mut [f64; TILE], [a, b]: [[f64; 2]; 2]) {
        for (i, nearest) in nearest.iter_mut().enumerate() {
            let (distance, _) = intersect_clear([self.cos[i], self.sin[i]], a, b);
            *nearest = if distance < *nearest { distance } else { *nearest };
        }
    }
}

impl Scan {
    /// Begins a scan. Buffers keep their memory.
    #[inline(always)]
    pub fn begin(&mut self, fan: &Fan) {
        let rays = fan.angles.len();
        self.angles.set(fan.angles);
        self.origin = [fan.origin.x, fan.origin.y];
        self.max_range = fan.max_range;
        self.index = RayIndex::new(fan.origin.yaw, rays, self.angles.spread());
        self.work = Work::default();
        let (units, yaw) = (self.angles.units(), libm::sincos(fan.origin.yaw));
        let unmet = Lanes([fan.max_range.next_up(); TILE]);
        if self.tiles.len() != units.len() {
            units.clone_into(&mut self.tiles);
            self.nearest.resize(units.len(), unmet);
        }
        for (at, unit) in units.iter().enumerate() {
            self.tiles[at] = unit.turned(yaw);
            self.nearest[at] = unmet;
        }
        for ray in rays..self.tiles.len() * TILE {
            let (tile, i) = (&mut self.tiles[ray / TILE], ray % TILE);
            (tile.cos[i], tile.sin[i]) = (f64::NAN, f64::NAN);
            self.nearest[ray / TILE][i] = f64::NEG_INFINITY;
        }
    }

    /// Writes the range of each ray, m; infinity where nothing is within the maximum range.
    #[inline(always)]
    pub fn finish(&self, ranges: &mut [f64]) {
        let limit = self.max_range;
        for (ranges, nearest) in ranges.chunks_mut(TILE).zip(&self.nearest) {
            for (range, nearest) in ranges.iter_mut().zip(&nearest.0) {
                *range = if *nearest > limit { f64::INFINITY } else { *nearest };
            }
        }
    }

    /// Returns whether every ray that can meet a box has met something nearer.
    #[inline(always)]
    pub fn is_hidden(&self, sight: &Sight) -> bool {
        let [near_x, near_y] = sight.near;
        let toward_x = if near_x == 0.0 { 0.0 } else { 1f64.copysign(near_x) };
        let toward_y = if near_y == 0.0 { 0.0 } else { 1f64.copysign(near_y) };
        let (away_x, away_y) = (near_x.abs(), near_y.abs());
        for (from, to, _) in self.index.runs(sight.rays) {
            let range = from / TILE..=to / TILE;
            for (tile, nearest) in self.tiles[range.clone()].iter().zip(&self.nearest[range]) {
                let mut is_open = false;
                for (i, nearest) in nearest.iter().enumerate() {
                    let reach = if *nearest < FARTHEST { *nearest } else { FARTHEST };
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

    /// Returns the cosine and the sine of the bearing of a ray.
    #[inline(always)]
    pub fn direction(&self, ray: usize) -> [f64; 2] {
        let (tile, i) = (&self.tiles[ray / TILE], ray % TILE);
        [tile.cos[i], tile.sin[i]]
    }

    /// Intersects a segment that is not seen end on with the tiles of a run of rays, given by its first and last one.
    #[inline(always)]
    pub fn meet_edge(&mut self, ends: [[f64; 2]; 2], run: [f64; 2]) {
        // SAFETY: both are numbers of rays.
        let (from, to) = unsafe { (ray_of(run[0]), ray_of(run[1])) };
        for at in from / TILE..=to / TILE {
            self.tiles[at].meet_clear(&mut self.nearest[at], ends);
        }
    }

    /// Intersects the segment between two ends, relative to the origin, with the rays in an interval. Returns whether one
    /// of them passes an end at no more than its distance in `beside`, m.
    #[inline(always)]
    pub fn meet_segment(
        &mut self,
        [a, b]: [[f64; 2]; 2],
        beside: [f64; 2],
        rays: Interval,
    ) -> bool {
        let mut marks = [[0.0; TILE]; 2];
        for (from, to, _) in self.index.runs(rays) {
            for at in from / TILE..=to / TILE {
                let (tile, nearest) = (&self.tiles[at], &mut self.nearest[at]);
                tile.meet(nearest, [a, b], beside, &mut marks);
                if marks[0] != [0.0; TILE] {
                    meet_along(a, b, tile, nearest);
                }
            }
        }
        marks[1] != [0.0; TILE]
    }
}

/// Intersects the segment a–b with the rays on whose lines it lies.
#[cold]
fn meet_along(a: [f64; 2], b: [f64; 2], tile: &Tile, nearest: &mut [f64; TILE]) {
    for (i, nearest) in nearest.iter_mut().enumerate() {
        *nearest = nearest.min(intersect_along([tile.cos[i], tile.sin[i]], a, b));
    }
}

/// Returns the distance along a ray from the origin to the segment a–b, or infinity if they do not
/// intersect; 1 if the segment lies along the line of the ray, for which the distance is infinity,
/// otherwise 0; and the distances of both ends from that line.
#[inline(always)]
fn intersect(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> (f64, f64, [f64; 2]) {
    let (distance, [side_a, side_b]) = intersect_clear(direction, a, b);
    // an unordered comparison counts as not along
    let is_along = if side_a == side_b { 1.0 } else { 0.0 };
    let is_along = if side_a * side_b > 0.0 { 0.0 } else { is_along };
    let distance = if is_along > 0.0 { f64::INFINITY } else { distance };
    (distance, is_along, [side_a, side_b])
}

/// Returns the distance along a ray from the origin to the segment a–b, which does not lie along its line, or infinity if
/// they do not intersect; and the distances of both ends from that line.
///
/// The sides of the ray on which the ends lie decide. Segments that share a corner compute the same side
/// for it, so that no ray passes between them.
#[inline(always)]
fn intersect_clear(direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> (f64, [f64; 2]) {
    let (direction, a, b) = (Vec2::from(direction), Vec2::from(a), Vec2::from(b));
    let (side_a, side_b) = (direction.cross(a), direction.cross(b));
    let part = side_a / (side_a - side_b);
    let distance = direction.dot(a + part * (b - a));
    let distance = if distance >= 0.0 { distance } else { f64::INFINITY };
    let distance = if side_a * side_b > 0.0 { f64::INFINITY } else { distance };
    (distance, [side_a, side_b])
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

/// Outlines that a fan detects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All outlines.
    All,
    /// Only outlines that never move.
    StaticOnly,
}

/// Rays that start at one point.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    /// Origin and heading in the world frame.
    pub origin: Pose2,
    /// Height above the ground, m.
    pub z: f64,
    /// Direction of each ray relative to the heading, rad. Evenly spaced angles are fastest, in either
    /// order and with or without noise.
    pub angles: &'a [f64],
    /// Maximum range, m.
    pub max_range: f64,
    /// Owner whose outlines are ignored.
    pub ignore: Option<u32>,
    /// Outlines that the fan detects.
    pub see: Visibility,
}
