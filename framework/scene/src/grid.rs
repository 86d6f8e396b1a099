//! Maps of cells that are solid, free or unknown.

mod contour;
mod ray;

pub use contour::Segment;
pub use ray::Hit;

/// Cells below this are solid; a cell is sixteen times the logarithm of the odds of being free.
const SOLID_BELOW: i8 = -1;

/// What is wrong with the numbers of a grid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// No cells, or their number does not match.
    #[error("{columns} columns and {rows} rows with {cells} cells: expected one cell for each")]
    Size {
        /// Along x.
        columns: usize,
        /// Along y.
        rows: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// The size of a cell, or the corner, is not a usable number.
    #[error("{name} is {value}: expected a finite number, and a resolution above zero")]
    Place {
        /// Which number.
        name: &'static str,
        /// Its value, m.
        value: f64,
    },
    /// The contour has more segments than memory should be spent on.
    #[error("the contour has more than {limit} segments: the map may be noise instead of walls")]
    TooManySegments {
        /// How many would be taken.
        limit: usize,
    },
}

/// Square cells along the axes. A cell holds 16·ln(p/(1−p)), p being the probability that it is free:
/// below −1 it is solid, from −1 to 1 unknown, above 1 free. Beyond the border all is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyGrid {
    corner: [f64; 2],
    resolution: f64,
    columns: usize,
    rows: usize,
    cells: Vec<i8>,
}

impl OccupancyGrid {
    /// A grid whose first cell begins at `corner`, m, with cells of `resolution`, m, given row by row
    /// from the least y; columns run along x.
    pub fn new(
        corner: [f64; 2],
        resolution: f64,
        [columns, rows]: [usize; 2],
        cells: Vec<i8>,
    ) -> Result<Self, GridError> {
        if cells.is_empty() || columns.checked_mul(rows) != Some(cells.len()) {
            return Err(GridError::Size { columns, rows, cells: cells.len() });
        }
        if !(resolution.is_finite() && resolution > 0.0) {
            return Err(GridError::Place { name: "resolution", value: resolution });
        }
        for (name, value) in ["corner x", "corner y"].into_iter().zip(corner) {
            if !value.is_finite() {
                return Err(GridError::Place { name, value });
            }
        }
        Ok(Self { corner, resolution, columns, rows, cells })
    }

    /// Least x and y, m.
    pub fn corner(&self) -> [f64; 2] {
        self.corner
    }

    /// Edge of a cell, m.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Columns (along x) and rows (along y).
    pub fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Cells row by row from the least y.
    pub fn cells(&self) -> &[i8] {
        &self.cells
    }

    /// A cell by its place; nothing beyond the border.
    pub fn cell(&self, ix: usize, iy: usize) -> Option<i8> {
        (ix < self.columns && iy < self.rows).then(|| self.cells[iy * self.columns + ix])
    }

    /// Place of the cell that contains a point, m; nothing beyond the border.
    pub fn index_at(&self, x: f64, y: f64) -> Option<[usize; 2]> {
        let place = |value: f64, axis: usize, count: usize| {
            let cells = (value - self.corner[axis]) / self.resolution;
            (cells >= 0.0 && cells < count as f64).then_some(cells as usize)
        };
        Some([place(x, 0, self.columns)?, place(y, 1, self.rows)?])
    }

    /// The cell that contains a point, m; nothing beyond the border.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<i8> {
        let [ix, iy] = self.index_at(x, y)?;
        self.cell(ix, iy)
    }

    /// Whether a cell is solid; false beyond the border.
    pub fn is_solid(&self, ix: usize, iy: usize) -> bool {
        self.cell(ix, iy).is_some_and(|cell| cell < SOLID_BELOW)
    }

    /// The line between two columns, m.
    fn x_of(&self, column: usize) -> f64 {
        self.corner[0] + column as f64 * self.resolution
    }

    /// The line between two rows, m.
    fn y_of(&self, row: usize) -> f64 {
        self.corner[1] + row as f64 * self.resolution
    }
}

/// A drawing as a grid of cells of 0.5 m from (−1, 2): `#` solid, `?` unknown, `.` free; the last line
/// has the least y.
#[cfg(test)]
fn drawn(lines: &[&str]) -> OccupancyGrid {
    let cell = |letter: u8| match letter {
        b'#' => -70,
        b'?' => 0,
        _ => 70,
    };
    let cells = lines.iter().rev().flat_map(|line| line.bytes().map(cell)).collect();
    OccupancyGrid::new([-1.0, 2.0], 0.5, [lines[0].len(), lines.len()], cells).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_where_rows_and_columns_say() {
        let grid = drawn(&["..#", ".?."]);
        assert_eq!(grid.size(), [3, 2]);
        assert!(grid.is_solid(2, 1) && !grid.is_solid(2, 0));
        assert!(!grid.is_solid(3, 1) && !grid.is_solid(usize::MAX, 0));
        assert_eq!(grid.cell_at(0.1, 2.6), Some(-70));
        assert_eq!(grid.index_at(-0.5, 2.0), Some([1, 0]));
        for (x, y) in [(-1.1, 2.1), (0.5, 2.1), (0.0, 1.9), (0.0, 3.0), (f64::NAN, 2.1)] {
            assert_eq!(grid.cell_at(x, y), None, "({x}, {y})");
        }
    }

    #[test]
    fn the_bounds_of_solid_and_unknown() {
        let grid = OccupancyGrid::new([0.0; 2], 1.0, [4, 1], vec![-2, -1, 0, 2]).unwrap();
        let solid: Vec<_> = (0..4).map(|ix| grid.is_solid(ix, 0)).collect();
        assert_eq!(solid, [true, false, false, false]);
    }

    #[test]
    fn what_cannot_be_a_grid_is_refused() {
        let build = |resolution, size, cells| OccupancyGrid::new([0.0; 2], resolution, size, cells);
        assert!(matches!(build(1.0, [2, 2], vec![0; 3]), Err(GridError::Size { .. })));
        assert!(matches!(build(1.0, [0, 0], vec![]), Err(GridError::Size { .. })));
        assert!(matches!(build(f64::NAN, [1, 1], vec![0]), Err(GridError::Place { .. })));
    }
}
