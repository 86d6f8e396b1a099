//! Road roughness by ISO 8608.
//!
//! The standard describes the heights of a road along a wheel track by the spectral density
//! G_d(n) = G_d(n₀) (n/n₀)⁻² of their displacement over the spatial frequency n, with n₀ = 0.1/m, and divides
//! roads into classes from A to H by G_d(n₀) (ISO 8608:2016, annex C). The surface here is isotropic, so that
//! every straight track over it has that density: its two-dimensional density is C k⁻³ with
//! C = G_d(n₀) n₀²/4, because 2 ∫ C (n² + m²)^(−3/2) dm over all m is 4 C n⁻².
//!
//! The surface has no waves beyond half of the frequency h of the samples. So that a track still
//! has its density up to there, the density of the surface is the inverse Abel transform of a
//! density that ends at h: the variance of all waves with a spatial frequency above k is G_d(n₀)
//! n₀² arccos(k/h)/k.
//!
//! It is a sum of plane waves in rings of the plane of wave numbers, with directions and phases from a seed.
//! Simplification: no waves below 0.011/m, the lower end of the standard; the number of waves per ring is finite.

use std::f64::consts::{PI, TAU};

use super::HeightField;

/// Spatial frequency at which the degree of roughness is given, 1/m.
const REFERENCE: f64 = 0.1;
/// Lower end of the standard, 1/m.
const LOWEST: f64 = 0.011;
/// Rings per octave of the spatial frequency, and waves per ring.
const RINGS: f64 = 8.0;
const WAVES: usize = 8;

/// Roughness of a road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// Degree of roughness G_d(n₀) in m³.
    pub degree: f64,
    /// Seed of directions and phases.
    pub seed: u64,
}

impl Roughness {
    /// Returns the geometric mean of the degree of roughness of a class from `A` to `H`, m³.
    pub fn degree_of_class(class: char) -> Option<f64> {
        let number = "ABCDEFGH".find(class)?;
        // each class is four times as rough as the one before
        Some(16e-6 * f64::from(1 << (2 * number as u32)))
    }
}

/// A plane wave a cos(x u + y v + phase).
struct Wave {
    amplitude: f64,
    /// Wave numbers, rad/m.
    along: [f64; 2],
    phase: f64,
}

/// Numbers in 0..1 from a seed (SplitMix64, Steele et al. 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn waves(roughness: Roughness, resolution: f64) -> Vec<Wave> {
    let [low, high] = [LOWEST, 0.5 / resolution];
    if high <= low {
        return Vec::new();
    }
    let rings = (libm::log2(high / low) * RINGS).ceil().max(1.0);
    let edge = |ring: f64| low * libm::exp2(ring / rings * libm::log2(high / low));
    let density = roughness.degree * REFERENCE * REFERENCE;
    let above = |k: f64| density * libm::acos((k / high).min(1.0)) / k;
    let mut draws = Draws(roughness.seed);
    let mut waves = Vec::new();
    for ring in 0..rings as usize {
        let [from, to] = [edge(ring as f64), edge(ring as f64 + 1.0)];
        let variance = above(from) - above(to);
        for wave in 0..WAVES {
            let k = from + (to - from) * draws.next();
            // spread over all directions
            let direction = PI * (wave as f64 + draws.next()) / WAVES as f64;
            let (sin, cos) = libm::sincos(direction);
            waves.push(Wave {
                amplitude: (2.0 * variance / WAVES as f64).sqrt(),
                along: [TAU * k * cos, TAU * k * sin],
                phase: TAU * draws.next(),
            });
        }
    }
    waves
}

/// Samples of a row that are computed together.
const LANES: usize = 8;

/// A complex number whose real part is the height of a wave at a sample.
#[derive(Clone, Copy)]
struct Phasor {
    re: f64,
    im: f64,
}

impl Phasor {
    fn new(length: f64, angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { re: length * cos, im: length * sin }
    }

    /// Returns the phasor turned by the angle of one of length 1.
    #[inline]
    fn turned(self, by: Self) -> Self {
        Self { re: self.re * by.re - self.im * by.im, im: self.re * by.im + self.im * by.re }
    }
}

/// A wave at the samples of a row. From sample to sample and from row to row, it turns by the same angles.
struct RowWave {
    /// Phasor of the wave at the first sample of the row.
    first: Phasor,
    /// Rotation of the phasor from row to row.
    row: Phasor,
    /// Rotations from the first sample to each sample of a block, and to the first sample of the next block.
    lanes: [Phasor; LANES],
    beyond: Phasor,
}

impl RowWave {
    fn new(wave: &Wave, [x, y]: [f64; 2], resolution: f64) -> Self {
        let [along_x, along_y] = wave.along;
        let turn = |samples: usize| Phasor::new(1.0, samples as f64 * along_y * resolution);
        Self {
            first: Phasor::new(wave.amplitude, x * along_x + y * along_y + wave.phase),
            row: Phasor::new(1.0, along_x * resolution),
            lanes: std::array::from_fn(turn),
            beyond: turn(LANES),
        }
    }

    /// Adds the wave to the heights of a row, and moves on to the next row.
    fn add(&mut self, heights: &mut [f64]) {
        let mut lanes = self.lanes.map(|lane| self.first.turned(lane));
        let mut chunks = heights.chunks_exact_mut(LANES);
        for chunk in &mut chunks {
            for (height, lane) in chunk.iter_mut().zip(&mut lanes) {
                *height += lane.re;
                *lane = lane.turned(self.beyond);
            }
        }
        for (height, lane) in chunks.into_remainder().iter_mut().zip(&lanes) {
            *height += lane.re;
        }
        self.first = self.first.turned(self.row);
    }
}

impl HeightField {
    /// Returns the field with a rough surface on top of its heights. The time that it takes is proportional to
    /// the number of samples.
    pub fn roughened(mut self, roughness: Roughness) -> Self {
        let mut rough = vec![0.0f64; self.columns];
        let waves = waves(roughness, self.resolution);
        let row_wave = |wave: &Wave| RowWave::new(wave, self.corner, self.resolution);
        let mut waves: Vec<RowWave> = waves.iter().map(row_wave).collect();
        for heights in self.heights.chunks_exact_mut(self.columns) {
            rough.fill(0.0);
            waves.iter_mut().for_each(|wave| wave.add(&mut rough));
            for (height, rough) in heights.iter_mut().zip(&rough) {
                *height += *rough as f32;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn road(seed: u64, degree: f64) -> HeightField {
        let flat = HeightField::new([0.0, -1.0], 0.1, [4096, 21], vec![0.0; 4096 * 21]).unwrap();
        flat.roughened(Roughness { degree, seed })
    }

    #[test]
    fn classes_are_those_of_the_standard() {
        assert_eq!(Roughness::degree_of_class('A'), Some(16e-6));
        assert_eq!(Roughness::degree_of_class('C'), Some(256e-6));
        assert_eq!(Roughness::degree_of_class('H'), Some(262_144e-6));
        assert_eq!(Roughness::degree_of_class('I'), None);
    }

    #[test]
    fn a_seed_is_a_road() {
        assert_eq!(road(3, 16e-6), road(3, 16e-6));
        assert_ne!(road(3, 16e-6), road(4, 16e-6));
    }

    /// Power in a band along x, by discrete Fourier sums with a Hann window, against the integral of the
    /// density of the standard.
    #[test]
    fn every_track_has_the_spectral_density_of_its_class() {
        let degree = 256e-6;
        for band in [[0.05, 0.1], [0.2, 0.4], [0.8, 1.6], [3.2, 4.8]] {
            let (mut power, mut tracks) = (0.0, 0.0);
            for seed in 0..6 {
                let road = road(seed, degree);
                for column in [0, 20] {
                    let heights: Vec<f64> =
                        (0..4096).map(|row| road.height(row, column).unwrap()).collect();
                    let length = 409.6;
                    let bins = (band[0] * length) as usize..(band[1] * length) as usize;
                    for bin in bins {
                        let (mut re, mut im) = (0.0, 0.0);
                        for (row, height) in heights.iter().enumerate() {
                            let place = row as f64 / 4096.0;
                            let window = 1.0 - libm::cos(TAU * place);
                            let (sin, cos) = libm::sincos(TAU * bin as f64 * place);
                            re += window * height * cos / 4096.0;
                            im += window * height * sin / 4096.0;
                        }
                        // a Hann window passes 1.5 times the power
                        power += 2.0 * (re * re + im * im) / 1.5;
                    }
                    tracks += 1.0;
                }
            }
            let expected = degree * 0.01 * (1.0 / band[0] - 1.0 / band[1]);
            let ratio = power / tracks / expected;
            assert!((ratio - 1.0).abs() < 0.25, "{band:?}: {ratio}");
        }
    }
}
