//! Terrain from images, matrices and lists of measured points.
//!
//! Rows run along +x and columns along +y. The top left pixel of an image and the first number of a
//! matrix have the smallest x and y.

mod dem;

use std::path::Path;

use simhost_scene::HeightField;

use crate::image::{self, GreyImage};
use crate::matrix::Matrix;
use crate::{AssetError, Limits, Problem, file};

pub use dem::{DemOptions, from_bytes as dem_from_bytes};

/// Positions of the samples of a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Distance between samples in m.
    pub resolution: f64,
    /// Smallest x and y in m. Where one is `None`, the terrain is centred on the origin along that
    /// axis.
    pub corner: [Option<f64>; 2],
}

impl Lattice {
    fn field(&self, size: [usize; 2], heights: Vec<f32>) -> Result<HeightField, Problem> {
        let corner = std::array::from_fn(|axis| {
            let extent = size[axis].saturating_sub(1) as f64 * self.resolution;
            self.corner[axis].unwrap_or(-0.5 * extent)
        });
        Ok(HeightField::new(corner, self.resolution, size, heights)?)
    }
}

/// Reads an image as a terrain. `heights` are the heights in m of its darkest and its brightest
/// pixel.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read_image(
    path: &Path,
    heights: [f64; 2],
    lattice: &Lattice,
    limits: &Limits,
) -> Result<HeightField, AssetError> {
    let image = image::read(path, limits)?;
    from_image(&image, heights, lattice).map_err(|problem| problem.at(path))
}

/// Converts an image to a terrain. `heights` are the heights in m of its darkest and its brightest
/// pixel. An image with a single grey level has the first height everywhere.
///
/// # Errors
/// The image is too small, or the lattice is out of range.
pub fn from_image(
    image: &GreyImage,
    heights: [f64; 2],
    lattice: &Lattice,
) -> Result<HeightField, Problem> {
    let size = [image.height(), image.width()];
    let levels = || (0..size[0] * size[1]).map(|index| image.level(index));
    let dark = f64::from(levels().min().unwrap_or(0));
    let bright = f64::from(levels().max().unwrap_or(0));
    let slope = if bright > dark { (heights[1] - heights[0]) / (bright - dark) } else { 0.0 };
    let height = |level: u16| (heights[0] + (f64::from(level) - dark) * slope) as f32;
    lattice.field(size, levels().map(height).collect())
}

/// Converts a matrix to a terrain. `scale` is the height in m of the value 1.
///
/// # Errors
/// The matrix is too small, or a number is out of range.
pub fn from_matrix(matrix: &Matrix, scale: f64, lattice: &Lattice) -> Result<HeightField, Problem> {
    let heights = matrix.values.iter().map(|value| (value * scale) as f32).collect();
    lattice.field([matrix.rows, matrix.columns], heights)
}

/// Reads measured points: rows of x, y, z and an optional colour, which is ignored.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read_dem(
    path: &Path,
    options: &DemOptions,
    limits: &Limits,
) -> Result<HeightField, AssetError> {
    file::read(path, limits)
        .and_then(|bytes| dem::from_bytes(&bytes, options, limits))
        .map_err(|problem| problem.at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::png;
    use crate::matrix;

    const LATTICE: Lattice = Lattice { resolution: 1.0, corner: [None; 2] };

    #[test]
    fn images_are_stretched_between_their_extremes() {
        let bytes = png(3, 2, &[10, 20, 30, 40, 50, 60]);
        let image = image::from_bytes(&bytes, &Limits::default()).unwrap();
        let lattice = Lattice { resolution: 2.0, corner: [Some(7.0), None] };
        let field = from_image(&image, [1.0, 2.0], &lattice).unwrap();
        // two rows along x, three columns along y
        assert_eq!((field.size(), field.corner()), ([2, 3], [7.0, -2.0]));
        assert_eq!(field.height_at(7.0, -2.0), Some(1.0));
        assert!((field.height_at(7.0, 2.0).unwrap() - 1.4).abs() < 1e-6);
        assert_eq!(field.height_at(9.0, 2.0), Some(2.0));
        let flat = image::from_bytes(&png(2, 2, &[9; 4]), &Limits::default()).unwrap();
        let field = from_image(&flat, [1.0, 2.0], &LATTICE).unwrap();
        assert_eq!(field.heights(), [1.0; 4]);
    }

    #[test]
    fn matrices_are_scaled_and_centred() {
        let matrix = matrix::parse("[0 1; 2 3; 4 5]", &Limits::default()).unwrap();
        let field = from_matrix(&matrix, 0.5, &LATTICE).unwrap();
        assert_eq!((field.size(), field.corner()), ([3, 2], [-1.0, -0.5]));
        assert_eq!(field.height_at(1.0, -0.5), Some(2.0));
        let line = matrix::parse("[0 1]", &Limits::default()).unwrap();
        assert!(matches!(from_matrix(&line, 1.0, &LATTICE), Err(Problem::HeightField(_))));
        assert!(from_matrix(&matrix, 1e300, &LATTICE).is_err());
        let nowhere = Lattice { resolution: 0.0, ..LATTICE };
        assert!(from_matrix(&matrix, 1.0, &nowhere).is_err());
    }
}
