//! Normally distributed numbers in bulk, with the bits of one at a time.

use super::{GAMMA, Random, mix};
use crate::math;
#[cfg(target_arch = "x86_64")]
use simhost_vectors::is_avx512;

/// Number of pairs that are computed together: two vectors of AVX-512, whose chains of operations overlap.
const PAIRS: usize = 16;
/// Smallest number of draws for which a tile is computed and the rest of it discarded.
const FEW: usize = 8;
/// First and last digits of ln 2.
const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
/// Coefficients of the logarithm.
const LOGARITHM: [f64; 7] = [
    f64::from_bits(0x3FE5_5555_5555_5593),
    f64::from_bits(0x3FD9_9999_9997_FA04),
    f64::from_bits(0x3FD2_4924_9422_9359),
    f64::from_bits(0x3FCC_71C5_1D8E_78AF),
    f64::from_bits(0x3FC7_4664_96CB_03DE),
    f64::from_bits(0x3FC3_9A09_D078_C69F),
    f64::from_bits(0x3FC2_F112_DF3E_5244),
];

/// Returns the natural logarithm of a positive normal number with the bits of [`math::ln`], whose
/// arithmetic (FreeBSD msun, Sun Microsystems 1993) it repeats without branches.
#[inline(always)]
fn ln(x: f64) -> f64 {
    // x = 2^k m with m from √½ to √2
    const HALF_ROOT: u64 = 0x3fe6_a09e << 32;
    const ONE: u64 = 0x3ff0_0000 << 32;
    let shifted = x.to_bits().wrapping_add(ONE - HALF_ROOT);
    // the exponent as the low bits of 2⁵²
    let exponent = f64::from_bits((1075 << 52) | (shifted >> 52));
    let k = exponent - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff) + HALF_ROOT);
    let f = m - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let [l1, l2, l3, l4, l5, l6, l7] = LOGARITHM;
    let even = w * (l2 + w * (l4 + w * l6));
    let odd = z * (l1 + w * (l3 + w * (l5 + w * l7)));
    let r = odd + even;
    s * (half_square + r) + k * LN2_LOW - half_square + f + k * LN2_HIGH
}

/// Size of the steps of uniformly distributed numbers.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// Returns number `k` of the stream after `state`, uniformly distributed, in steps of [`UNIT`].
#[inline(always)]
fn units(state: u64, k: u64) -> f64 {
    (mix(state.wrapping_add((k + 1).wrapping_mul(GAMMA))) >> 11) as f64
}

#[inline(always)]
fn fill_pairs(state: u64, pairs: &mut [f64; 2 * PAIRS]) {
    let (mut radii, mut turns) = ([0.0; PAIRS], [0.0; PAIRS]);
    for k in 0..PAIRS {
        radii[k] = 1.0 - UNIT * units(state, 2 * k as u64);
        // a factor that is a power of two changes no digit
        turns[k] = 2.0 * std::f64::consts::PI * UNIT * units(state, 2 * k as u64 + 1);
    }
    let (mut cosines, mut sines) = ([0.0; PAIRS], [0.0; PAIRS]);
    for k in 0..PAIRS {
        let radius = (-2.0 * ln(radii[k])).sqrt();
        let (sin, cos) = math::sin_cos(turns[k]);
        cosines[k] = radius * cos;
        sines[k] = radius * sin;
    }
    for k in 0..PAIRS {
        pairs[2 * k] = cosines[k];
        pairs[2 * k + 1] = sines[k];
    }
}

#[inline(always)]
fn fill_all(random: &mut Random, tiles: &mut [[f64; 2 * PAIRS]]) {
    for tile in tiles {
        fill_pairs(random.state, tile);
        random.state = random.state.wrapping_add((2 * PAIRS as u64).wrapping_mul(GAMMA));
    }
}

/// # Safety
/// The processor has these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
unsafe fn fill_all_avx512(random: &mut Random, tiles: &mut [[f64; 2 * PAIRS]]) {
    fill_all(random, tiles);
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn fill_all_avx2(random: &mut Random, tiles: &mut [[f64; 2 * PAIRS]]) {
    fill_all(random, tiles);
}

fn dispatch(random: &mut Random, tiles: &mut [[f64; 2 * PAIRS]]) {
    #[cfg(target_arch = "x86_64")]
    if is_avx512() {
        // SAFETY: the processor has AVX-512.
        return unsafe { fill_all_avx512(random, tiles) };
    }
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { fill_all_avx2(random, tiles) };
    }
    fill_all(random, tiles);
}

impl Random {
    /// Fills a slice with the numbers that as many calls of [`Random::normal`] would return, in a
    /// fraction of their time.
    pub fn fill_normal(&mut self, numbers: &mut [f64]) {
        let Some((first, rest)) = numbers.split_first_mut() else { return };
        let numbers = match self.spare.take() {
            Some(spare) => {
                *first = spare;
                rest
            }
            None => numbers,
        };
        let (tiles, rest) = numbers.as_chunks_mut::<{ 2 * PAIRS }>();
        dispatch(self, tiles);
        if rest.len() < FEW {
            return rest.iter_mut().for_each(|number| *number = self.normal());
        }
        let (mut tile, mut ahead) = ([0.0; 2 * PAIRS], self.clone());
        dispatch(&mut ahead, std::slice::from_mut(&mut tile));
        rest.copy_from_slice(&tile[..rest.len()]);
        let drawn = rest.len().next_multiple_of(2);
        self.spare = (drawn > rest.len()).then_some(tile[rest.len()]);
        self.state = self.state.wrapping_add((drawn as u64).wrapping_mul(GAMMA));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_have_the_bits_of_libm() {
        let mut random = Random::new(3);
        let draws = (0..1_000_000).map(|_| 1.0 - random.uniform());
        let powers = (0..54).map(|k| 1.0 / (1u64 << k) as f64);
        let next = powers.clone().map(f64::next_up).chain(powers.clone().map(f64::next_down));
        for x in draws.chain(powers).chain(next).chain([2f64.sqrt(), 0.5f64.sqrt(), 1.0]) {
            assert_eq!(ln(x).to_bits(), math::ln(x).to_bits(), "ln {x}");
        }
    }

    #[test]
    fn bulk_has_the_bits_of_single_numbers() {
        for skipped in 0..3 {
            for count in [0, 1, 2, 3, 8, 9, 10, 15, 31, 32, 33, 41, 42, 63, 181, 1000] {
                let (mut one, mut bulk) = (Random::new(count as u64), Random::new(count as u64));
                for _ in 0..skipped {
                    assert_eq!(one.normal(), bulk.normal());
                }
                let mut numbers = vec![0.0; count];
                bulk.fill_normal(&mut numbers);
                for number in numbers {
                    assert_eq!(number.to_bits(), one.normal().to_bits(), "{skipped} {count}");
                }
                assert_eq!(one.normal(), bulk.normal());
                assert_eq!(one.bits(), bulk.bits());
            }
        }
    }
}
