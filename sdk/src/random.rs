//! Random numbers that do not depend on the order of evaluation.

mod normals;

use crate::math;

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014) in counter mode.
///
/// Number `k` of the stream with key `s` is `mix(s + (k + 1)·γ)`. The host derives the key from
/// seed, entity, purpose and sample, so a sample draws the same numbers whatever else is drawn.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    spare: Option<f64>,
}

/// Odd integer nearest to 2⁶⁴ / golden ratio.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Returns the stream with this key.
    pub const fn new(key: u64) -> Self {
        Self { state: key, spare: None }
    }

    /// Returns 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// Returns a number that is uniformly distributed in [0, 1).
    pub const fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns a normally distributed number with mean 0 and standard deviation 1 (Box and Muller
    /// 1958).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * math::ln(1.0 - self.uniform())).sqrt();
        let (sin, cos) = math::sin_cos(2.0 * std::f64::consts::PI * self.uniform());
        self.spare = Some(radius * sin);
        radius * cos
    }
}

#[inline(always)]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn moments_of_ten_thousand_draws() {
        let mut random = Random::new(7);
        let draws: Vec<f64> = (0..10_000).map(|_| random.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 1e4;
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.uniform())));
    }

    #[test]
    fn first_draws_are_those_of_splitmix64() {
        // reference: Vigna's splitmix64.c with x = 0
        let mut random = Random::new(0);
        assert_eq!(random.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.bits(), 0x6E78_9E6A_A1B9_65F4);
    }
}
