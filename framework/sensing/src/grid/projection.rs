//! Walls of a grid, projected into a scan.
//!
//! A traversal from cell to cell crosses the lines of both axes in the order of their distances, columns
//! before rows where these are equal. A ray therefore enters a wall exactly if the line of the wall lies
//! ahead, and the number of lines of the other axis that are crossed before it leads to a cell of the
//! wall. Two comparisons of distances decide that. They are needed only for rays that pass an end of the
//! wall within the guard; rays between the ends need the distance alone.

use simhost_scene::OccupancyGrid;

use super::walls::{Wall, collect};
use crate::ray_angles::{Lanes, TILE, Tile};
use crate::scan::Scan;
use crate::tree::{Bounds, Sight, Tree, Visitor};

/// Part of the largest coordinate that exceeds all rounding errors of positions by a factor of 10⁷.
const ROUNDING: f64 = 1e-8;

/// The walls of a grid.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    all: Vec<Wall>,
    tree: Tree,
    /// Distance below which the order of an origin and a line is decided by their numbers alone, m.
    tolerance: f64,
    has_unknown: bool,
}

impl Walls {
    /// Finds the walls of a grid. Returns `None` if there are more than `limit`, or if the grid is so
    /// far from the origin of the world that its cells are hardly larger than rounding errors.
    pub fn new(grid: &OccupancyGrid, frame: &Frame, limit: usize) -> Option<Self> {
        let tolerance = ROUNDING * frame.extent;
        if tolerance > 0.25 * frame.resolution {
            return None;
        }
        let all = collect(grid, limit)?;
        let mut tree = Tree::default();
        tree.build(all.len(), |item| {
            let Wall { axis, line, cells: [first, last], .. } = all[item];
            let (axis, line) = (axis as usize, line as usize);
            let mut bounds =
                Bounds { min: [frame.line(axis, line); 2], max: [frame.line(axis, line); 2] };
            bounds.min[1 - axis] = frame.line(1 - axis, first as usize);
            bounds.max[1 - axis] = frame.line(1 - axis, last as usize + 1);
            let (min, max) = (bounds.min, bounds.max);
            Bounds {
                min: min.map(|value| value - tolerance),
                max: max.map(|value| value + tolerance),
            }
        });
        let has_unknown = all.iter().any(|wall| wall.facing.is_unknown);
        Some(Self { all, tree, tolerance, has_unknown })
    }

    /// Projects the walls into a scan.
    #[inline(always)]
    pub fn scan(&self, axes: [Axis; 2], scan: &mut Scan) {
        let (origin, index, limit) = (scan.origin, scan.index, scan.max_range);
        if self.has_unknown {
            scan.before.clone_from(&scan.nearest);
            scan.ended.clear();
            scan.ended.resize(scan.nearest.len(), Lanes([0.0; TILE]));
        }
        let mut projection = CellProjection { walls: self, axes, scan };
        let groups = self.tree.search(origin, &index, limit, &mut projection);
        scan.work.groups += groups;
        if self.has_unknown {
            let rows = scan.nearest.iter_mut().zip(&scan.before).zip(&scan.ended);
            for ((nearest, before), ended) in rows {
                for i in 0..TILE {
                    nearest[i] = if ended[i] > 0.0 { before[i] } else { nearest[i] };
                }
            }
        }
        // rounding can place the first line slightly behind the origin
        for nearest in &mut scan.nearest {
            for nearest in &mut nearest.0 {
                *nearest = if *nearest < 0.0 { 0.0 } else { *nearest };
            }
        }
    }
}

/// Walls that are being projected into a scan.
struct CellProjection<'p> {
    walls: &'p Walls,
    axes: [Axis; 2],
    scan: &'p mut Scan,
}

impl Visitor for CellProjection<'_> {
    #[inline(always)]
    fn is_hidden(&self, sight: &Sight) -> bool {
        self.scan.is_hidden(sight)
    }

    #[inline(always)]
    fn is_relevant(&mut self, item: usize) -> bool {
        let wall = &self.walls.all[item];
        self.scan.work.candidates += 1;
        wall.facing.is_forward == (wall.line as usize > self.axes[usize::from(wall.axis)].cell)
    }

    #[inline(always)]
    fn visit(&mut self, item: usize, sight: &Sight) {
        let wall = &self.walls.all[item];
        let axis = &self.axes[usize::from(wall.axis)];
        let line = wall.line as usize;
        let index = self.scan.index;
        let offset = axis.offset(line);
        // the box of the wall has been enlarged by the tolerance
        let widened = 4.0 * self.walls.tolerance / sight.distance * index.per_radian.abs();
        let inset = 2.0 * index.guard + widened;
        let is_ahead = offset.abs() > 2.0 * self.walls.tolerance && sight.distance > 0.0;
        let inner = if is_ahead && inset.is_finite() && sight.rays.low.is_finite() {
            [sight.rays.low + inset, sight.rays.high - inset]
        } else {
            [f64::INFINITY, f64::NEG_INFINITY]
        };
        for (from, to, shift) in index.runs(sight.rays) {
            let first = (inner[0] + shift).ceil().max(from as f64);
            let last = (inner[1] + shift).floor().min(to as f64);
            if first <= last {
                let (first, last) = (first as usize, last as usize);
                self.enter(wall, offset, first, last);
                self.try_enter_all(wall, from, first);
                self.try_enter_all(wall, last + 1, to + 1);
            } else {
                self.try_enter_all(wall, from, to + 1);
            }
        }
    }
}

impl CellProjection<'_> {
    /// Lets the rays from `first` to `last` enter a wall at this offset from the origin, m.
    #[inline(always)]
    fn enter(&mut self, wall: &Wall, offset: f64, first: usize, last: usize) {
        let (start, end) = (first / TILE, last / TILE + 1);
        let (first, last) = (first as f64, last as f64);
        let Scan { tiles, nearest, ended, .. } = &mut *self.scan;
        let (tiles, nearest) = (&tiles[start..end], &mut nearest[start..end]);
        let mut ray = (start * TILE) as f64;
        if !self.walls.has_unknown {
            for (tile, nearest) in tiles.iter().zip(nearest) {
                let distance = crossing(tile, wall.axis, offset, [first - ray, last - ray]);
                for (nearest, distance) in nearest.iter_mut().zip(distance) {
                    *nearest = if distance < *nearest { distance } else { *nearest };
                }
                ray += TILE as f64;
            }
            return;
        }
        let kind = f64::from(u8::from(wall.facing.is_unknown));
        for ((tile, nearest), ended) in tiles.iter().zip(nearest).zip(&mut ended[start..end]) {
            let distance = crossing(tile, wall.axis, offset, [first - ray, last - ray]);
            for ((nearest, ended), distance) in nearest.iter_mut().zip(&mut ended.0).zip(distance) {
                *ended = if distance < *nearest { kind } else { *ended };
                *nearest = if distance < *nearest { distance } else { *nearest };
            }
            ray += TILE as f64;
        }
    }

    /// Lets those rays from `from` to before `end` enter a wall that meet it.
    #[inline(always)]
    fn try_enter_all(&mut self, wall: &Wall, from: usize, end: usize) {
        for ray in from..end {
            self.try_enter(wall, ray);
        }
    }

    /// Lets a ray enter a wall if it crosses the line of the wall between its ends.
    #[inline(always)]
    fn try_enter(&mut self, wall: &Wall, ray: usize) {
        let tile = &self.scan.tiles[ray / TILE];
        let direction = [tile.cos[ray % TILE], tile.sin[ray % TILE]];
        let nearest = self.scan.nearest[ray / TILE][ray % TILE];
        let across = usize::from(wall.axis);
        let (ahead, aside) = (direction[across], direction[1 - across]);
        let is_towards = if wall.facing.is_forward { ahead > 0.0 } else { ahead < 0.0 };
        if !is_towards {
            return;
        }
        let distance = self.axes[across].distance(wall.line as usize, ahead);
        if distance < nearest && self.is_between_ends(wall, distance, aside) {
            self.scan.nearest[ray / TILE][ray % TILE] = distance;
            if self.walls.has_unknown {
                self.scan.ended[ray / TILE][ray % TILE] =
                    f64::from(u8::from(wall.facing.is_unknown));
            }
        }
    }

    /// Returns whether a ray is in one of the cells along a wall when it reaches the wall.
    #[inline(always)]
    fn is_between_ends(&self, wall: &Wall, distance: f64, aside: f64) -> bool {
        let along = &self.axes[1 - usize::from(wall.axis)];
        let [first, last] = wall.cells.map(|cell| cell as usize);
        if aside > 0.0 {
            let has_reached = first <= along.cell || self.has_crossed(wall, first, distance, aside);
            has_reached && last >= along.cell && !self.has_crossed(wall, last + 1, distance, aside)
        } else {
            let has_reached =
                last >= along.cell || self.has_crossed(wall, last + 1, distance, aside);
            has_reached && first <= along.cell && !self.has_crossed(wall, first, distance, aside)
        }
    }

    /// Returns whether a ray has crossed a line of the other axis when it reaches a wall.
    #[inline(always)]
    fn has_crossed(&self, wall: &Wall, line: usize, distance: f64, aside: f64) -> bool {
        let other = self.axes[1 - usize::from(wall.axis)].distance(line, aside);
        // columns are crossed before rows
        if wall.axis == 0 { other < distance } else { other <= distance }
    }
}

/// Returns the distances to a line at this offset from the origin, m, along the rays of a tile from
/// number `within[0]` to `within[1]`, and infinity for the others.
#[inline(always)]
fn crossing(tile: &Tile, axis: u8, offset: f64, within: [f64; 2]) -> [f64; TILE] {
    let direction = if axis == 0 { &tile.cos } else { &tile.sin };
    let mut distances = [0.0; TILE];
    for i in 0..TILE {
        let distance = offset / direction[i];
        let distance = if i as f64 >= within[0] { distance } else { f64::INFINITY };
        distances[i] = if i as f64 <= within[1] { distance } else { f64::INFINITY };
    }
    distances
}

/// Place and size of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Smallest x and y, m.
    pub corner: [f64; 2],
    /// Side of a cell, m.
    pub resolution: f64,
    /// Bound of all coordinates, m.
    pub extent: f64,
}

/// The cells along one axis as a ray meets them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub corner: f64,
    pub resolution: f64,
    /// Origin of the ray, m.
    pub origin: f64,
    /// Cell in which the ray starts.
    pub cell: usize,
}

impl Frame {
    pub fn new(grid: &OccupancyGrid) -> Self {
        let ([x, y], resolution) = (grid.corner(), grid.resolution());
        let size = grid.size().map(|count| count as f64 * resolution);
        Self { corner: [x, y], resolution, extent: x.abs().max(y.abs()) + size[0].max(size[1]) }
    }

    /// Returns the position of a line between cells, m.
    pub fn line(&self, axis: usize, line: usize) -> f64 {
        self.corner[axis] + line as f64 * self.resolution
    }

    #[inline(always)]
    pub fn axes(&self, origin: [f64; 2], cell: [usize; 2]) -> [Axis; 2] {
        let Self { corner, resolution, .. } = *self;
        [0, 1].map(|axis| Axis {
            corner: corner[axis],
            resolution,
            origin: origin[axis],
            cell: cell[axis],
        })
    }
}

impl Axis {
    /// Returns the position of a line between cells relative to the origin, m.
    #[inline(always)]
    pub fn offset(&self, line: usize) -> f64 {
        self.corner + line as f64 * self.resolution - self.origin
    }

    /// Returns the distance to a line along a ray, m. Never less for a later line than for an earlier
    /// one.
    #[inline(always)]
    pub fn distance(&self, line: usize, direction: f64) -> f64 {
        if direction == 0.0 { f64::INFINITY } else { self.offset(line) / direction }
    }
}
