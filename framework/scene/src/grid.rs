//! Floor plans of cells.

/// Cells of equal size, row by row from the lower-left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyGrid {
    /// Lower-left corner, m.
    pub corner: [f64; 2],
    /// Side of a cell, m.
    pub resolution: f64,
    /// Cells along x.
    pub columns: usize,
    /// Cells along y.
    pub rows: usize,
    /// Log-odds of being free, in 1/16.
    pub cells: Vec<i8>,
}
