//! Parts of cameras: lens, grid of pixels, and film.

mod eye;
mod film;
mod lens;

pub(crate) use eye::{Eye, FROM_OPTICAL, Grid, MOST_RAYS, upright};
pub use film::Colors;
pub(crate) use film::Film;
use lens::{Lens, displacement};

use std::ops::Range;

use simhost_sdk::Image;
use simhost_sdk::prelude::*;

/// Number of pixels whose random numbers are drawn at once.
const PIECE: usize = 256;

/// Readings of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Pixel {
    /// Red, 0 to 255, sRGB.
    #[port(unit = "1")]
    Red,
    /// Green, 0 to 255, sRGB.
    #[port(unit = "1")]
    Green,
    /// Blue, 0 to 255, sRGB.
    #[port(unit = "1")]
    Blue,
    /// Depth along the optical axis; 0 for none.
    #[port(unit = "m")]
    Depth,
    /// Number of the semantic class; 0 for none.
    #[port(unit = "1")]
    Class,
    /// Number of the entity; -1 for none.
    #[port(unit = "1")]
    Entity,
    /// Motion of what is seen to the right until the next image, with the velocities at this one.
    #[port(unit = "px")]
    FlowX,
    /// Motion down until the next image.
    #[port(unit = "px")]
    FlowY,
}

impl Pixel {
    /// Sets the readings of all rays to the readings of an empty pixel, except for the rays at
    /// which `is_shown` returns that a reading is set anyway.
    pub(crate) fn clear(rays: &mut RayReadings<Self>, is_shown: impl Fn(Self) -> Range<usize>) {
        for reading in Self::ALL {
            let nothing = if *reading == Self::Entity { -1.0 } else { 0.0 };
            let (column, shown) = (rays.column(*reading), is_shown(*reading));
            column[..shown.start].fill(nothing);
            column[shown.end..].fill(nothing);
        }
    }
}

/// Readings of colours, and the results of rays that they show.
const COLORS: [(Pixel, RayResult); 3] = [
    (Pixel::Red, RayResult::LightRed),
    (Pixel::Green, RayResult::LightGreen),
    (Pixel::Blue, RayResult::LightBlue),
];

/// Model of the lens.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LensModel {
    #[param(key = "pinhole")]
    Pinhole,
    #[param(key = "plumb_bob")]
    PlumbBob,
    #[param(key = "equidistant")]
    Equidistant,
}

impl LensModel {
    /// Returns the lens with these coefficients.
    ///
    /// # Errors
    /// A message for the user if their number is wrong.
    pub(crate) fn lens(self, coefficients: Option<&[f64]>) -> Result<Distortion, String> {
        let given = coefficients.unwrap_or_default();
        let count = given.len();
        let wrong =
            |expected: &str| Err(format!("distortion has {count} numbers, expected {expected}"));
        match (self, given) {
            (Self::Pinhole, []) => Ok(Distortion::None),
            (Self::Pinhole, _) => wrong("none for the lens_model `pinhole`"),
            (Self::PlumbBob, []) => Ok(Distortion::BrownConrady([0.0; 5])),
            (Self::PlumbBob, [k1, k2, p1, p2]) => {
                Ok(Distortion::BrownConrady([*k1, *k2, *p1, *p2, 0.0]))
            }
            (Self::PlumbBob, [k1, k2, p1, p2, k3]) => {
                Ok(Distortion::BrownConrady([*k1, *k2, *p1, *p2, *k3]))
            }
            (Self::PlumbBob, _) => wrong("k1 k2 p1 p2 k3 for the lens_model `plumb_bob`"),
            (Self::Equidistant, []) => Ok(Distortion::Fisheye([0.0; 4])),
            (Self::Equidistant, [k1, k2, k3, k4]) => Ok(Distortion::Fisheye([*k1, *k2, *k3, *k4])),
            (Self::Equidistant, _) => wrong("k1 k2 k3 k4 for the lens_model `equidistant`"),
        }
    }
}

/// Returns column and row of the optical axis of an image: the middle where they are not given.
pub(crate) fn centre(given: [Option<f64>; 2], size: [u32; 2]) -> [f64; 2] {
    let middle = size.map(|pixels| 0.5 * f64::from(pixels));
    [given[0].unwrap_or(middle[0]), given[1].unwrap_or(middle[1])]
}

/// Returns the description of an image of these pixels, seen from the pose of an optical frame.
pub(crate) fn image(
    name: &str,
    kind: ImageKind,
    grid: &Grid,
    pose: [f64; 6],
    first_ray: usize,
) -> Image {
    let Grid { width, height, focal: [fx, fy], centre: [cx, cy], distortion, .. } = *grid;
    let name = name.to_owned();
    Image { name, kind, width, height, first_ray, fx, fy, cx, cy, distortion, pose }
}

/// Calls `take` with each pixel and a normally distributed number, or 0 without noise.
#[inline]
pub(crate) fn for_each_noise(
    pixels: usize,
    is_noisy: bool,
    random: &mut Random,
    mut take: impl FnMut(usize, f64),
) {
    let mut noise = [0.0; PIECE];
    for first in (0..pixels).step_by(PIECE) {
        if is_noisy {
            random.fill_normal(&mut noise);
        }
        for (pixel, noise) in (first..pixels).zip(&noise) {
            take(pixel, *noise);
        }
    }
}

/// Sets the colours of the pixels of an eye whose rays begin at `first`.
pub(crate) fn read_colors(
    rays: &mut RayReadings<Pixel>,
    eye: &Eye,
    first: usize,
    film: &Film,
    random: &mut Random,
) {
    let pixels = eye.grid.pixels();
    for (reading, result) in COLORS {
        let light = &rays.result(result)[first..];
        let numbers = &mut rays.column(reading)[first..];
        if film.is_noisy() {
            for_each_noise(pixels, true, random, |pixel, noise| {
                numbers[pixel] = film.develop(eye.mean(pixel, light), noise);
            });
            continue;
        }
        // neighbouring pixels often have the same light
        let mut last = (0.0, film.develop(0.0, 0.0));
        for (pixel, number) in numbers[..pixels].iter_mut().enumerate() {
            let mean = eye.mean(pixel, light);
            if mean != last.0 {
                last = (mean, film.develop(mean, 0.0));
            }
            *number = last.1;
        }
    }
}
