//! Errors of the axes of a sensor: white noise, bias instability, random walk, quantisation, saturation.
//!
//! The parts correspond to an Allan deviation plot (IEEE Std 952-1997, annex C):
//!
//! * White noise of density N has the standard deviation N/√T per sample of period T and the Allan
//!   deviation N/√τ.
//! * Bias instability B, the height of the floor of the plot divided by 0.664, is a stationary
//!   first-order Gauss-Markov process. Its Allan deviation has a flat maximum of 0.6174 σ at 1.89 times
//!   its correlation time, so that σ = 1.0755 B. Simplification: a real floor is wider.
//! * A random walk K changes the bias by K √T per sample, with the Allan deviation K √(τ/3).
//! * A resolution of q rounds to multiples of q, with an error of q/√12.

use simhost_sdk::{Random, math};

/// Ratio of the standard deviation of the Gauss-Markov process to the bias instability.
const INSTABILITY: f64 = 0.664 / 0.617_36;

/// Errors of one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errors {
    /// Standard deviation of the white noise of a sample.
    pub white: f64,
    /// Density of the white noise per √Hz, which replaces `white`.
    pub density: Option<f64>,
    /// Bias instability.
    pub instability: f64,
    /// Correlation time of the bias instability, s.
    pub correlation_time: f64,
    /// Random walk of the bias per √s.
    pub walk: f64,
    /// Resolution: distance between two distinguishable readings, 0 for none.
    pub resolution: f64,
    /// Largest magnitude of a reading.
    pub range: Option<f64>,
}

/// Slowly changing parts of the error of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bias {
    /// Gauss-Markov process.
    pub drift: f64,
    /// Random walk.
    pub walk: f64,
}

impl Errors {
    /// Returns the reading of `value`, and advances the bias by a sampling period, s. The first sample
    /// draws the drift from its stationary distribution.
    pub fn read(
        &self,
        value: f64,
        bias: &mut Bias,
        is_first: bool,
        period: f64,
        random: &mut Random,
    ) -> f64 {
        // all numbers are drawn, so that a part that is switched on does not change the others
        let mut noise = [0.0; 4];
        random.fill_normal(&mut noise);
        let sigma = INSTABILITY * self.instability;
        if is_first {
            bias.drift = sigma * noise[1];
        } else {
            bias.drift = gauss_markov(bias.drift, sigma, period / self.correlation_time, noise[1]);
            bias.walk += self.walk * period.sqrt() * noise[2];
        }
        let white = self.density.map_or(self.white, |density| density / period.sqrt());
        let found = value + bias.drift + bias.walk + white * noise[0];
        self.limit(found)
    }

    /// Rounds and limits a reading.
    fn limit(&self, value: f64) -> f64 {
        let rounded = match self.resolution > 0.0 {
            true => (value / self.resolution).round() * self.resolution,
            false => value,
        };
        self.range.map_or(rounded, |range| rounded.clamp(-range, range))
    }
}

/// Advances a first-order Gauss-Markov process of standard deviation `sigma` by `time` correlation times,
/// with a normally distributed number.
pub(crate) fn gauss_markov(value: f64, sigma: f64, time: f64, noise: f64) -> f64 {
    let kept = math::exp(-time);
    kept * value + sigma * (1.0 - kept * kept).max(0.0).sqrt() * noise
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const NONE: Errors = Errors {
        white: 0.0,
        density: None,
        instability: 0.0,
        correlation_time: 10.0,
        walk: 0.0,
        resolution: 0.0,
        range: None,
    };

    /// Returns readings of 0, each with the random numbers of its sample.
    fn readings(errors: &Errors, period: f64, count: u64) -> Vec<f64> {
        let mut bias = Bias::default();
        let read = |sample: u64| {
            let key = (sample + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            let mut random = Random::new(key.rotate_left(17));
            errors.read(0.0, &mut bias, sample == 0, period, &mut random)
        };
        (0..count).map(read).collect()
    }

    /// Returns the Allan deviation for clusters of `size` samples.
    pub fn allan(readings: &[f64], size: usize) -> f64 {
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let means: Vec<f64> = readings.chunks_exact(size).map(mean).collect();
        let squares = means.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
        (0.5 * squares.sum::<f64>() / (means.len() - 1) as f64).sqrt()
    }

    fn is_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected}");
    }

    #[test]
    fn white_noise_has_its_density() {
        let errors = Errors { density: Some(0.02), ..NONE };
        let found = readings(&errors, 0.01, 200_000);
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        let deviation = (found.iter().map(|x| x * x).sum::<f64>() / found.len() as f64).sqrt();
        is_near(deviation, 0.2, 0.01);
        assert!(mean.abs() < 0.002, "{mean}");
        for (size, tolerance) in [(1, 0.01), (10, 0.03), (100, 0.08)] {
            is_near(allan(&found, size), 0.02 / (0.01 * size as f64).sqrt(), tolerance);
        }
    }

    #[test]
    fn the_deviation_of_a_sample_does_not_depend_on_the_period() {
        let errors = Errors { white: 0.3, ..NONE };
        for period in [0.001, 0.1] {
            is_near(allan(&readings(&errors, period, 100_000), 1), 0.3, 0.01);
        }
    }

    #[test]
    fn a_walk_has_its_allan_deviation_at_any_period() {
        for period in [0.01, 0.1] {
            let errors = Errors { walk: 0.5, ..NONE };
            let found = readings(&errors, period, 200_000);
            for size in [20, 100] {
                let time = period * f64::from(size);
                is_near(allan(&found, size as usize), 0.5 * (time / 3.0).sqrt(), 0.1);
            }
        }
    }

    #[test]
    fn bias_instability_is_the_floor_of_the_plot() {
        let errors = Errors { instability: 0.1, ..NONE };
        let found = readings(&errors, 0.1, 400_000);
        // the maximum lies at 1.89 correlation times
        is_near(allan(&found, 189), 0.0664, 0.06);
        let highest = [60, 120, 189, 300, 600].map(|size| allan(&found, size));
        assert!(highest.iter().all(|one| *one < 0.0664 * 1.06), "{highest:?}");
        let deviation = (found.iter().map(|x| x * x).sum::<f64>() / found.len() as f64).sqrt();
        is_near(deviation, 0.107_55, 0.05);
    }

    #[test]
    fn readings_are_rounded_and_limited() {
        let errors = Errors { resolution: 0.25, range: Some(1.0), ..NONE };
        let mut read =
            |value| errors.read(value, &mut Bias::default(), true, 0.1, &mut Random::new(1));
        assert_eq!([0.3, -0.4, 3.0, -7.0].map(&mut read), [0.25, -0.5, 1.0, -1.0]);
    }
}
