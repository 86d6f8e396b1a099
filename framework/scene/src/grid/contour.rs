//! The exact border of the solid cells.

use std::ops::Range;

use super::{GridError, OccupancyGrid};

/// Maximum number of segments of a contour.
const MAX_SEGMENTS: usize = 4_000_000;

/// A straight segment of a contour. Solid cells are on its left, seen from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Start in m.
    pub from: [f64; 2],
    /// End in m.
    pub to: [f64; 2],
}

impl OccupancyGrid {
    /// Returns the border of all solid cells: first the segments along x, ordered by y and x, then
    /// those along y, ordered by x and y. Adjoining collinear segments are merged. Cells outside
    /// the grid are not solid.
    ///
    /// # Errors
    /// The contour has too many segments.
    pub fn contour(&self) -> Result<Vec<Segment>, GridError> {
        self.contour_of([0..self.columns, 0..self.rows])
    }

    /// Returns the border of the solid cells that touch a rectangle in m. Segments end at the
    /// border of these cells; their borders with other cells are included.
    ///
    /// # Errors
    /// The contour has too many segments.
    pub fn contour_near(&self, min: [f64; 2], max: [f64; 2]) -> Result<Vec<Segment>, GridError> {
        let span = |axis: usize, count: usize| {
            let cells = |value: f64| (value - self.corner[axis]) / self.resolution;
            // casts saturate, and map NaN to 0
            let end = (cells(max[axis]).floor() + 1.0) as usize;
            (cells(min[axis]).floor() as usize).min(count)..end.min(count)
        };
        self.contour_of([span(0, self.columns), span(1, self.rows)])
    }

    fn contour_of(&self, [columns, rows]: [Range<usize>; 2]) -> Result<Vec<Segment>, GridError> {
        let mut border = Border::default();
        if columns.is_empty() || rows.is_empty() {
            return Ok(border.segments);
        }
        let solid_below = |line: usize, ix: usize| line > 0 && self.is_solid(ix, line - 1);
        for line in rows.start..=rows.end {
            let y = self.y_of(line);
            let side = |ix: usize| Side::of(self.is_solid(ix, line), solid_below(line, ix));
            border.line(columns.clone(), side, |ix| [self.x_of(ix), y])?;
        }
        let solid_before = |line: usize, iy: usize| line > 0 && self.is_solid(line - 1, iy);
        for line in columns.start..=columns.end {
            let x = self.x_of(line);
            let side = |iy: usize| Side::of(solid_before(line, iy), self.is_solid(line, iy));
            border.line(rows.clone(), side, |iy| [x, self.y_of(iy)])?;
        }
        Ok(border.segments)
    }
}

/// The side of a line on which the solid cell is, seen along its axis.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    None,
    Left,
    Right,
}

impl Side {
    fn of(left: bool, right: bool) -> Self {
        match (left, right) {
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            _ => Self::None,
        }
    }
}

#[derive(Default)]
struct Border {
    segments: Vec<Segment>,
}

impl Border {
    /// Adds a segment for each run of equal sides along a line.
    fn line(
        &mut self,
        steps: Range<usize>,
        side: impl Fn(usize) -> Side,
        point: impl Fn(usize) -> [f64; 2],
    ) -> Result<(), GridError> {
        let mut run = (steps.start, Side::None);
        for step in steps.start..=steps.end {
            let here = if step < steps.end { side(step) } else { Side::None };
            if here == run.1 {
                continue;
            }
            let (low, high) = (point(run.0), point(step));
            match run.1 {
                Side::Left => self.push(Segment { from: low, to: high })?,
                Side::Right => self.push(Segment { from: high, to: low })?,
                Side::None => {}
            }
            run = (step, here);
        }
        Ok(())
    }

    fn push(&mut self, segment: Segment) -> Result<(), GridError> {
        if self.segments.len() >= MAX_SEGMENTS {
            return Err(GridError::TooManySegments { limit: MAX_SEGMENTS });
        }
        self.segments.push(segment);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    fn segment(from: [f64; 2], to: [f64; 2]) -> Segment {
        Segment { from, to }
    }

    #[test]
    fn a_wall_has_four_segments() {
        let grid = drawn(&["....", ".##.", "...?"]);
        let expected = [
            segment([-0.5, 2.5], [0.5, 2.5]),
            segment([0.5, 3.0], [-0.5, 3.0]),
            segment([-0.5, 3.0], [-0.5, 2.5]),
            segment([0.5, 2.5], [0.5, 3.0]),
        ];
        assert_eq!(grid.contour().unwrap(), expected);
    }

    #[test]
    fn borders_of_the_map_and_cells_that_touch_at_a_corner() {
        let contour = drawn(&["#.", ".#"]).contour().unwrap();
        assert_eq!(contour.len(), 8);
        // along the middle, solid is once below and once above: two pieces
        assert_eq!(contour[1], segment([-1.0, 2.5], [-0.5, 2.5]));
        assert_eq!(contour[2], segment([0.0, 2.5], [-0.5, 2.5]));
    }

    #[test]
    fn the_enclosed_area_is_that_of_the_solid_cells() {
        let grid = drawn(&["##.#", "#..#", "?###", "#..."]);
        // Green's theorem over all segments
        let cross = |s: &Segment| s.from[0] * s.to[1] - s.to[0] * s.from[1];
        let area: f64 = 0.5 * grid.contour().unwrap().iter().map(cross).sum::<f64>();
        assert!((area - 9.0 * 0.25).abs() < 1e-12, "{area}");
    }

    #[test]
    fn only_cells_near_the_rectangle_count() {
        let grid = drawn(&["....#", ".##..", "....."]);
        let near = grid.contour_near([-0.4, 2.6], [-0.3, 2.7]).unwrap();
        let expected = [
            segment([-0.5, 2.5], [0.0, 2.5]),
            segment([0.0, 3.0], [-0.5, 3.0]),
            segment([-0.5, 3.0], [-0.5, 2.5]),
        ];
        assert_eq!(near, expected);
        assert_eq!(grid.contour_near([-99.0; 2], [99.0; 2]).unwrap(), grid.contour().unwrap());
        for window in [[[50.0; 2], [60.0; 2]], [[-60.0; 2], [-50.0; 2]], [[f64::NAN; 2]; 2]] {
            assert!(grid.contour_near(window[0], window[1]).unwrap().len() < 4);
        }
    }

    #[test]
    fn noise_is_rejected() {
        let cells =
            (0..3000 * 3000).map(|k| if (k + k / 3000) % 2 == 0 { -9 } else { 9 }).collect();
        let grid = OccupancyGrid::new([0.0; 2], 1.0, [3000, 3000], cells).unwrap();
        assert!(matches!(grid.contour(), Err(GridError::TooManySegments { .. })));
    }
}
