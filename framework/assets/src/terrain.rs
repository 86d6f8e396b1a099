//! Terrain from images, matrices and lists of measured points.
//!
//! Rows run along +x and columns along +y. The top left pixel of an image and the first number of a
//! matrix have the smallest x and y.

use std::path::Path;

use simhost_scene::HeightField;

use crate::image::GreyImage;
use crate::matrix::Matrix;
use crate::numbers::{rows, text};
use crate::{AssetError, Limits, Problem, file, image};

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
        .and_then(|bytes| dem_from_bytes(&bytes, options, limits))
        .map_err(|problem| problem.at(path))
}

const FORMAT: &str = "DEM";

/// Marks a sample without a point.
const NONE: u32 = u32::MAX;

/// Options for resampling points.
///
/// Each sample has the height of the nearest point. Points are first assigned to their nearest
/// sample. Two sweeps over the lattice, forwards and backwards, then propagate the nearest points
/// (Danielsson 1980), so that the effort does not depend on the distribution of the points. Known
/// limit: far from all points the result can be the second nearest point, which is farther away by
/// a fraction of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemOptions {
    /// Distance between samples in m.
    pub resolution: f64,
    /// Offset of all points in m.
    pub offset: [f64; 3],
}

/// Parses rows of x, y, z and an optional colour, which is ignored. The corner of the terrain has
/// the smallest x and y.
///
/// # Errors
/// The text is not valid or exceeds the limits, or the resolution is out of range.
pub fn dem_from_bytes(
    bytes: &[u8],
    options: &DemOptions,
    limits: &Limits,
) -> Result<HeightField, Problem> {
    let resolution = options.resolution;
    if !(resolution > 0.0 && resolution.is_finite()) {
        let expected = "a length in m, greater than 0";
        return Err(Problem::Option { name: "resolution", value: resolution, expected });
    }
    let points = points(bytes, options, limits)?;
    let extreme = |axis: usize, pick: fn(f64, f64) -> f64| {
        points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0)
    };
    let corner = [extreme(0, f64::min), extreme(1, f64::min)];
    let far = [extreme(0, f64::max), extreme(1, f64::max)];
    // the cast saturates, so that a size above the limit stays above it
    let size: [usize; 2] = std::array::from_fn(|axis| {
        (((far[axis] - corner[axis]) / resolution).round() as usize).saturating_add(1)
    });
    let samples = size[0].saturating_mul(size[1]) as u64;
    Problem::bounded("samples of the terrain", samples, limits.max_vertices as u64)?;
    let mut nearest = Nearest::new(&points, corner, resolution, size);
    nearest.propagate();
    let heights = nearest.owner.iter().map(|&index| points[index as usize][2] as f32).collect();
    Ok(HeightField::new(corner, resolution, size, heights)?)
}

fn points(bytes: &[u8], options: &DemOptions, limits: &Limits) -> Result<Vec<[f64; 3]>, Problem> {
    let mut points = Vec::new();
    rows(text(bytes)?, |line, numbers| {
        let (&[x, y, z], colour) = numbers.split_first_chunk().ok_or_else(|| {
            Problem::syntax(FORMAT, format!("line {line}: expected x y z and a colour r g b"))
        })?;
        if !matches!(colour.len(), 0 | 3) {
            let found = numbers.len();
            return Err(Problem::syntax(
                FORMAT,
                format!("line {line}: expected 3 or 6 numbers, found {found}"),
            ));
        }
        let [dx, dy, dz] = options.offset;
        points.push([x + dx, y + dy, z + dz]);
        Problem::bounded("points", points.len() as u64, limits.max_vertices as u64)
    })?;
    if points.is_empty() {
        return Err(Problem::syntax(FORMAT, "expected at least one point"));
    }
    Ok(points)
}

/// Gives each sample without a height, NaN, the height of the nearest one with a height.
pub(crate) fn fill_from_nearest(heights: &mut [f64], resolution: f64, size: [usize; 2]) {
    if heights.iter().all(|height| !height.is_nan()) {
        return;
    }
    let place = |index: usize| [index / size[1], index % size[1]].map(|n| n as f64 * resolution);
    let known = heights.iter().enumerate().filter(|(_, height)| !height.is_nan());
    let points = known.map(|(index, height)| {
        let [x, y] = place(index);
        [x, y, *height]
    });
    let points: Vec<[f64; 3]> = points.collect();
    let mut nearest = Nearest::new(&points, [0.0; 2], resolution, size);
    nearest.propagate();
    for (height, owner) in heights.iter_mut().zip(&nearest.owner) {
        *height = points[*owner as usize][2];
    }
}

/// The nearest known point of each sample.
struct Nearest<'a> {
    points: &'a [[f64; 3]],
    corner: [f64; 2],
    resolution: f64,
    size: [usize; 2],
    owner: Vec<u32>,
}

impl<'a> Nearest<'a> {
    fn new(points: &'a [[f64; 3]], corner: [f64; 2], resolution: f64, size: [usize; 2]) -> Self {
        let owner = vec![NONE; size[0] * size[1]];
        let mut nearest = Self { points, corner, resolution, size, owner };
        for (index, point) in points.iter().enumerate() {
            let place = |axis: usize| {
                let cells = (point[axis] - corner[axis]) / resolution;
                (cells.round() as usize).min(size[axis] - 1)
            };
            nearest.offer(place(0), place(1), index as u32);
        }
        nearest
    }

    fn distance(&self, row: usize, column: usize, index: u32) -> f64 {
        let Some(point) = self.points.get(index as usize) else { return f64::INFINITY };
        let x = self.corner[0] + row as f64 * self.resolution - point[0];
        let y = self.corner[1] + column as f64 * self.resolution - point[1];
        x * x + y * y
    }

    fn offer(&mut self, row: usize, column: usize, index: u32) {
        let place = row * self.size[1] + column;
        if self.distance(row, column, index) < self.distance(row, column, self.owner[place]) {
            self.owner[place] = index;
        }
    }

    /// Offers a sample the point of another sample, if that is within the lattice.
    fn offer_from(&mut self, [row, column]: [usize; 2], other: [usize; 2]) {
        if other[0] < self.size[0] && other[1] < self.size[1] {
            self.offer(row, column, self.owner[other[0] * self.size[1] + other[1]]);
        }
    }

    fn propagate(&mut self) {
        let [rows, columns] = self.size;
        for row in 0..rows {
            self.sweep(row, row.wrapping_sub(1), columns);
        }
        for row in (0..rows).rev() {
            self.sweep(row, row + 1, columns);
        }
    }

    /// Propagates points to a row from an adjacent row, then to the right and to the left.
    fn sweep(&mut self, row: usize, from: usize, columns: usize) {
        for column in 0..columns {
            for beside in [column.wrapping_sub(1), column, column + 1] {
                self.offer_from([row, column], [from, beside]);
            }
            self.offer_from([row, column], [row, column.wrapping_sub(1)]);
        }
        for column in (0..columns).rev() {
            self.offer_from([row, column], [row, column + 1]);
        }
    }
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

    fn read(text: &str, resolution: f64) -> Result<HeightField, Problem> {
        let options = DemOptions { resolution, offset: [100.0, 0.0, -1.0] };
        dem_from_bytes(text.as_bytes(), &options, &Limits::default())
    }

    #[test]
    fn samples_take_the_nearest_height() {
        let text = "0 0 1 255 0 0\n0 4 2 0 0 0\n2 0 3 0 0 0\n2.1 3.8 4 0 0 0\n";
        let field = read(text, 1.0).unwrap();
        assert_eq!((field.size(), field.corner()), ([3, 5], [100.0, 0.0]));
        assert_eq!(field.height_at(100.0, 1.0), Some(0.0));
        assert_eq!(field.height_at(100.0, 3.0), Some(1.0));
        assert_eq!(field.height_at(102.0, 4.0), Some(3.0));
    }

    /// Compares with trying every point for every sample.
    #[test]
    fn propagation_finds_the_nearest_point() {
        let point =
            |k: u32| [f64::from(k * 37 % 101) / 5.0, f64::from(k * 59 % 97) / 5.0, f64::from(k)];
        let points: Vec<[f64; 3]> = (0..60).map(point).collect();
        let size = [21, 20];
        let mut nearest = Nearest::new(&points, [0.0; 2], 1.0, size);
        nearest.propagate();
        for row in 0..size[0] {
            for column in 0..size[1] {
                let found = nearest.distance(row, column, nearest.owner[row * size[1] + column]);
                let all = (0..60).map(|index| nearest.distance(row, column, index));
                let exact = all.fold(f64::INFINITY, f64::min);
                assert!(found.sqrt() <= exact.sqrt() + 0.3, "({row}, {column}): {found} {exact}");
            }
        }
    }

    #[test]
    fn invalid_files_are_rejected() {
        for text in ["", "1 2", "1 2 3 4", "1 2 x 0 0 0", "0 0 0\n1e9 1e9 0\n", "0 0 0\n0 1 0"] {
            assert!(read(text, 1.0).is_err(), "{text}");
        }
        assert!(matches!(read("0 0 0\n5 5 0", 0.0), Err(Problem::Option { .. })));
        assert!(matches!(read("0 0 0\n5 5 0", 1e-300), Err(Problem::TooMuch { .. })));
    }
}
