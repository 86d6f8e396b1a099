//! Transcendental functions that return the same bits on every platform.
//!
//! [`exp`], [`tanh`], [`atan`], [`atan2`], [`sin`] and [`cos`] have neither branches nor calls, so
//! a loop over lanes that uses them still vectorises. Coefficients: Moshier, Cephes library (1989).
//! Range reduction: Cody and Waite (1980). [`ln`] and [`pow`] come from the `libm` crate.

const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 = LN2_HIGH + LN2_LOW, the first with 21 bits to spare.
const LN2_HIGH: f64 = 6.931_457_519_531_25e-1;
const LN2_LOW: f64 = 1.428_606_820_309_417_2e-6;
/// Adding this number rounds to an integer and leaves that integer in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Evaluates a polynomial, highest power first.
#[inline(always)]
fn poly<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[0];
    let mut i = 1;
    while i < N {
        sum = sum * x + coefficients[i];
        i += 1;
    }
    sum
}

/// One degree in rad, as in `#[param(unit = "deg", scale = math::DEG)]`.
pub const DEG: f64 = std::f64::consts::PI / 180.0;

/// Limits `x` to −`bound` … `bound`. Unlike [`f64::clamp`] it never panics, so a loop over lanes
/// with a bound each still vectorises. For a negative `bound` the result is `bound`.
#[inline(always)]
pub fn limit(x: f64, bound: f64) -> f64 {
    let raised = if x < -bound { -bound } else { x };
    if raised > bound { bound } else { raised }
}

/// Returns e to the power of `x`, 0 below −708 and e⁷⁰⁸ above 708. Relative error below 2e-16.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let limited = x.clamp(-708.0, 708.0);
    let shifted = limited * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (limited - n * LN2_HIGH) - n * LN2_LOW;
    // e^r = 1 + 2 p / (q - p), Cephes exp.c
    let rr = r * r;
    let p = r * poly(rr, [1.261_771_930_748_105_9e-4, 3.029_944_077_074_419_6e-2, 1.0]);
    let q = poly(
        rr,
        [3.001_985_051_386_644_6e-6, 2.524_483_403_496_841e-3, 2.272_655_482_081_55e-1, 2.0],
    );
    let fraction = 1.0 + 2.0 * (p / (q - p));
    // the low bits of `shifted` hold n
    let scale = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    let result = fraction * scale;
    if x < -708.0 { 0.0 } else { result }
}

/// Returns the hyperbolic tangent. Error below 3e-16.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let a = x.abs();
    let z = x * x;
    let p =
        poly(z, [-9.643_991_794_250_523e-1, -9.928_772_310_019_186e1, -1.614_687_684_417_084_5e3]);
    let q = poly(
        z,
        [1.0, 1.128_116_784_916_329_3e2, 2.235_488_390_601_004_5e3, 4.844_063_053_251_255e3],
    );
    let small = x + x * z * (p / q);
    let large = (1.0 - 2.0 / (exp(2.0 * a) + 1.0)).copysign(x);
    if a < 0.625 { small } else { large }
}

/// Returns the arc tangent, rad. Error below 3e-16.
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    const TAN_3_PI_8: f64 = 2.414_213_562_373_095;
    /// π/2 minus the nearest double.
    const MORE_BITS: f64 = 6.123_233_995_736_766e-17;
    let a = x.abs();
    let high = a > TAN_3_PI_8;
    let middle = a > 0.66;
    // one division for the three ranges
    let (top, bottom) = if high {
        (-1.0, a)
    } else if middle {
        (a - 1.0, a + 1.0)
    } else {
        (a, 1.0)
    };
    let t = top / bottom;
    let (base, low) = if high {
        (std::f64::consts::FRAC_PI_2, MORE_BITS)
    } else if middle {
        (std::f64::consts::FRAC_PI_4, 0.5 * MORE_BITS)
    } else {
        (0.0, 0.0)
    };
    let z = t * t;
    let p = poly(
        z,
        [
            -8.750_608_600_031_904e-1,
            -1.615_753_718_733_365e1,
            -7.500_855_792_314_705e1,
            -1.228_866_684_490_136_2e2,
            -6.485_021_904_942_025e1,
        ],
    );
    let q = poly(
        z,
        [
            1.0,
            2.485_846_490_142_306_3e1,
            1.650_270_098_316_988_5e2,
            4.328_810_604_912_902_7e2,
            4.853_903_996_359_137e2,
            1.945_506_571_482_614e2,
        ],
    );
    (base + (t * z * (p / q) + t + low)).copysign(x)
}

/// Returns the angle of the point (`x`, `y`), rad, in −π … π; 0 at the origin.
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::PI;
    let divisor = if x == 0.0 { 1.0 } else { x };
    let angle = atan(y / divisor);
    let vertical = if y == 0.0 { 0.0 } else { std::f64::consts::FRAC_PI_2.copysign(y) };
    let turned = angle + if x < 0.0 { PI.copysign(y) } else { 0.0 };
    if x == 0.0 { vertical } else { turned }
}

/// Returns sine and cosine of an angle in rad. Error below 3e-16 for |x| < 1e5. The argument should
/// not exceed 1e9.
#[inline(always)]
pub fn sin_cos(x: f64) -> (f64, f64) {
    // π/2 in three parts of 33 bits and less
    const PI_2_A: f64 = 1.570_796_251_296_997;
    const PI_2_B: f64 = 7.549_789_415_861_596e-8;
    const PI_2_C: f64 = 5.390_302_858_158_13e-15;
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let n = shifted - ROUND;
    let quadrant = shifted.to_bits();
    let r = ((x - n * PI_2_A) - n * PI_2_B) - n * PI_2_C;
    let z = r * r;
    let s = r + r
        * z
        * poly(
            z,
            [
                1.589_623_015_765_465_7e-10,
                -2.505_074_776_285_780_7e-8,
                2.755_731_362_138_572_5e-6,
                -1.984_126_982_958_954e-4,
                8.333_333_333_322_118e-3,
                -1.666_666_666_666_663e-1,
            ],
        );
    let c = 1.0 - 0.5 * z
        + z * z
            * poly(
                z,
                [
                    -1.135_853_652_138_768_2e-11,
                    2.087_570_084_197_473e-9,
                    -2.755_731_417_929_674e-7,
                    2.480_158_728_885_170_5e-5,
                    -1.388_888_888_887_305_6e-3,
                    4.166_666_666_666_659e-2,
                ],
            );
    let (sin, cos) = if quadrant & 1 == 0 { (s, c) } else { (c, -s) };
    if quadrant & 2 == 0 { (sin, cos) } else { (-sin, -cos) }
}

/// Returns the sine of an angle in rad; see [`sin_cos`].
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    sin_cos(x).0
}

/// Returns the cosine of an angle in rad; see [`sin_cos`].
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    sin_cos(x).1
}

/// Returns the tangent of an angle in rad; see [`sin_cos`].
#[inline(always)]
pub fn tan(x: f64) -> f64 {
    let (sin, cos) = sin_cos(x);
    sin / cos
}

/// Returns the natural logarithm. Does not vectorise.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns `x` to the power of `y`. Does not vectorise.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Wraps an angle in rad to −π … π.
#[inline(always)]
pub fn wrap_angle(angle: f64) -> f64 {
    use std::f64::consts::TAU;
    let turns = (angle / TAU + ROUND) - ROUND;
    angle - turns * TAU
}

#[cfg(test)]
mod tests;
