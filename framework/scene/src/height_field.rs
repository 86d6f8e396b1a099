//! Terrain over a regular raster.

/// Heights at the corners of square cells, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// Place of the first height, m.
    pub corner: [f64; 2],
    /// Between heights, m.
    pub resolution: f64,
    /// Heights along x.
    pub rows: usize,
    /// Heights along y.
    pub columns: usize,
    /// m.
    pub heights: Vec<f64>,
}
