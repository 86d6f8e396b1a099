//! Occupancy grids: cells that are occupied, free or unknown.

mod clearance;
mod contour;
mod ray;

pub use clearance::Clearance;
pub use contour::Segment;
pub use ray::Hit;

/// Cells below this value are solid. The value of a cell is 16 times the log odds of being free.
const SOLID_BELOW: i8 = -1;
/// Cells above this value are free.
const FREE_ABOVE: i8 = 1;

/// Error in the numbers of a grid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The grid has no cells, or the number of cells does not match its size.
    #[error("found {cells} cells for {columns} columns and {rows} rows; expected one cell each")]
    Size {
        /// Number of columns, along x.
        columns: usize,
        /// Number of rows, along y.
        rows: usize,
        /// Number of cells.
        cells: usize,
    },
    /// The size of a cell or the corner is out of range.
    #[error(
        "{name} is out of range: {value}; expected a finite number, greater than 0 for the resolution"
    )]
    Place {
        /// Name of the number.
        name: &'static str,
        /// Value in m.
        value: f64,
    },
    /// The contour has too many segments.
    #[error("the contour has more than {limit} segments; the map may show noise instead of walls")]
    TooManySegments {
        /// Maximum number of segments.
        limit: usize,
    },
}

/// A grid of square cells that is aligned with the axes. The value of a cell is 16·ln(p/(1−p)),
/// where p is the probability that the cell is free: a cell is solid below −1, unknown from −1 to 1
/// and free above 1. Everything outside the grid is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyGrid {
    corner: [f64; 2],
    resolution: f64,
    columns: usize,
    rows: usize,
    cells: Vec<i8>,
}

impl OccupancyGrid {
    /// Creates a grid. `corner` is the corner with the smallest coordinates in m and `resolution`
    /// the side of a cell in m. Cells are given row by row, starting with the smallest y; columns
    /// run along x.
    ///
    /// # Errors
    /// The number of cells does not match the size, or a number is out of range.
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

    /// Returns the smallest x and y in m.
    pub fn corner(&self) -> [f64; 2] {
        self.corner
    }

    /// Returns the side of a cell in m.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Returns the number of columns (along x) and rows (along y).
    pub fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Returns the cells row by row, starting with the smallest y.
    pub fn cells(&self) -> &[i8] {
        &self.cells
    }

    /// Returns a cell by its column and row, or `None` outside the grid.
    pub fn cell(&self, ix: usize, iy: usize) -> Option<i8> {
        (ix < self.columns && iy < self.rows).then(|| self.cells[iy * self.columns + ix])
    }

    /// Returns the column and row of the cell that contains a point in m, or `None` outside the
    /// grid.
    pub fn index_at(&self, x: f64, y: f64) -> Option<[usize; 2]> {
        let place = |value: f64, axis: usize, count: usize| {
            let cells = (value - self.corner[axis]) / self.resolution;
            (cells >= 0.0 && cells < count as f64).then_some(cells as usize)
        };
        Some([place(x, 0, self.columns)?, place(y, 1, self.rows)?])
    }

    /// Returns the cell that contains a point in m, or `None` outside the grid.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<i8> {
        let [ix, iy] = self.index_at(x, y)?;
        self.cell(ix, iy)
    }

    /// Returns whether a cell is solid. Cells outside the grid are not.
    pub fn is_solid(&self, ix: usize, iy: usize) -> bool {
        self.cell(ix, iy).is_some_and(|cell| cell < SOLID_BELOW)
    }

    /// Returns whether a cell is free. Cells outside the grid are not.
    pub fn is_free(&self, ix: usize, iy: usize) -> bool {
        self.cell(ix, iy).is_some_and(|cell| cell > FREE_ABOVE)
    }

    /// Returns the centre of the free cell, m, that is farthest from every other kind of cell and from the edge; the one
    /// nearest to the lower left corner among equals. `None` without a free cell.
    pub fn roomiest(&self) -> Option<[f64; 2]> {
        // chamfer distances in thirds of a cell (Borgefors, "Distance transformations in digital images", 1986)
        let [wide, high] = [self.columns, self.rows];
        let mut room: Vec<u32> = vec![0; wide * high];
        let nearest = |room: &[u32], [ix, iy]: [usize; 2], steps: &[(isize, isize, u32)]| {
            let at = |(dx, dy, cost): &(isize, isize, u32)| {
                let column = ix.checked_add_signed(*dx).filter(|column| *column < wide);
                let row = iy.checked_add_signed(*dy).filter(|row| *row < high);
                column.zip(row).map_or(0, |(column, row)| room[row * wide + column]) + cost
            };
            steps.iter().map(at).min().unwrap_or(0)
        };
        let before = [(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)];
        let after = before.map(|(dx, dy, cost)| (-dx, -dy, cost));
        for index in 0..wide * high {
            let place = [index % wide, index / wide];
            if self.is_free(place[0], place[1]) {
                room[index] = nearest(&room, place, &before);
            }
        }
        for index in (0..wide * high).rev() {
            room[index] = room[index].min(nearest(&room, [index % wide, index / wide], &after));
        }
        let most = *room.iter().max()?;
        let index = room.iter().position(|room| *room == most).filter(|_| most > 0)?;
        let centre =
            |axis: usize, cell: usize| self.corner[axis] + (cell as f64 + 0.5) * self.resolution;
        Some([centre(0, index % wide), centre(1, index / wide)])
    }

    /// Returns the x of the line before a column in m.
    fn x_of(&self, column: usize) -> f64 {
        self.corner[0] + column as f64 * self.resolution
    }

    /// Returns the y of the line before a row in m.
    fn y_of(&self, row: usize) -> f64 {
        self.corner[1] + row as f64 * self.resolution
    }
}

/// Parses a drawing as a grid with cells of 0.5 m and its corner at (−1, 2): `#` is solid, `?`
/// unknown and `.` free. The last line has the smallest y.
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
    fn the_roomiest_cell_is_in_the_middle_of_the_largest_room() {
        // a wall, a room of 3 × 5 cells, a wall, a room of 6 × 5 cells, and unknown cells
        let row = [-80, 80, 80, 80, -80, 80, 80, 80, 80, 80, 80, 0];
        let wall = [-80; 12];
        let rows = [wall, row, row, row, row, row, wall];
        let cells = rows.concat();
        let grid = OccupancyGrid::new([-1.0, 2.0], 0.5, [12, 7], cells).unwrap();
        assert_eq!(grid.roomiest(), Some([-1.0 + 7.5 * 0.5, 2.0 + 3.5 * 0.5]));
        let none = OccupancyGrid::new([0.0, 0.0], 1.0, [2, 1], vec![0, -80]).unwrap();
        assert_eq!(none.roomiest(), None);
        // without obstacles, the edge is one
        let free = OccupancyGrid::new([0.0, 0.0], 1.0, [3, 3], vec![80; 9]).unwrap();
        assert_eq!(free.roomiest(), Some([1.5, 1.5]));
    }

    #[test]
    fn cells_are_addressed_by_column_and_row() {
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
    fn solid_cells_are_below_minus_one_and_free_ones_above_one() {
        let grid = OccupancyGrid::new([0.0; 2], 1.0, [4, 1], vec![-2, -1, 0, 2]).unwrap();
        let solid: Vec<_> = (0..4).map(|ix| grid.is_solid(ix, 0)).collect();
        assert_eq!(solid, [true, false, false, false]);
        let free: Vec<_> = (0..5).map(|ix| grid.is_free(ix, 0)).collect();
        assert_eq!(free, [false, false, false, true, false]);
    }

    #[test]
    fn invalid_grids_are_rejected() {
        let build = |resolution, size, cells| OccupancyGrid::new([0.0; 2], resolution, size, cells);
        assert!(matches!(build(1.0, [2, 2], vec![0; 3]), Err(GridError::Size { .. })));
        assert!(matches!(build(1.0, [0, 0], vec![]), Err(GridError::Size { .. })));
        assert!(matches!(build(f64::NAN, [1, 1], vec![0]), Err(GridError::Place { .. })));
    }
}
