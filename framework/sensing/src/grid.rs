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
use projection::{Frame, Walls};
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
            for (tile, nearest) in scan.tiles.iter().zip(&mut scan.nearest) {
                for (i, nearest) in nearest.iter_mut().enumerate() {
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
