//! Place and size of a grid, and the cells along its axes.

use simhost_scene::OccupancyGrid;

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
