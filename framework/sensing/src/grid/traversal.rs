//! Traversal of a grid from cell to cell (Amanatides and Woo 1987).
//!
//! Distances to the next lines are approximated without divisions. Where they are too close together to
//! decide which line is nearer, and for the range itself, the exact distances are computed.

use simhost_scene::{Hit, OccupancyGrid};

use super::{Axis, Frame};
use crate::scan::Scan;

/// Components of a direction below this size are left to the plain traversal, to which overflow does not
/// matter.
const SMALLEST: f64 = 1e-100;
/// Bound of the relative error of an approximate distance.
const ROUNDING: f64 = 1e-14;

/// One bit for each cell, set for a free one, with a border of cells that are not free.
#[derive(Clone, Debug)]
pub(super) struct FreeCells {
    bits: Vec<u64>,
    /// Bits per row.
    stride: usize,
}

/// A ray along one axis.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// Distance to the first line, m.
    start: f64,
    /// Distance between two lines along the ray, m.
    spacing: f64,
    /// Distance to the next line, m.
    next: f64,
    /// Number of crossed lines.
    crossed: f64,
    /// Change of the cell number and of the bit number at a line.
    step: isize,
    /// Bound of the error of `next`, m.
    error: f64,
    /// Present cell.
    cell: usize,
    /// Number of the next line minus that of the present cell.
    ahead: usize,
}

impl Course {
    #[inline(always)]
    fn new(axis: &Axis, direction: f64, frame: &Frame) -> Self {
        let ahead = usize::from(direction > 0.0);
        let start = axis.distance(axis.cell + ahead, direction);
        let inverse = 1.0 / direction.abs();
        let is_still = direction == 0.0;
        let step = if direction > 0.0 { 1 } else { -1 };
        Self {
            start,
            spacing: if is_still { 0.0 } else { frame.resolution * inverse },
            next: start,
            crossed: 0.0,
            step,
            error: if is_still { 0.0 } else { ROUNDING * frame.extent * inverse },
            cell: axis.cell,
            ahead,
        }
    }

    /// Returns the exact distance to the next line, m.
    #[inline(always)]
    fn exact(&self, axis: &Axis, direction: f64) -> f64 {
        axis.distance(self.cell + self.ahead, direction)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.cell = self.cell.wrapping_add_signed(self.step);
        self.crossed += 1.0;
        self.next = self.start + self.crossed * self.spacing;
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
        Self { bits, stride }
    }

    #[inline(always)]
    fn is_free(&self, bit: usize) -> bool {
        self.bits[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Follows all rays of a scan from a free cell.
    #[inline(always)]
    pub fn scan(&self, grid: &OccupancyGrid, frame: &Frame, axes: [Axis; 2], scan: &mut Scan) {
        for ray in 0..scan.index.rays {
            let direction = [scan.cos[ray], scan.sin[ray]];
            let reach = scan.nearest[ray].min(scan.max_range);
            let is_plain = direction.iter().all(|part| *part == 0.0 || part.abs() > SMALLEST)
                && direction != [0.0; 2];
            let hit = if is_plain {
                self.follow(grid, frame, axes, direction, reach, &mut scan.work.cells)
            } else {
                grid.cast(scan.origin, direction, reach)
            };
            if let Hit::Solid(distance) = hit {
                scan.nearest[ray] = scan.nearest[ray].min(distance);
            }
        }
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
        let [mut x, mut y] = [0, 1].map(|axis| Course::new(&axes[axis], direction[axis], frame));
        let close = x.error + y.error;
        let far = reach + close + ROUNDING * reach;
        let mut bit = (y.cell + 1) * self.stride + x.cell + 1;
        loop {
            *cells += 1;
            let is_clear = (x.next - y.next).abs() > close + ROUNDING * x.next.min(y.next);
            let x_first = if is_clear {
                x.next <= y.next
            } else {
                x.exact(&axes[0], direction[0]) <= y.exact(&axes[1], direction[1])
            };
            let (course, stride) =
                if x_first { (&mut x, 1) } else { (&mut y, self.stride as isize) };
            let distance = course.next;
            let step = course.step;
            course.advance();
            bit = bit.wrapping_add_signed(step * stride);
            if !self.is_free(bit) {
                let (axis, before) = if x_first { (0, x) } else { (1, y) };
                let line = before.cell.wrapping_add(1 - before.ahead);
                let is_solid = grid.is_solid(x.cell, y.cell);
                let distance = axes[axis].distance(line, direction[axis]).max(0.0);
                let is_hit = is_solid && distance <= reach;
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
