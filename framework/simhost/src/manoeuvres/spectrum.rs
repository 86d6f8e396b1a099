//! Gain, phase and coherence of two series by their transforms.

use std::f64::consts::TAU;

/// Sums of spectra in a band: of the input, of the output, and of both, as real and imaginary part.
#[derive(Clone, Copy, Default)]
pub(super) struct BandSums {
    input: f64,
    output: f64,
    cross: [f64; 2],
}

/// Returns the transform of a series at a frequency, Hz, as real and imaginary part.
fn transform(series: &[f64], dt: f64, frequency: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(TAU * frequency * dt);
    let (mut turn, mut sum) = ([1.0, 0.0], [0.0; 2]);
    for value in series {
        sum = [sum[0] + value * turn[0], sum[1] - value * turn[1]];
        turn = [turn[0] * cos - turn[1] * sin, turn[0] * sin + turn[1] * cos];
    }
    sum
}

/// Returns the sums over frequencies, Hz, of two series with `dt` s between their values.
pub(super) fn sums(input: &[f64], output: &[f64], dt: f64, frequencies: &[f64]) -> BandSums {
    let mut sums = BandSums::default();
    for frequency in frequencies {
        let ([a, b], [c, d]) =
            (transform(input, dt, *frequency), transform(output, dt, *frequency));
        sums.input += a * a + b * b;
        sums.output += c * c + d * d;
        sums.cross = [sums.cross[0] + a * c + b * d, sums.cross[1] + a * d - b * c];
    }
    sums
}

/// Returns gain and phase, rad, of an output over an input, by the sums over frequencies, Hz.
pub(super) fn transfer(input: &[f64], output: &[f64], dt: f64, frequencies: &[f64]) -> [f64; 2] {
    let [gain, phase, _] = estimate(&sums(input, output, dt, frequencies));
    [gain, phase]
}

/// Returns gain, phase, rad, and coherence.
pub(super) fn estimate(sums: &BandSums) -> [f64; 3] {
    let [re, im] = sums.cross;
    let square = re * re + im * im;
    [libm::sqrt(square) / sums.input, libm::atan2(im, re), square / (sums.input * sums.output)]
}
