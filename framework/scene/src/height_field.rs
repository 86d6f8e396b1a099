//! Height fields: ground given by heights on a regular lattice.

mod kernel;
mod roughness;

pub use kernel::{Edges, Kernel, KernelError};
pub use roughness::Roughness;

/// Error in the numbers of a height field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// There are not enough samples for one cell, or their number does not match the size.
    #[error(
        "found {heights} heights for {rows} rows and {columns} columns; expected at least 2 × 2"
    )]
    Size {
        /// Number of rows, along +x.
        rows: usize,
        /// Number of columns, along +y.
        columns: usize,
        /// Number of heights.
        heights: usize,
    },
    /// The distance between samples or the corner is out of range.
    #[error(
        "{name} is out of range: {value}; expected a finite number, greater than 0 for the resolution"
    )]
    Place {
        /// Name of the number.
        name: &'static str,
        /// Value in m.
        value: f64,
    },
    /// A height is not finite.
    #[error("the height in row {row}, column {column} is {value}; expected a finite number")]
    Height {
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// Value in m.
        value: f64,
    },
}

/// Heights on a lattice with rows along +x and columns along +y. Each cell consists of two
/// triangles. Heights are stored in single precision, which resolves 0.1 mm at 1000 m.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    corner: [f64; 2],
    resolution: f64,
    rows: usize,
    columns: usize,
    heights: Vec<f32>,
}

impl HeightField {
    /// Creates a field. `corner` is the position of the first sample in m and `resolution` the
    /// distance between samples in m. Heights in m are given row by row.
    ///
    /// # Errors
    /// The number of heights does not match the size, or a number is out of range.
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

    /// Returns the position of the first sample in m.
    pub fn corner(&self) -> [f64; 2] {
        self.corner
    }

    /// Returns the distance between samples in m.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Returns the number of rows (along +x) and columns (along +y).
    pub fn size(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// Returns the lengths along x and y in m.
    pub fn extent(&self) -> [f64; 2] {
        [self.rows, self.columns].map(|count| (count - 1) as f64 * self.resolution)
    }

    /// Returns the heights in m, row by row.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Returns the height of a sample in m.
    pub fn height(&self, row: usize, column: usize) -> Option<f64> {
        let inside = row < self.rows && column < self.columns;
        inside.then(|| f64::from(self.heights[row * self.columns + column]))
    }

    /// Returns the field with its first sample moved to `corner` in m.
    ///
    /// # Errors
    /// The corner is not finite.
    pub fn moved_to(self, corner: [f64; 2]) -> Result<Self, HeightFieldError> {
        Self::new(corner, self.resolution, [self.rows, self.columns], self.heights)
    }

    /// Returns the height of the ground at a point in m, or `None` outside the field.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let plane = self.plane_at(x, y)?;
        Some(plane.height)
    }

    /// Returns the slope of the ground along x and y at a point (dimensionless), or `None` outside
    /// the field.
    pub fn slope_at(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        let plane = self.plane_at(x, y)?;
        Some(plane.rises.map(|rise| rise / self.resolution))
    }

    /// Returns the plane of the triangle at a point. A cell is split along the diagonal from its
    /// smallest to its largest coordinates.
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

/// The plane of a triangle: height at the point, and rise over one cell along x and y, in m.
struct Plane {
    height: f64,
    rises: [f64; 2],
}

/// Returns the cell that contains a coordinate, and the fraction within it. The far border belongs
/// to the last cell.
fn cell(value: f64, corner: f64, resolution: f64, samples: usize) -> Option<(usize, f64)> {
    let place = (value - corner) / resolution;
    let last = (samples - 1) as f64;
    // also false for NaN
    let inside = place >= 0.0 && place <= last;
    inside.then(|| {
        let index = (place as usize).min(samples - 2);
        (index, place - index as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns 2 × 3 samples with a distance of 0.5 m, starting at (1, -1).
    fn field() -> HeightField {
        let heights = vec![0.0, 1.0, 2.0, 4.0, 8.0, 16.0];
        HeightField::new([1.0, -1.0], 0.5, [2, 3], heights).unwrap()
    }

    #[test]
    fn samples_are_addressed_by_row_and_column() {
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
    fn invalid_fields_are_rejected() {
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
