//! Occupancy grids, prepared for scans.
//!
//! Two engines give the ranges of a cell-by-cell traversal (Amanatides and Woo 1987):
//!
//! * [`projection`] projects the walls, which are the lines between free and other cells, into a scan;
//! * [`traversal`] follows each ray from cell to cell.
//!
//! Projection serves a grid with at most one wall per [`CELLS_PER_WALL`] cells, and fans of at least
//! [`PROJECTED_RAYS`] rays; otherwise rays are followed. Both engines give the same bits, because the
//! distance to a line is computed from its position and not summed up on the way to it.

mod projection;
mod traversal;
mod walls;

use std::sync::Arc;

use simhost_scene::OccupancyGrid;

use crate::scan::Scan;
use projection::Walls;
use traversal::FreeCells;
pub(crate) use walls::Wall;

/// Smallest number of cells per wall for which walls are projected. A grid of random cells has more.
const CELLS_PER_WALL: usize = 16;
/// Number of walls that are projected in a grid of any size.
const FEW_WALLS: usize = 256;
/// Smallest number of rays for which walls are projected.
const PROJECTED_RAYS: usize = 8;

/// A grid and what scans need of it.
#[derive(Clone, Debug)]
pub(crate) struct PreparedGrid {
    grid: Arc<OccupancyGrid>,
    frame: Frame,
    free: FreeCells,
    walls: Option<Walls>,
}

/// Place and size of a grid.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Smallest x and y, m.
    corner: [f64; 2],
    /// Side of a cell, m.
    resolution: f64,
    /// Bound of all coordinates, m.
    extent: f64,
}

/// The cells along one axis as a ray meets them.
#[derive(Clone, Copy, Debug)]
struct Axis {
    corner: f64,
    resolution: f64,
    /// Origin of the ray, m.
    origin: f64,
    /// Cell in which the ray starts.
    cell: usize,
}

impl Frame {
    fn new(grid: &OccupancyGrid) -> Self {
        let ([x, y], resolution) = (grid.corner(), grid.resolution());
        let size = grid.size().map(|count| count as f64 * resolution);
        Self { corner: [x, y], resolution, extent: x.abs().max(y.abs()) + size[0].max(size[1]) }
    }

    /// Returns the position of a line between cells, m.
    fn line(&self, axis: usize, line: usize) -> f64 {
        self.corner[axis] + line as f64 * self.resolution
    }

    #[inline(always)]
    fn axes(&self, origin: [f64; 2], cell: [usize; 2]) -> [Axis; 2] {
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
    fn offset(&self, line: usize) -> f64 {
        self.corner + line as f64 * self.resolution - self.origin
    }

    /// Returns the distance to a line along a ray, m. Never less for a later line than for an earlier
    /// one.
    #[inline(always)]
    fn distance(&self, line: usize, direction: f64) -> f64 {
        if direction == 0.0 { f64::INFINITY } else { self.offset(line) / direction }
    }
}

/// Returns the largest number of walls that are projected.
fn wall_limit(grid: &OccupancyGrid) -> usize {
    (grid.cells().len() / CELLS_PER_WALL).max(FEW_WALLS)
}

/// Returns the walls of a grid, or `None` if it is quicker to follow rays from cell to cell.
pub(crate) fn few_walls(grid: &OccupancyGrid) -> Option<Vec<Wall>> {
    walls::collect(grid, wall_limit(grid))
}

impl PreparedGrid {
    /// Prepares a grid.
    pub fn new(grid: Arc<OccupancyGrid>) -> Self {
        let frame = Frame::new(&grid);
        let walls = Walls::new(&grid, &frame, wall_limit(&grid));
        Self { frame, free: FreeCells::new(&grid), walls, grid }
    }

    /// Returns the grid itself.
    pub fn grid(&self) -> &OccupancyGrid {
        &self.grid
    }

    /// Projects the solid cells into a scan.
    #[inline(always)]
    pub fn scan(&self, scan: &mut Scan) {
        let [x, y] = scan.origin;
        let Some(cell) = self.grid.index_at(x, y) else { return };
        if self.grid.is_solid(cell[0], cell[1]) {
            for tile in &mut scan.tiles {
                for (i, nearest) in tile.nearest.iter_mut().enumerate() {
                    let is_ray = tile.cos[i].is_finite() && tile.sin[i].is_finite();
                    *nearest = if is_ray { nearest.min(0.0) } else { *nearest };
                }
            }
        } else if self.grid.is_free(cell[0], cell[1]) {
            let axes = self.frame.axes(scan.origin, cell);
            match &self.walls {
                Some(walls) if scan.index.rays >= PROJECTED_RAYS => walls.scan(axes, scan),
                _ => self.free.scan(&self.grid, &self.frame, axes, scan),
            }
        }
    }
}
