//! Random numbers that depend on their position in a world, but not on earlier draws.

use std::f64::consts::PI;

/// The key of a random draw, made from the seed, a position in a file and loop iterations. Draws
/// with different keys are independent, and changing another part of the world does not change
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key(pub u64);

impl Key {
    /// Returns the key extended by a number.
    #[must_use]
    pub(crate) fn with(self, part: u64) -> Self {
        Self(mix(self.0 ^ mix(part)))
    }

    /// Returns the key extended by a name. FNV-1a hashes the name identically on every platform.
    #[must_use]
    pub(crate) fn named(self, name: &str) -> Self {
        let step =
            |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.with(name.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Returns a number that is uniformly distributed in `0..1`.
    pub(crate) fn uniform(self) -> f64 {
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number with the normal distribution N(0, 1) (Box & Muller 1958).
    pub(crate) fn normal(self) -> f64 {
        let (radius, angle) = (self.with(0).uniform(), self.with(1).uniform());
        libm::sqrt(-2.0 * libm::log(1.0 - radius)) * libm::cos(2.0 * PI * angle)
    }
}

/// The output function of SplitMix64 (Steele, Lea, Flood, 2014).
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_moments_of_their_distributions() {
        let count = 20_000;
        let keys = || (0..count).map(|index| Key(7).named("a").with(index));
        let mean = keys().map(Key::uniform).sum::<f64>() / count as f64;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        let mean = keys().map(Key::normal).sum::<f64>() / count as f64;
        let variance = keys().map(|key| key.normal().powi(2)).sum::<f64>() / count as f64;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
    }

    #[test]
    fn the_order_of_extensions_matters() {
        assert_ne!(Key(1).with(2).with(3), Key(1).with(3).with(2));
        assert_ne!(Key(1).named("a"), Key(1).named("b"));
    }
}
