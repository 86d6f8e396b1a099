//! Curves through points: linear, cubic, and monotone cubic.
//!
//! A cubic through two points with given slopes (Hermite) is evaluated between neighbouring points. A slope is
//! the slope of the polynomial through the five nearest points (Lagrange). For a monotone curve they are then limited to
//! three times the smaller neighbouring difference quotient, and to 0 where these have different signs, so that the
//! curve rises, falls and has extrema where the points do. Source of the limits: F. N. Fritsch and R. E. Carlson, "Monotone piecewise cubic
//! interpolation", SIAM J. Numer. Anal. 17(2), 1980, 238–246, section 4.

use simhost_sdk::Choice;

/// Number of points whose polynomial determines a slope.
const STENCIL: usize = 5;
/// Halvings of the interval of an inverse, which leave less than the precision of its width.
const HALVINGS: usize = 52;

/// Curve between points.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Cubics that rise and fall only where the points do.
    #[default]
    #[param(key = "monotone")]
    Monotone,
    /// Cubics whose slopes are not limited.
    #[param(key = "cubic")]
    Cubic,
    /// Straight lines.
    #[param(key = "linear")]
    Linear,
}

/// Returns the slope at each of at least two points (x, y) with increasing x.
pub fn slopes(x: &[f64], y: &[f64], interpolation: Interpolation) -> Vec<f64> {
    let last = x.len() - 1;
    let quotient = |k: usize| (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
    let slope = |k: usize| {
        if interpolation == Interpolation::Linear {
            return quotient(k.min(last - 1));
        }
        let count = x.len().min(STENCIL);
        let first = k.saturating_sub(STENCIL / 2).min(x.len() - count);
        let near = first..first + count;
        let slope = polynomial_slope(&x[near.clone()], &y[near], k - first);
        if interpolation == Interpolation::Cubic {
            return slope;
        }
        limited(slope, [quotient(k.saturating_sub(1)), quotient(k.min(last - 1))])
    };
    (0..=last).map(slope).collect()
}

/// Returns the slope of the polynomial through some points at the point `at`.
fn polynomial_slope(x: &[f64], y: &[f64], at: usize) -> f64 {
    let mut slope = 0.0;
    for (k, value) in y.iter().enumerate().filter(|(k, _)| *k != at) {
        let others = (0..x.len()).filter(|other| *other != k && *other != at);
        let basis =
            others.fold(1.0, |product, other| product * (x[at] - x[other]) / (x[k] - x[other]));
        slope += (value - y[at]) * basis / (x[k] - x[at]);
    }
    slope
}

/// Limits a slope so that the cubics on both sides are monotone.
fn limited(slope: f64, [before, after]: [f64; 2]) -> f64 {
    if before * after <= 0.0 || slope * before <= 0.0 {
        return 0.0;
    }
    let bound = 3.0 * before.abs().min(after.abs());
    slope.clamp(-bound, bound)
}

/// An interval of an axis and the weights with which values and slopes at its ends enter a cubic at a point.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Index of the first end.
    pub interval: usize,
    /// Weights of both values and of both slopes in the value of the curve.
    pub value: [f64; 4],
    /// Weights in the slope of the curve.
    pub slope: [f64; 4],
    /// Distance of the point from the end of the axis, if it is outside; the curve continues as a straight line.
    pub beyond: f64,
}

impl Weights {
    /// Returns the weights at a point of an axis with at least two increasing positions.
    #[inline(always)]
    pub fn new(axis: &[f64], at: f64, is_linear: bool) -> Self {
        let last = axis.len() - 1;
        let inside = if at < axis[0] { axis[0] } else { at };
        let inside = if inside > axis[last] { axis[last] } else { inside };
        let mut interval = 0;
        while interval + 2 <= last && axis[interval + 1] <= inside {
            interval += 1;
        }
        let width = axis[interval + 1] - axis[interval];
        let per_width = 1.0 / width;
        let u = (inside - axis[interval]) * per_width;
        let (value, slope) = if is_linear {
            ([1.0 - u, u, 0.0, 0.0], [-per_width, per_width, 0.0, 0.0])
        } else {
            let v = 1.0 - u;
            let bend = 6.0 * u * v * per_width;
            (
                [
                    v * v * (1.0 + 2.0 * u),
                    u * u * (1.0 + 2.0 * v),
                    width * u * v * v,
                    -width * u * u * v,
                ],
                [-bend, bend, v * (1.0 - 3.0 * u), u * (1.0 - 3.0 * v)],
            )
        };
        Self { interval, value, slope, beyond: at - inside }
    }
}

/// A curve through points, which continues beyond them as a straight line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    slopes: Vec<f64>,
    is_linear: bool,
}

impl Curve {
    /// Creates a curve through at least two points with increasing x.
    pub fn new(x: Vec<f64>, y: Vec<f64>, interpolation: Interpolation) -> Self {
        let slopes = slopes(&x, &y, interpolation);
        Self { x, y, slopes, is_linear: interpolation == Interpolation::Linear }
    }

    /// Returns value and slope.
    #[inline(always)]
    pub fn at(&self, x: f64) -> [f64; 2] {
        let Weights { interval: k, value, slope, beyond } =
            Weights::new(&self.x, x, self.is_linear);
        let terms = [self.y[k], self.y[k + 1], self.slopes[k], self.slopes[k + 1]];
        let sum = |weights: &[f64; 4]| {
            weights[0] * terms[0]
                + weights[1] * terms[1]
                + weights[2] * terms[2]
                + weights[3] * terms[3]
        };
        let slope = sum(&slope);
        [sum(&value) + slope * beyond, slope]
    }

    /// Returns the integral of the curve from 0 to x.
    pub fn integral(&self, x: f64) -> f64 {
        let [least, most] = if x < 0.0 { [x, 0.0] } else { [0.0, x] };
        let inside = self.x.iter().copied().filter(|knot| least < *knot && *knot < most);
        let (mut from, mut total) = (least, 0.0);
        for to in inside.chain([most]) {
            // Simpson's rule is exact for cubics
            let ends = self.at(from)[0] + self.at(to)[0];
            total += (to - from) / 6.0 * (ends + 4.0 * self.at(0.5 * (from + to))[0]);
            from = to;
        }
        if x < 0.0 { -total } else { total }
    }

    /// Returns the x of a value of a curve that increases everywhere.
    pub fn inverse(&self, value: f64) -> f64 {
        let last = self.x.len() - 1;
        for end in [0, last] {
            if (end == 0 && value < self.y[0]) || (end == last && value > self.y[last]) {
                return self.x[end] + (value - self.y[end]) / self.slopes[end];
            }
        }
        let (mut least, mut most) = (self.x[0], self.x[last]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (least + most);
            if self.at(middle)[0] < value { least = middle } else { most = middle }
        }
        0.5 * (least + most)
    }
}

#[cfg(test)]
mod tests;
