//! The normal distribution and its inverse.

// the digits are those of the source
#![allow(clippy::excessive_precision)]

use simhost_sdk::math;

/// Least probability that [`quantile`] inverts with full precision.
const LEAST: f64 = 1e-300;

/// Returns the probability that a standard normal number is below `x`.
fn probability(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// Returns the number below which a standard normal number is with probability `p`, 0 < p < 1.
///
/// Source: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics
/// 37(3), 1988, routine `PPND16`; relative error about 1e-16.
pub fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = (-math::ln(tail)).sqrt();
    let size = if r <= 5.0 { ratio(r - 1.6, &MIDDLE) } else { ratio(r - 5.0, &TAIL) };
    if q < 0.0 { -size } else { size }
}

/// Returns the quotient of two polynomials, with coefficients from the highest power down.
fn ratio(r: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let polynomial = |of: &[f64; 8]| of.iter().fold(0.0, |sum, one| sum * r + one);
    polynomial(above) / polynomial(below)
}

/// Returns whether [`truncated`] can draw from an interval.
pub fn can_draw(ends: [f64; 2]) -> bool {
    let [low, high] = lower_tail(ends);
    probability(high) - probability(low) > LEAST
}

/// Returns the standard normal number from `low` to `high` at the part `u`, 0 < u < 1, of the probability between
/// them: the inverse of the distribution function of the truncated normal distribution (N. L. Johnson, S. Kotz,
/// N. Balakrishnan, "Continuous Univariate Distributions" 1, 2nd ed. 1994, chapter 13.10.1).
pub fn truncated(ends: [f64; 2], u: f64) -> f64 {
    // the distribution function has no precision where it is almost 1
    let is_turned = lower_tail(ends) != ends;
    let [low, high] = lower_tail(ends);
    let u = if is_turned { 1.0 - u } else { u };
    let [below, above] = [probability(low), probability(high)];
    let x = quantile(below + u * (above - below)).clamp(low, high);
    if is_turned { -x } else { x }
}

/// Returns the interval, or its mirror image if it is above 0.
fn lower_tail([low, high]: [f64; 2]) -> [f64; 2] {
    if low > 0.0 { [-high, -low] } else { [low, high] }
}

const CENTRE: [[f64; 8]; 2] = [
    [
        2.509_080_928_730_122_7e3,
        3.343_057_558_358_812_8e4,
        6.726_577_092_700_870_1e4,
        4.592_195_393_154_987_1e4,
        1.373_169_376_550_946_1e4,
        1.971_590_950_306_551_3e3,
        1.331_416_678_917_843_8e2,
        3.387_132_872_796_366_5,
    ],
    [
        5.226_495_278_852_854_6e3,
        2.872_908_573_572_194_3e4,
        3.930_789_580_009_271_1e4,
        2.121_379_430_158_659_7e4,
        5.394_196_021_424_751_1e3,
        6.871_870_074_920_579_1e2,
        4.231_333_070_160_091_1e1,
        1.0,
    ],
];
const MIDDLE: [[f64; 8]; 2] = [
    [
        7.745_450_142_783_414_1e-4,
        2.272_384_498_926_918_4e-2,
        2.417_807_251_774_506_1e-1,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691_4,
        4.630_337_846_156_545_3,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345_0e-4,
        1.519_866_656_361_645_7e-2,
        1.481_039_764_274_800_8e-1,
        6.897_673_349_851_000_0e-1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_758_8,
        1.0,
    ],
];
const TAIL: [[f64; 8]; 2] = [
    [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        1.242_660_947_388_078_4e-3,
        2.653_218_952_657_612_4e-2,
        2.965_605_718_285_048_9e-1,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114_4,
        6.657_904_643_501_103_8,
    ],
    [
        2.044_263_103_389_939_8e-15,
        1.421_511_758_316_446_0e-7,
        1.846_318_317_510_054_7e-5,
        7.868_691_311_456_132_6e-4,
        1.487_536_129_085_061_5e-2,
        1.369_298_809_227_358_1e-1,
        5.998_322_065_558_879_4e-1,
        1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::{quantile, truncated};

    fn is_near(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-13 * expected.abs()
    }

    /// `scipy.stats.norm.ppf` of SciPy 1.17.1.
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (p, expected) in [
            (1e-300, -37.0470962993612),
            (1e-100, -21.273453560965322),
            (1e-20, -9.262340089798409),
            (1e-10, -6.361340902404056),
            (1e-5, -4.264890793922825),
            (0.001, -3.090232306167813),
            (0.0749, -1.4402382675279635),
            (0.075, -1.4395314709384563),
            (0.0751, -1.4388253927525403),
            (0.1, -1.2815515655446004),
            (0.25, -0.6744897501960817),
            (0.4999, -0.0002506628300880075),
            (0.5, 0.0),
            (0.6, 0.2533471031357997),
            (0.9, 1.2815515655446004),
            (0.925, 1.4395314709384563),
            (0.9251, 1.4402382675279635),
            (0.99, 2.3263478740408408),
            (0.9999, 3.719016485455709),
            (1.0 - 2_f64.powi(-40), 7.047700256664409),
        ] {
            assert!(is_near(quantile(p), expected), "{p}: {} {expected}", quantile(p));
        }
    }

    /// `scipy.stats.truncnorm.ppf` of SciPy 1.17.1.
    #[test]
    fn truncated_quantiles_are_those_of_scipy() {
        for (ends, u, expected) in [
            ([-1.0, 2.0], 0.3, -0.2424038178892269),
            ([3.0, 5.0], 0.25, 3.0865424399832246),
            ([8.0, 9.0], 0.5, 8.08488889901817),
            ([30.0, 31.0], 0.9, 30.076570337034926),
            ([-12.0, -9.0], 0.01, -9.492426533329011),
            ([-0.1, 0.1], 0.7, 0.03994405264409235),
            ([0.5, 40.0], 0.999, 3.4239960945999397),
        ] {
            let found = truncated(ends, u);
            assert!(
                (found - expected).abs() <= 1e-11 * expected.abs(),
                "{ends:?}: {found} {expected}"
            );
        }
    }
}
