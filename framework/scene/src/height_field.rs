//! Ground given by heights on a regular lattice.

mod kernel;

pub use kernel::{Edges, Kernel, KernelError};

/// What is wrong with the numbers of a height field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// Not enough samples to span a cell, or their number does not match.
    #[error("{rows} rows and {columns} columns with {heights} heights: expected at least 2 × 2")]
    Size {
        /// Rows, along +x.
        rows: usize,
        /// Columns, along +y.
        columns: usize,
        /// How many heights there are.
        heights: usize,
    },
    /// The distance of samples, or the corner, is not a usable number.
    #[error("{name} is {value}: expected a finite number, and a resolution above zero")]
    Place {
        /// Which number.
        name: &'static str,
        /// Its value, m.
        value: f64,
    },
    /// A height is infinite or not a number.
    #[error("the height in row {row}, column {column} is {value}: expected a finite number")]
    Height {
        /// Row, from zero.
        row: usize,
        /// Column, from zero.
        column: usize,
        /// Its value, m.
        value: f64,
    },
}

/// Heights on a lattice: rows along +x, columns along +y; two triangles to a cell. Stored in single
/// precision, which keeps a tenth of a millimetre at 1000 m.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    corner: [f64; 2],
    resolution: f64,
    rows: usize,
    columns: usize,
    heights: Vec<f32>,
}

impl HeightField {
    /// A field whose first sample lies at `corner`, m, with samples `resolution` apart, m. Heights, m,
    /// are given row by row.
    pub fn new(
        corner: [f64; 2],
        resolution: f64,
        [rows, columns]: [usize; 2],
        heights: Vec<f32>,
    ) -> Result<Self, HeightFieldError> {
        let fits = rows.checked_mul(columns) == Some(heights.len());
        if rows < 2 || columns < 2 || !fits {
            return Err(HeightFieldError::Size { rows, columns, heights: heights.len() });
        }
        if !(resolution.is_finite() && resolution > 0.0) {
            return Err(HeightFieldError::Place { name: "resolution", value: resolution });
        }
        for (name, value) in ["corner x", "corner y"].into_iter().zip(corner) {
            if !value.is_finite() {
                return Err(HeightFieldError::Place { name, value });
            }
        }
        if let Some(index) = heights.iter().position(|height| !height.is_finite()) {
            let value = f64::from(heights[index]);
            return Err(HeightFieldError::Height {
                row: index / columns,
                column: index % columns,
                value,
            });
        }
        Ok(Self { corner, resolution, rows, columns, heights })
    }

    /// Place of the first sample, m.
    pub fn corner(&self) -> [f64; 2] {
        self.corner
    }

    /// Distance of samples, m.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Rows (along +x) and columns (along +y).
    pub fn size(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// Lengths along x and y, m.
    pub fn extent(&self) -> [f64; 2] {
        [self.rows, self.columns].map(|count| (count - 1) as f64 * self.resolution)
    }

    /// Heights row by row, m.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// A sample, m.
    pub fn height(&self, row: usize, column: usize) -> Option<f64> {
        let inside = row < self.rows && column < self.columns;
        inside.then(|| f64::from(self.heights[row * self.columns + column]))
    }

    /// The same field elsewhere: its first sample at `corner`, m.
    pub fn moved_to(self, corner: [f64; 2]) -> Result<Self, HeightFieldError> {
        Self::new(corner, self.resolution, [self.rows, self.columns], self.heights)
    }

    /// Height of the ground, m; nothing outside.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let plane = self.plane_at(x, y)?;
        Some(plane.height)
    }

    /// Slope of the ground along x and y, without unit; nothing outside.
    pub fn slope_at(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        let plane = self.plane_at(x, y)?;
        Some(plane.rises.map(|rise| rise / self.resolution))
    }

    /// The triangle under a point. A cell is split along the diagonal of its least and greatest corner.
    fn plane_at(&self, x: f64, y: f64) -> Option<Plane> {
        let (row, along_x) = cell(x, self.corner[0], self.resolution, self.rows)?;
        let (column, along_y) = cell(y, self.corner[1], self.resolution, self.columns)?;
        let sample =
            |r: usize, c: usize| f64::from(self.heights[(row + r) * self.columns + column + c]);
        let (p00, p11) = (sample(0, 0), sample(1, 1));
        let rises = if along_y >= along_x {
            let p01 = sample(0, 1);
            [p11 - p01, p01 - p00]
        } else {
            let p10 = sample(1, 0);
            [p10 - p00, p11 - p10]
        };
        Some(Plane { height: p00 + rises[0] * along_x + rises[1] * along_y, rises })
    }
}

/// The plane of a triangle: height at the point, and rise over one cell along x and y, m.
struct Plane {
    height: f64,
    rises: [f64; 2],
}

/// Which cell a coordinate is in, and the fraction of it; the far border belongs to the last cell.
fn cell(value: f64, corner: f64, resolution: f64, samples: usize) -> Option<(usize, f64)> {
    let place = (value - corner) / resolution;
    let last = (samples - 1) as f64;
    // also false for what is not a number
    let inside = place >= 0.0 && place <= last;
    inside.then(|| {
        let index = (place as usize).min(samples - 2);
        (index, place - index as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 × 3 samples, 0.5 m apart, from (1, -1).
    fn field() -> HeightField {
        let heights = vec![0.0, 1.0, 2.0, 4.0, 8.0, 16.0];
        HeightField::new([1.0, -1.0], 0.5, [2, 3], heights).unwrap()
    }

    #[test]
    fn samples_stand_where_rows_and_columns_say() {
        assert_eq!(field().height_at(1.0, -0.5), Some(1.0));
        assert_eq!(field().height_at(1.5, -1.0), Some(4.0));
        assert_eq!(field().height_at(1.5, 0.0), Some(16.0));
        assert_eq!(field().extent(), [0.5, 1.0]);
        assert_eq!(field().height(1, 2), Some(16.0));
        for (x, y) in [(0.99, 0.0), (1.51, 0.0), (1.2, -1.01), (1.2, 0.01), (f64::NAN, 0.0)] {
            assert_eq!(field().height_at(x, y), None, "({x}, {y})");
        }
    }

    #[test]
    fn the_two_triangles_meet_on_the_diagonal() {
        // y beyond x: corners 00, 01, 11
        let upper = field().height_at(1.125, -0.625).unwrap();
        assert!((upper - (0.0 + 0.75 * 1.0 + 0.25 * 7.0)).abs() < 1e-12, "{upper}");
        // x beyond y: corners 00, 10, 11
        let lower = field().height_at(1.375, -0.875).unwrap();
        assert!((lower - (0.75 * 4.0 + 0.25 * 4.0)).abs() < 1e-12, "{lower}");
        let diagonal = field().height_at(1.25, -0.75).unwrap();
        assert!((diagonal - 4.0).abs() < 1e-12, "{diagonal}");
    }

    #[test]
    fn slope_is_that_of_the_triangle() {
        assert_eq!(field().slope_at(1.125, -0.625), Some([14.0, 2.0]));
        assert_eq!(field().slope_at(1.375, -0.875), Some([8.0, 8.0]));
    }

    #[test]
    fn what_cannot_be_ground_is_refused() {
        let build =
            |resolution, size, heights| HeightField::new([0.0; 2], resolution, size, heights);
        assert!(matches!(build(1.0, [1, 4], vec![0.0; 4]), Err(HeightFieldError::Size { .. })));
        assert!(matches!(build(1.0, [2, 2], vec![0.0; 5]), Err(HeightFieldError::Size { .. })));
        assert!(matches!(
            build(1.0, [usize::MAX, 2], vec![0.0; 4]),
            Err(HeightFieldError::Size { .. })
        ));
        assert!(matches!(build(0.0, [2, 2], vec![0.0; 4]), Err(HeightFieldError::Place { .. })));
        let error = build(1.0, [2, 2], vec![0.0, 0.0, f32::NAN, 0.0]).unwrap_err();
        assert!(matches!(error, HeightFieldError::Height { row: 1, column: 0, .. }));
    }
}
