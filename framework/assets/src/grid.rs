//! Maps: pictures, ROS `map_server` files and MRPT grid maps.
//!
//! A cell holds 16·ln(p/(1−p)), rounded, where p is the probability of being free, kept within 0.01 and
//! 0.99. For a picture p is a multiple of 1/127, rounded down, as in MVSim: so the greys 123 to 134 of
//! 255 are unknown, darker ones are solid.

mod mrpt;
mod ros;

use std::path::Path;

use simhost_scene::OccupancyGrid;

use crate::image::{self, GreyImage};
use crate::{AssetError, Limits, Problem, file};

pub use mrpt::from_reader as mrpt_from_reader;
pub use ros::{Mode, RosMap};

/// Probabilities of pixels are kept in so many steps.
const STEPS: f64 = 127.0;

/// What a picture does not tell about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridOptions {
    /// Edge of a pixel, m.
    pub resolution: f64,
    /// The pixel where the origin of the world lies, counted from the left and from the bottom. At
    /// (−1, −1) the lower left corner of the map lies at (`resolution`, `resolution`).
    pub center_pixel: [f64; 2],
}

impl Default for GridOptions {
    fn default() -> Self {
        Self { resolution: 0.1, center_pixel: [-1.0, -1.0] }
    }
}

/// A map, and what in its file had no effect.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapFile {
    /// The map.
    pub grid: OccupancyGrid,
    /// One sentence for each thing without effect.
    pub warnings: Vec<String>,
}

/// Reads a map: `.yaml` and `.yml` as ROS describes them, `.gridmap` and `.gridmap.gz` as MRPT writes
/// them, anything else as a picture, for which alone the options are used.
pub fn read(path: &Path, options: &GridOptions, limits: &Limits) -> Result<MapFile, AssetError> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
    let name = name.unwrap_or_default();
    if matches!(file::extension(path).as_str(), "yaml" | "yml") {
        return ros::read(path, limits);
    }
    let read = || {
        if name.ends_with(".gridmap") || name.ends_with(".gridmap.gz") {
            return mrpt::from_reader(file::open(path, limits)?, limits);
        }
        // the picture names itself in its own errors
        let image = image::read(path, limits).map_err(|error| error.problem)?;
        from_image(&image, options)
    };
    let grid = read().map_err(|problem: Problem| problem.at(path))?;
    Ok(MapFile { grid, warnings: Vec::new() })
}

/// A map of grey levels: white is free, black is solid, the bottom row has the least y.
pub fn from_image(image: &GreyImage, options: &GridOptions) -> Result<OccupancyGrid, Problem> {
    let corner = options.center_pixel.map(|pixel| -pixel * options.resolution);
    let white = f64::from(image.white());
    from_levels(image, corner, options.resolution, |level| {
        let free = (f64::from(level) / white).clamp(0.01, 0.99);
        log_odds((free * STEPS).floor() / STEPS)
    })
}

/// A map whose cells follow from the levels, each level computed once.
fn from_levels(
    image: &GreyImage,
    corner: [f64; 2],
    resolution: f64,
    cell: impl Fn(u16) -> i8,
) -> Result<OccupancyGrid, Problem> {
    let table: Vec<i8> = (0..=image.white()).map(cell).collect();
    let (width, height) = (image.width(), image.height());
    let mut cells = Vec::with_capacity(width * height);
    for row in (0..height).rev() {
        let pixels = row * width..(row + 1) * width;
        cells.extend(pixels.map(|index| table[usize::from(image.level(index))]));
    }
    Ok(OccupancyGrid::new(corner, resolution, [width, height], cells)?)
}

/// The cell of a probability of being free, which is neither 0 nor 1.
fn log_odds(free: f64) -> i8 {
    (16.0 * libm::log(free / (1.0 - free))).round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::png;

    #[test]
    fn levels_become_cells_with_the_bottom_row_first() {
        let image = image::from_bytes(&png(2, 2, &[255, 0, 200, 128]), &Limits::default()).unwrap();
        let options = GridOptions { resolution: 0.5, center_pixel: [10.0, 4.0] };
        let grid = from_image(&image, &options).unwrap();
        // 16 ln(p/(1−p)) for p of 99/127, 63/127, 125/127 and 1/127
        assert_eq!(grid.cells(), [20, 0, 66, -77]);
        assert_eq!((grid.corner(), grid.size()), ([-5.0, -2.0], [2, 2]));
        let plain = from_image(&image, &GridOptions::default()).unwrap();
        assert_eq!(plain.corner(), [0.1, 0.1]);
    }

    #[test]
    fn greys_in_the_middle_are_unknown() {
        let levels: Vec<u8> = (0..=255).collect();
        let image = image::from_bytes(&png(256, 1, &levels), &Limits::default()).unwrap();
        let grid = from_image(&image, &GridOptions::default()).unwrap();
        let unknown: Vec<usize> = (0..256).filter(|&ix| grid.cells()[ix].abs() <= 1).collect();
        assert_eq!(unknown, (123..=134).collect::<Vec<_>>());
        assert!((0..256).all(|ix| grid.is_solid(ix, 0) == (ix < 123)));
    }

    #[test]
    fn files_are_told_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.png");
        std::fs::write(&path, png(1, 1, &[0])).unwrap();
        let map = read(&path, &GridOptions::default(), &Limits::default()).unwrap();
        assert!(map.grid.is_solid(0, 0) && map.warnings.is_empty());
        let wrong = folder.path().join("map.gridmap");
        std::fs::write(&wrong, png(1, 1, &[0])).unwrap();
        let error = read(&wrong, &GridOptions::default(), &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("map.gridmap: is not a valid MRPT"), "{error}");
    }
}
