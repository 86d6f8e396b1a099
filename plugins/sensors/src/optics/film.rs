//! From light to numbers: exposure, noise, transfer curve, and eight bits.
//!
//! Noise follows the linear model of EMVA Standard 1288: with the signal s relative to white,
//! σ² = σ_read² + σ_shot² s. With a full well of N electrons at white, σ_shot is 1/√N. The numbers have the
//! transfer curve of sRGB (IEC 61966-2-1).
//!
//! Simplification: no colour filter array, no lens shading, and each pixel of each colour is independent.

use simhost_sdk::prelude::*;

/// Number of parts of the signal in which numbers are looked up.
const PARTS: usize = 4096;

/// Rays per pixel, light and noise of the colours of a camera.
#[derive(Debug, Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Colors {
    /// Rays per pixel for the colour. A larger value smooths edges and takes longer.
    #[param(default = 1, range = 1..=64)]
    pub(crate) samples: usize,
    /// Factor on the light. With 1, a white surface that faces the sun has 255. A larger value makes the
    /// image brighter.
    #[param(default = 1.0, above = 0.0)]
    pub(crate) exposure: f64,
    /// Standard deviation of the noise in the dark, relative to white.
    #[param(default = 0.0, range = 0.0..=1.0)]
    pub(crate) read_noise: f64,
    /// Standard deviation of the photon noise at white, relative to white; 0.01 for a full well of 10 000
    /// electrons. It grows with the root of the light.
    #[param(default = 0.0, range = 0.0..=1.0)]
    pub(crate) shot_noise: f64,
}

impl Colors {
    /// Returns the film with this exposure and noise.
    pub(crate) fn film(&self) -> Film {
        Film::new(self.exposure, [self.read_noise, self.shot_noise])
    }
}

/// Exposure and noise, with a table of the transfer curve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Film {
    exposure: f64,
    read_noise: f64,
    shot_noise: f64,
    /// Smallest signal of each number.
    limits: Vec<f64>,
    /// Number at the lower end of each part of the signal.
    numbers: Vec<u8>,
}

impl Film {
    /// Creates a film with the standard deviations of the read noise and, at white, of the shot noise.
    pub fn new(exposure: f64, [read_noise, shot_noise]: [f64; 2]) -> Self {
        let limits: Vec<f64> = (0..256).map(|number| limit(number as f64)).collect();
        let number = |signal: f64| (limits.partition_point(|limit| *limit <= signal) - 1) as u8;
        let at = |part: usize| part as f64 / PARTS as f64;
        // rounding must not put a number too high
        let numbers = (0..=PARTS).map(|part| number(at(part))).collect();
        Self { exposure, read_noise, shot_noise, limits, numbers }
    }

    /// Returns whether a number depends on noise.
    pub fn is_noisy(&self) -> bool {
        self.read_noise > 0.0 || self.shot_noise > 0.0
    }

    /// Returns the number, 0 to 255, for a light and a normally distributed number.
    #[inline]
    pub fn develop(&self, light: f64, noise: f64) -> f64 {
        let exact = self.exposure * light;
        let signal = match self.is_noisy() {
            true => {
                let shot = self.shot_noise * self.shot_noise * exact;
                exact + noise * (self.read_noise * self.read_noise + shot).sqrt()
            }
            false => exact,
        };
        // a number that is not one becomes 0
        let signal = if signal > 0.0 { signal.min(1.0) } else { 0.0 };
        let mut number = self.numbers[(signal * PARTS as f64) as usize];
        while number < 255 && signal >= self.limits[usize::from(number) + 1] {
            number += 1;
        }
        f64::from(number)
    }
}

/// Returns the smallest signal that is rounded to a number.
fn limit(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    let value = (number - 0.5) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { math::pow((value + 0.055) / 1.055, 2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_transfer_curve_of_srgb() {
        let film = Film::new(1.0, [0.0; 2]);
        for step in 0..=10_000 {
            let light = f64::from(step) / 10_000.0;
            let value = match light <= 0.003_130_8 {
                true => 12.92 * light,
                false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
            };
            let found = film.develop(light, 0.0);
            assert!((found - 255.0 * value).abs() <= 0.5 + 1e-3, "{light} {found} {value}");
        }
        assert_eq!(
            [-1.0, 0.0, 1.0, 7.0].map(|light| film.develop(light, 0.0)),
            [0.0, 0.0, 255.0, 255.0]
        );
        // half of the light and twice the exposure
        assert_eq!(Film::new(2.0, [0.0; 2]).develop(0.1, 0.0), film.develop(0.2, 0.0));
    }

    #[test]
    fn noise_grows_with_the_root_of_the_light() {
        let film = Film::new(1.0, [0.003, 0.04]);
        for light in [0.0, 0.25, 0.5] {
            let sigma = (0.003f64.powi(2) + 0.04f64.powi(2) * light).sqrt();
            let quiet = Film::new(1.0, [0.0; 2]);
            let expected = quiet.develop(light + 2.0 * sigma, 0.0);
            assert_eq!(film.develop(light, 2.0), expected, "{light}");
        }
    }
}
