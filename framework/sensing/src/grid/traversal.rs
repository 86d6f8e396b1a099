//! Traversal of a grid from cell to cell (Amanatides and Woo 1987).
//!
//! Distances to the next lines are approximated without divisions. Where they are too close together to
//! decide which line is nearer, and for the range itself, the exact distances are computed.

use simhost_scene::{Hit, OccupancyGrid};

use super::projection::{Axis, Frame};
use crate::ray_angles::TILE;
use crate::scan::Scan;

/// Components of a direction below this size are left to the plain traversal, to which overflow does not
/// matter.
const SMALLEST: f64 = 1e-100;
/// Bound of the relative error of the distance to the first line.
const ROUNDING: f64 = 1e-14;

/// One bit for each cell, set for a free one, with a border of cells that are not free.
#[derive(Clone, Debug)]
pub(super) struct FreeCells {
    bits: Vec<u64>,
    /// Bits per row.
    stride: usize,
    /// Rows with the border.
    rows: usize,
}

/// A ray along one axis.
#[derive(Clone, Copy, Debug)]
struct GridCourse {
    /// Distance to the first line, m.
    start: f64,
    /// Distance between two lines along the ray, m.
    spacing: f64,
    /// Bound of the error of a distance, m, apart from its relative error.
    error: f64,
    /// Whether the ray moves to cells of higher numbers.
    is_forward: bool,
}

impl GridCourse {
    #[inline(always)]
    fn new(axis: &Axis, direction: f64, frame: &Frame) -> Self {
        let is_forward = direction > 0.0;
        let start = axis.distance(axis.cell + usize::from(is_forward), direction);
        let inverse = 1.0 / direction.abs();
        let is_still = direction == 0.0;
        Self {
            start,
            spacing: if is_still { 0.0 } else { frame.resolution * inverse },
            error: if is_still { 0.0 } else { ROUNDING * frame.extent * inverse },
            is_forward,
        }
    }

    /// Returns a number of bits with the sign of the direction.
    #[inline(always)]
    fn step(&self, bits: usize) -> isize {
        if self.is_forward { bits as isize } else { -(bits as isize) }
    }
}

impl FreeCells {
    /// Marks the free cells of a grid.
    pub fn new(grid: &OccupancyGrid) -> Self {
        let [columns, rows] = grid.size();
        let stride = (columns + 2).next_multiple_of(64);
        let mut bits = vec![0u64; stride / 64 * (rows + 2)];
        for row in 0..rows {
            for column in (0..columns).filter(|&column| grid.is_free(column, row)) {
                let bit = (row + 1) * stride + column + 1;
                bits[bit / 64] |= 1 << (bit % 64);
            }
        }
        Self { bits, stride, rows: rows + 2 }
    }

    #[inline(always)]
    fn is_free(&self, bit: usize) -> bool {
        self.bits[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Follows all rays of a scan from a free cell.
    #[inline(always)]
    pub fn scan(&self, grid: &OccupancyGrid, frame: &Frame, axes: [Axis; 2], scan: &mut Scan) {
        for ray in 0..scan.index.rays {
            let tile = &scan.tiles[ray / TILE];
            let direction = [tile.cos[ray % TILE], tile.sin[ray % TILE]];
            let nearest = &mut scan.nearest[ray / TILE][ray % TILE];
            let reach = nearest.min(scan.max_range);
            let is_plain = direction.iter().all(|part| *part == 0.0 || part.abs() > SMALLEST)
                && direction != [0.0; 2];
            let hit = if is_plain {
                self.follow(grid, frame, axes, direction, reach, &mut scan.work.cells)
            } else {
                grid.cast(scan.origin, direction, reach)
            };
            if let Hit::Solid(distance) = hit {
                *nearest = nearest.min(distance);
            }
        }
    }

    /// Returns column and row of a bit, which wrap around in the border.
    #[inline(always)]
    fn cell(&self, bit: usize) -> [usize; 2] {
        [(bit % self.stride).wrapping_sub(1), (bit / self.stride).wrapping_sub(1)]
    }

    /// Follows a ray from a free cell.
    #[inline(always)]
    fn follow(
        &self,
        grid: &OccupancyGrid,
        frame: &Frame,
        axes: [Axis; 2],
        direction: [f64; 2],
        reach: f64,
        cells: &mut usize,
    ) -> Hit {
        let [x, y] = [0, 1].map(|axis| GridCourse::new(&axes[axis], direction[axis], frame));
        let (mut next_x, mut next_y) = (x.start, y.start);
        let (step_x, step_y) = (x.step(1), y.step(self.stride));
        let close = x.error + y.error;
        // each addition of a spacing rounds
        let relative = ROUNDING + f64::EPSILON * (self.stride + self.rows) as f64;
        let far = reach + close + relative * reach;
        let exact = |bit: usize, axis: usize| {
            let line = self.cell(bit)[axis].wrapping_add(usize::from([x, y][axis].is_forward));
            axes[axis].distance(line, direction[axis])
        };
        let mut bit = (axes[1].cell + 1) * self.stride + axes[0].cell + 1;
        loop {
            *cells += 1;
            let distance = if next_x < next_y { next_x } else { next_y };
            let is_clear = (next_x - next_y).abs() > close + relative * distance;
            let is_x = if is_clear { next_x < next_y } else { exact(bit, 0) <= exact(bit, 1) };
            let before = bit;
            // without branches, because no processor can predict them
            next_x += if is_x { x.spacing } else { 0.0 };
            next_y += if is_x { 0.0 } else { y.spacing };
            bit = bit.wrapping_add_signed(if is_x { step_x } else { step_y });
            if !self.is_free(bit) {
                let distance = exact(before, usize::from(!is_x)).max(0.0);
                let [column, row] = self.cell(bit);
                let is_hit = grid.is_solid(column, row) && distance <= reach;
                return if is_hit { Hit::Solid(distance) } else { Hit::Nothing };
            }
            // also true if the range is NaN
            let is_within = distance <= far;
            if !is_within {
                return Hit::Nothing;
            }
        }
    }
}
