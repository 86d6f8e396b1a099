//! Occupancy grids from images, ROS `map_server` files and MRPT grid maps.
//!
//! The value of a cell is 16·ln(p/(1−p)), rounded, where p is the probability of being free,
//! limited to the range from 0.01 to 0.99. For images, p is rounded down to a multiple of 1/127 as
//! in MVSim, so that the grey levels 123 to 134 of 255 are unknown and darker levels are solid.

mod mrpt;
mod ros;

use std::path::Path;

use simhost_scene::OccupancyGrid;

use crate::image::{self, GreyImage};
use crate::{AssetError, Limits, Problem, file};

pub use mrpt::from_reader as mrpt_from_reader;
pub use ros::{Mode, RosMap};

/// Number of steps into which the probability of a pixel is quantised.
const STEPS: f64 = 127.0;

/// Properties of a map that an image file does not contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridOptions {
    /// Side of a pixel in m.
    pub resolution: f64,
    /// Pixel at the origin of the world, counted from the left and from the bottom. With (−1, −1),
    /// the lower left corner of the map is at (`resolution`, `resolution`).
    pub center_pixel: [f64; 2],
}

/// Reads a map: `.yaml` and `.yml` files are ROS maps, `.gridmap` and `.gridmap.gz` files are MRPT
/// maps, and all other files are images. The options apply to images only.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read(
    path: &Path,
    options: &GridOptions,
    limits: &Limits,
) -> Result<OccupancyGrid, AssetError> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
    let name = name.unwrap_or_default();
    if matches!(file::extension(path).as_str(), "yaml" | "yml") {
        return ros::read(path, limits);
    }
    let read = || {
        if name.ends_with(".gridmap") || name.ends_with(".gridmap.gz") {
            return mrpt::from_reader(file::open(path, limits)?, limits);
        }
        // the path is added below
        let image = image::read(path, limits).map_err(|error| error.problem)?;
        from_image(&image, options)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

/// Converts an image to a map: white is free, black is solid, and the bottom row has the smallest
/// y.
///
/// # Errors
/// The options are out of range.
pub fn from_image(image: &GreyImage, options: &GridOptions) -> Result<OccupancyGrid, Problem> {
    let corner = options.center_pixel.map(|pixel| -pixel * options.resolution);
    let white = f64::from(image.white());
    let cell = |level: u16| {
        let free = (f64::from(level) / white).clamp(0.01, 0.99);
        log_odds((free * STEPS).floor() / STEPS)
    };
    from_levels(image, corner, options.resolution, cell, None)
}

/// Converts an image to a map with a function from grey levels to cells, which is called once per
/// level. Transparent pixels are cells with the value `of_transparent`, if there is one.
fn from_levels(
    image: &GreyImage,
    corner: [f64; 2],
    resolution: f64,
    cell: impl Fn(u16) -> i8,
    of_transparent: Option<i8>,
) -> Result<OccupancyGrid, Problem> {
    let table: Vec<i8> = (0..=image.white()).map(cell).collect();
    let (width, height) = (image.width(), image.height());
    let mut cells = Vec::with_capacity(width * height);
    for row in (0..height).rev() {
        let pixels = row * width..(row + 1) * width;
        cells.extend(pixels.map(|index| match of_transparent {
            Some(value) if image.is_transparent(index) => value,
            _ => table[usize::from(image.level(index))],
        }));
    }
    Ok(OccupancyGrid::new(corner, resolution, [width, height], cells)?)
}

/// Returns the value of a cell for a probability of being free, which must be neither 0 nor 1.
fn log_odds(free: f64) -> i8 {
    (16.0 * libm::log(free / (1.0 - free))).round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::png;

    const OPTIONS: GridOptions = GridOptions { resolution: 1.0, center_pixel: [0.0, 0.0] };

    #[test]
    fn levels_become_cells_with_the_bottom_row_first() {
        let image = image::from_bytes(&png(2, 2, &[255, 0, 200, 128]), &Limits::default()).unwrap();
        let options = GridOptions { resolution: 0.5, center_pixel: [10.0, 4.0] };
        let grid = from_image(&image, &options).unwrap();
        // 16 ln(p/(1−p)) for p of 99/127, 63/127, 125/127 and 1/127
        assert_eq!(grid.cells(), [20, 0, 66, -77]);
        assert_eq!((grid.corner(), grid.size()), ([-5.0, -2.0], [2, 2]));
        let options = GridOptions { resolution: 0.1, center_pixel: [-1.0, -1.0] };
        assert_eq!(from_image(&image, &options).unwrap().corner(), [0.1, 0.1]);
    }

    #[test]
    fn medium_grey_levels_are_unknown() {
        let levels: Vec<u8> = (0..=255).collect();
        let image = image::from_bytes(&png(256, 1, &levels), &Limits::default()).unwrap();
        let grid = from_image(&image, &OPTIONS).unwrap();
        let unknown: Vec<usize> = (0..256).filter(|&ix| grid.cells()[ix].abs() <= 1).collect();
        assert_eq!(unknown, (123..=134).collect::<Vec<_>>());
        assert!((0..256).all(|ix| grid.is_solid(ix, 0) == (ix < 123)));
    }

    #[test]
    fn the_extension_determines_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.png");
        std::fs::write(&path, png(1, 1, &[0])).unwrap();
        assert!(read(&path, &OPTIONS, &Limits::default()).unwrap().is_solid(0, 0));
        let wrong = folder.path().join("map.gridmap");
        std::fs::write(&wrong, png(1, 1, &[0])).unwrap();
        let error = read(&wrong, &OPTIONS, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("map.gridmap: not a valid MRPT"), "{error}");
    }
}
