//! Unit vectors of angles.
//!
//! The sines and cosines have the bits of [`libm::sincos`] (FreeBSD msun, Sun Microsystems 1993), so
//! that ranges do not depend on how many rays are computed at once. The arithmetic of its common case is
//! repeated here without branches, which lets the compiler vectorise it; all other arguments go to
//! `libm` itself.

/// Number of angles that are computed together.
pub(crate) const TILE: usize = 16;

/// Adding this number rounds to an integer and leaves that integer in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// First 33 bits of π/2, and the rest.
const FRAC_PI_2_HIGH: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
const FRAC_PI_2_LOW: f64 = f64::from_bits(0x3DD0_B461_1A62_6331);
/// Bit of the sign of a number.
const SIGN: u64 = 1 << 63;
/// Largest angle that is not left to `libm`, rad.
const LARGEST: f64 = 64.0;
/// Largest distance from a multiple of π/2 at which it is certain that `libm` finds the same multiple, rad. It compares
/// some angles with (2k + 1)π/4 by their high words only.
const FARTHEST: f64 = std::f64::consts::FRAC_PI_4 - 1e-5;
/// Smallest part of an angle that is left by one round of argument reduction. `libm` needs more rounds only where more
/// than 16 bits cancel.
const CANCELLED: f64 = 1.0 / 32768.0;

/// Calls `write` with the number of the first angle and the cosines and sines of [`TILE`] angles, rad, each. Angles
/// beyond the last one are zero.
#[inline(always)]
pub(crate) fn compute(angles: &[f64], write: &mut impl Write) {
    let (mut cos, mut sin) = ([0.0; TILE], [0.0; TILE]);
    let (tiles, rest) = angles.as_chunks::<TILE>();
    for (number, angles) in tiles.iter().enumerate() {
        fill_tile(angles, &mut cos, &mut sin);
        write.write(number * TILE, &cos, &sin);
    }
    if !rest.is_empty() {
        let mut tile = [0.0; TILE];
        tile[..rest.len()].copy_from_slice(rest);
        fill_tile(&tile, &mut cos, &mut sin);
        write.write(tiles.len() * TILE, &cos, &sin);
    }
}

/// The receiver of directions.
pub(crate) trait Write {
    /// Takes the cosines and sines of the angles from `first`.
    fn write(&mut self, first: usize, cos: &[f64; TILE], sin: &[f64; TILE]);
}

#[inline(always)]
fn fill_tile(angles: &[f64; TILE], cos: &mut [f64; TILE], sin: &mut [f64; TILE]) {
    let mut is_common = [0u64; TILE];
    for i in 0..TILE {
        (sin[i], cos[i], is_common[i]) = sin_cos(angles[i]);
    }
    let mut all = u64::MAX;
    for one in is_common {
        all &= one;
    }
    if all == 0 {
        for i in (0..TILE).filter(|i| is_common[*i] == 0) {
            (sin[i], cos[i]) = libm::sincos(angles[i]);
        }
    }
}

/// Returns sine and cosine, and all bits set if they agree with `libm`, otherwise zero.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64, u64) {
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let (n, quadrant) = (shifted - ROUND, shifted.to_bits());
    let (high, low) = (x - n * FRAC_PI_2_HIGH, n * FRAC_PI_2_LOW);
    let y = high - low;
    let tail = (high - y) - low;
    let (reduced, c) = kernels(y, tail);
    // the sum of zeros in it loses their sign
    let plain = f64::from_bits(plain_sine(y).to_bits() | (x.to_bits() & SIGN));
    let s = if n == 0.0 { plain } else { reduced };
    let odd = quadrant & 1 != 0;
    let (sin, cos) = if odd { (c, s) } else { (s, c) };
    let sin = f64::from_bits(sin.to_bits() ^ (quadrant << 62 & SIGN));
    let cos = f64::from_bits(cos.to_bits() ^ (quadrant.wrapping_add(1) << 62 & SIGN));
    let (size, rest) = (x.abs(), y.abs());
    let is_common = (rest >= CANCELLED * size) & (rest <= FARTHEST) & (size <= LARGEST);
    (sin, cos, if is_common { u64::MAX } else { 0 })
}

/// Coefficients of the sine and of the cosine.
const S: [f64; 6] = [
    f64::from_bits(0xBFC5_5555_5555_5549),
    f64::from_bits(0x3F81_1111_1110_F8A6),
    f64::from_bits(0xBF2A_01A0_19C1_61D5),
    f64::from_bits(0x3EC7_1DE3_57B1_FE7D),
    f64::from_bits(0xBE5A_E5E6_8A2B_9CEB),
    f64::from_bits(0x3DE5_D93A_5ACF_D57C),
];
const C: [f64; 6] = [
    f64::from_bits(0x3FA5_5555_5555_554C),
    f64::from_bits(0xBF56_C16C_16C1_5177),
    f64::from_bits(0x3EFA_01A0_19CB_1590),
    f64::from_bits(0xBE92_7E4F_809C_52AD),
    f64::from_bits(0x3E21_EE9E_BDB4_B1C4),
    f64::from_bits(0xBDA8_FAE9_BE88_38D4),
];

/// Returns sine and cosine of y + tail for |y| ≤ π/4.
#[inline(always)]
fn kernels(y: f64, tail: f64) -> (f64, f64) {
    let z = y * y;
    let w = z * z;
    let r = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * y;
    let sin = y - ((z * (0.5 * tail - v * r) - tail) - v * S[0]);
    let r = z * (C[0] + z * (C[1] + z * C[2])) + w * w * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let near_one = 1.0 - half;
    (sin, near_one + (((1.0 - near_one) - half) + (z * r - y * tail)))
}

/// Returns the sine of an angle that needs no argument reduction.
#[inline(always)]
fn plain_sine(x: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let r = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * x;
    x + v * (S[0] + z * r)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    struct All(Vec<[f64; 2]>);

    impl super::Write for All {
        fn write(&mut self, first: usize, cos: &[f64; 16], sin: &[f64; 16]) {
            assert_eq!(first, self.0.len());
            self.0.extend(cos.iter().zip(sin).map(|(cos, sin)| [*cos, *sin]));
        }
    }

    /// Compares with `libm`, bit by bit.
    fn check(angles: &[f64]) {
        let mut all = All(Vec::new());
        super::compute(angles, &mut all);
        for (angle, [cos, sin]) in angles.iter().zip(all.0) {
            let (s, c) = libm::sincos(*angle);
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(same(s, sin) && same(c, cos), "{angle}: {sin} {cos}, not {s} {c}");
        }
    }

    #[test]
    fn bits_are_those_of_libm() {
        for middle in [0.0, 0.1234, -3.0, 40.0, 57.0, 1e4, -1e7] {
            let even: Vec<f64> =
                (0..400_000).map(|i| middle + (f64::from(i) * 4e-5 - 8.0)).collect();
            check(&even);
        }
    }

    #[test]
    fn bits_are_those_of_libm_where_cases_meet() {
        let mut angles = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e-320, 1e300];
        // by the high words of which `libm` tells quadrants apart, and below which an angle is its own sine
        let words = [0x3fe9_21fbu64, 0x4002_d97c, 0x400f_6a7a, 0x4015_fdbc, 0x401c_463b];
        let words = words.map(|word| f64::from_bits(word << 32 | 0xffff_ffff));
        let tiny = f64::from_bits(0x3e46_a09e << 32);
        let cancelled = [1.0, 2.0, 3.0, 37.0].map(|n| n * FRAC_PI_2 * (1.0 + super::CANCELLED));
        let far = [-1.0, 0.0, 1.0, 2.0, 3.0, 9.0].map(|n| n * FRAC_PI_2 + super::FARTHEST);
        let ends = words.iter().chain(&cancelled).chain(&far).chain([&tiny, &super::LARGEST]);
        let quarters = (0..80).map(|k| f64::from(k) * FRAC_PI_4);
        for middle in ends.copied().chain(quarters) {
            for step in -300i64..300 {
                for width in [1, 1 << 20, 1 << 32, 1 << 40] {
                    let bits = (middle.to_bits() as i64).wrapping_add(step * width);
                    angles.push(f64::from_bits(bits as u64));
                    angles.push(-f64::from_bits(bits as u64));
                }
            }
        }
        check(&angles);
    }
}
