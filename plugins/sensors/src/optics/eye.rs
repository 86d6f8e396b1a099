//! The rays of the pixels of a camera.

use simhost_sdk::math;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::{Rotation, Vec3};

use super::{Lens, displacement};

/// Largest number of rays of a camera.
pub(crate) const MOST_RAYS: usize = 1 << 23;

/// Axes of a frame with x ahead, y left and z up, seen in its optical frame: x right, y down, z ahead.
const UPRIGHT: Rotation =
    Rotation { axes: [Vec3::Z, Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.0, -1.0, 0.0)] };

/// Axes of an optical frame, seen in its frame with x ahead, y left and z up.
pub(crate) const FROM_OPTICAL: Rotation = Rotation {
    axes: [Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 0.0)],
};

/// The pixels of an image. The centre of a pixel is at whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Focal lengths, px.
    pub focal: [f64; 2],
    /// Column and row of the optical axis, px.
    pub centre: [f64; 2],
    pub distortion: Distortion,
    /// Number of rays per pixel, at least 1.
    pub samples: usize,
}

/// Rays through the pixels, in a frame that the camera chooses.
///
/// The first rays go through the centres of the pixels, row by row from the top left. The same number for
/// each further ray per pixel follows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Eye {
    pub grid: Grid,
    /// Azimuth and elevation, rad.
    pub angles: Vec<f64>,
    pub elevations: Vec<f64>,
    /// Cosine of the angle between each ray and the optical axis, or `None` where the lens is dark.
    pub axial: Vec<Option<f64>>,
}

impl Grid {
    /// Returns the number of pixels.
    pub fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the number of rays.
    ///
    /// # Errors
    /// A message for the user if there are too many.
    pub fn count(&self) -> Result<usize, String> {
        let rays = self.pixels() * self.samples;
        if rays > MOST_RAYS {
            let Self { width, height, samples, .. } = self;
            return Err(format!(
                "an image of {width} x {height} pixels with {samples} rays each has {rays} rays, \
                 expected at most {MOST_RAYS}"
            ));
        }
        Ok(rays)
    }

    /// Returns the point of the image, in focal lengths, at a pixel.
    fn point(&self, u: f64, v: f64) -> [f64; 2] {
        [(u - self.centre[0]) / self.focal[0], (v - self.centre[1]) / self.focal[1]]
    }

    /// Checks that no point appears twice.
    fn check_folds(&self, lens: &Lens) -> Result<(), String> {
        let (right, bottom) = (self.width - 1, self.height - 1);
        let sides = (0..=right).flat_map(|u| [(u, 0), (u, bottom)]);
        let border = sides.chain((0..=bottom).flat_map(|v| [(0, v), (right, v)]));
        for (u, v) in border {
            if lens.folds(self.point(f64::from(u), f64::from(v))) {
                return Err(format!(
                    "distortion folds the image at pixel ({u}, {v}), expected coefficients under which \
                     each pixel shows one direction"
                ));
            }
        }
        Ok(())
    }
}

/// Returns the place of a ray within its pixel, from −½ to ½: an additive recurrence with the plastic
/// number (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018), mirrored at the
/// centre, so that the mean of all `count` places is the centre. The first one is there, and so is the
/// last one of an even number.
fn place(sample: usize, count: usize) -> [f64; 2] {
    let is_mirrored = sample.is_multiple_of(2);
    if sample + 1 == count && !is_mirrored {
        return [0.0; 2];
    }
    [0.754_877_666_246_692_7, 0.569_840_290_998_053_2].map(|step| {
        let at = 0.5 + sample.div_ceil(2) as f64 * step;
        let part = at - at.floor() - 0.5;
        if is_mirrored { 0.0 - part } else { part }
    })
}

impl Eye {
    /// Computes the rays, where `optical` is the optical frame in the frame of the rays.
    ///
    /// # Errors
    /// A message for the user if there are too many rays or the lens folds the image.
    pub fn new(grid: Grid, optical: &Rotation) -> Result<Self, String> {
        let count = grid.count()?;
        let lens = Lens::new(grid.distortion);
        grid.check_folds(&lens)?;
        let mut eye = Self { grid, ..Self::default() };
        eye.angles.reserve_exact(count);
        eye.elevations.reserve_exact(count);
        eye.axial.reserve_exact(count);
        for sample in 0..grid.samples {
            let [right, down] = place(sample, grid.samples);
            for v in 0..grid.height {
                for u in 0..grid.width {
                    let point = grid.point(f64::from(u) + right, f64::from(v) + down);
                    // what a border shows twice is dark
                    eye.add(lens.direction(point).unwrap_or(None), optical);
                }
            }
        }
        Ok(eye)
    }

    fn add(&mut self, direction: Option<[f64; 3]>, optical: &Rotation) {
        let Vec3 { x, y, z } = optical.apply(direction.map_or(Vec3::Z, Vec3::from));
        self.angles.push(math::atan2(y, x));
        self.elevations.push(math::atan2(z, (x * x + y * y).sqrt()));
        self.axial.push(direction.map(|direction| direction[2]));
    }

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.angles.len()
    }

    /// Sets the angles of rays from `first` on.
    pub fn aim(&self, aim: &mut Aim, first: usize) {
        let rays = first..first + self.len();
        aim.angles[rays.clone()].copy_from_slice(&self.angles);
        aim.elevations[rays].copy_from_slice(&self.elevations);
    }

    /// Sets the times of rays from `first` on: 0 for the last row, and `readout` s earlier for the
    /// first row.
    pub fn roll(&self, aim: &mut Aim, first: usize, readout: f64) {
        let (width, height) = (self.grid.width as usize, self.grid.height as usize);
        let last = (height - 1).max(1) as f64;
        let rows = aim.times[first..first + self.len()].chunks_mut(width);
        for (row, times) in rows.enumerate() {
            let left = height - 1 - row % height;
            times.fill(0.0 - readout * left as f64 / last);
        }
    }

    /// Returns the depth at a pixel whose ray has this range, m; infinite for nothing.
    #[inline]
    pub fn depth(&self, pixel: usize, range: f64) -> f64 {
        self.axial[pixel].map_or(f64::INFINITY, |axial| range * axial)
    }

    /// Returns the motion on the image, px to the right and down, of what a pixel shows and what moves by these small
    /// angles to the left and up, rad, in a frame with x ahead, y left and z up; 0 where the lens is dark.
    pub fn flow(&self, pixel: usize, [left, up]: [f64; 2]) -> [f64; 2] {
        if self.axial[pixel].is_none() {
            return [0.0; 2];
        }
        let (angle, elevation) = (self.angles[pixel], self.elevations[pixel]);
        let ((sin, cos), (rise, level)) = (math::sin_cos(angle), math::sin_cos(elevation));
        let direction = [0.0 - level * sin, 0.0 - rise, level * cos];
        // the optical frame has x right, y down and z ahead
        let moved = [
            0.0 - left * cos + up * rise * sin,
            0.0 - up * level,
            0.0 - left * sin - up * rise * cos,
        ];
        let [x, y] = displacement(self.grid.distortion, direction, moved);
        [self.grid.focal[0] * x, self.grid.focal[1] * y]
    }

    /// Returns the mean light on a pixel from the light of each ray.
    #[inline]
    pub fn mean(&self, pixel: usize, light: &[f64]) -> f64 {
        if self.grid.samples == 1 {
            return if self.axial[pixel].is_some() { light[pixel] } else { 0.0 };
        }
        let (mut ray, mut sum) = (pixel, 0.0);
        for _ in 0..self.grid.samples {
            sum += if self.axial[ray].is_some() { light[ray] } else { 0.0 };
            ray += self.grid.pixels();
        }
        sum / self.grid.samples as f64
    }
}

/// Returns the frame with x ahead, y left and z up that belongs to an optical frame.
pub(crate) fn upright(optical: &Rotation) -> Rotation {
    optical.compose(&UPRIGHT)
}

#[cfg(test)]
mod tests {
    use simhost_sdk::kinematics::{angles, rotation};

    use super::*;

    fn grid() -> Grid {
        Grid {
            width: 5,
            height: 3,
            focal: [4.0, 2.0],
            centre: [2.0, 1.0],
            distortion: Distortion::None,
            samples: 1,
        }
    }

    #[test]
    fn pixels_go_row_by_row_from_the_top_left() {
        let eye = Eye::new(grid(), &FROM_OPTICAL).expect("a good grid");
        assert_eq!(eye.len(), 15);
        // pixel (3, 0): half a focal length up, a quarter to the right
        assert!((eye.angles[3] + math::atan(0.25)).abs() < 1e-15);
        let up = 0.5 / (1.0f64 + 0.25 * 0.25).sqrt();
        assert!((eye.elevations[3] - math::atan(up)).abs() < 1e-15);
        assert_eq!((eye.angles[7], eye.elevations[7], eye.axial[7]), (0.0, 0.0, Some(1.0)));
        assert!(eye.angles[5] > 0.0 && eye.elevations[14] < 0.0);
        assert!((eye.depth(3, 2.0) - 2.0 / (1.0f64 + 0.25 + 0.0625).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn the_natural_pose_of_an_optical_frame_looks_ahead() {
        let quarter = -90.0 * math::DEG;
        let found = angles(&upright(&rotation([quarter, 0.0, quarter])));
        assert!(found.iter().all(|angle| angle.abs() < 1e-15), "{found:?}");
    }

    #[test]
    fn further_rays_lie_within_their_pixels() {
        for count in [1, 4, 5, 64] {
            let places: Vec<_> = (0..count).map(|sample| place(sample, count)).collect();
            let sum = |part: usize| places.iter().map(|place| place[part]).sum::<f64>();
            assert_eq!(places[0], [0.0, 0.0]);
            assert!(places.iter().flatten().all(|part| part.abs() <= 0.5));
            assert!(sum(0).abs() < 1e-12 && sum(1).abs() < 1e-12, "{count}");
        }
        let many = Eye::new(Grid { samples: 4, ..grid() }, &Rotation::IDENTITY);
        let many = many.expect("a good grid");
        let mut light = vec![0.0; many.len()];
        light[17] = 1.0;
        assert_eq!(many.mean(2, &light), 0.25);
    }

    #[test]
    fn a_lens_that_folds_the_image_is_rejected() {
        let distortion = Distortion::BrownConrady([-0.5, 0.0, 0.0, 0.0, 0.0]);
        let found = Eye::new(Grid { distortion, focal: [3.0; 2], ..grid() }, &UPRIGHT);
        let found = found.map(|eye| eye.len()).expect_err("a fold");
        assert!(found.starts_with("distortion folds the image at pixel (0, 0)"), "{found}");
        let many = Grid { width: 16_384, height: 16_384, ..grid() };
        let found = Eye::new(many, &UPRIGHT).map(|eye| eye.len()).expect_err("too many");
        assert!(found.contains("has 268435456 rays, expected at most 8388608"), "{found}");
    }
}
