//! From bearings to the rays of a fan.
//!
//! Bearings select rays and never reach a result, so they are approximate: every selection is widened by
//! a guard that exceeds all errors. Exact arithmetic then decides about each selected ray.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Bound of the error of [`bearing`] and of the rounding of angles below one turn, rad.
const GUARD: f64 = 1e-6;
/// Largest angle for which the rounding of angles is small, rad.
const LARGEST: f64 = 1e6;
/// Smallest mean distance of neighbouring rays that is not taken as zero, rad.
const SMALLEST_SPACING: f64 = 1e-9;

/// Largest guard of a fine fan, in rays.
const FINE: f64 = 0.25;

/// Returns the bearing of the point (`x`, `y`) in −π … π, rad, with an error below 1e-7 (Abramowitz and
/// Stegun 1964, 4.4.49). The bearing of the origin is 0.
#[inline(always)]
pub(crate) fn bearing(x: f64, y: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        0.002_866_225_7,
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_640_0,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
    ];
    let (width, height) = (x.abs(), y.abs());
    let steep = height > width;
    let (small, large) = if steep { (width, height) } else { (height, width) };
    let slope = small / if large > f64::MIN_POSITIVE { large } else { f64::MIN_POSITIVE };
    let square = slope * slope;
    let mut series = 0.0;
    for coefficient in COEFFICIENTS {
        series = (series + coefficient) * square;
    }
    let acute = slope + slope * series;
    let acute = if steep { FRAC_PI_2 - acute } else { acute };
    (if x < 0.0 { PI - acute } else { acute }).copysign(y)
}

/// An interval of fractional ray numbers, widened by the guard. Ray `i` also has the numbers
/// `i` + k·[`RayIndex::period`]; the upper end lies within the first period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    /// Lower end; −∞ if any ray may be meant.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of all rays.
    pub const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// How the angles of a fan are distributed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread {
    /// First and last angle, rad.
    first: f64,
    last: f64,
    /// Mean distance of neighbouring angles, rad.
    spacing: f64,
    /// Largest deviation from the line through the first and the last angle, rad; infinite or NaN if an angle is.
    deviation: f64,
}

impl Spread {
    /// Returns the distribution of some angles, rad.
    #[inline(always)]
    pub fn new(angles: &[f64]) -> Self {
        let (Some(&first), Some(&last)) = (angles.first(), angles.last()) else {
            return Self::default();
        };
        let spacing = (last - first) / (angles.len().max(2) - 1) as f64;
        Self { first, last, spacing, deviation: deviation(angles, first, spacing) }
    }
}

/// Returns the largest deviation of angles from `first` plus multiples of `spacing`, rad; infinite or NaN if an angle is.
#[inline(always)]
fn deviation(angles: &[f64], first: f64, spacing: f64) -> f64 {
    // two vectors of AVX-512, whose sums do not wait for each other
    let (mut number, mut largest, mut sum) = ([0.0f64; 16], [0.0f64; 16], [0.0f64; 16]);
    for (i, number) in number.iter_mut().enumerate() {
        *number = i as f64;
    }
    let (tiles, rest) = angles.as_chunks::<16>();
    for tile in tiles {
        for i in 0..16 {
            let off = (tile[i] - (first + number[i] * spacing)).abs();
            largest[i] = if off > largest[i] { off } else { largest[i] };
            sum[i] += off;
            number[i] += 16.0;
        }
    }
    for (i, angle) in rest.iter().enumerate() {
        let off = (angle - (first + number[i] * spacing)).abs();
        largest[i] = if off > largest[i] { off } else { largest[i] };
        sum[i] += off;
    }
    // zero times a finite number is zero
    largest.iter().copied().fold(0.0, f64::max) + sum.iter().sum::<f64>() * 0.0
}

/// Maps bearings to ray numbers by the line through the first and the last ray. The largest deviation
/// from that line widens the guard, so that noise on the angles costs little, and a fan without order
/// selects all rays.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RayIndex {
    /// Number of rays.
    pub rays: usize,
    /// Bearing of ray 0, rad.
    start: f64,
    /// Rays per radian, negative for a fan that turns clockwise.
    pub per_radian: f64,
    /// Rays per turn.
    pub period: f64,
    /// Turns per ray.
    turn: f64,
    /// Half of the width by which intervals are widened, in rays.
    pub guard: f64,
}

impl RayIndex {
    /// Creates the map for a fan with this heading, rad, and a number of rays whose angles are so distributed.
    #[inline(always)]
    pub fn new(yaw: f64, rays: usize, spread: &Spread) -> Self {
        let all = Self {
            rays,
            start: 0.0,
            per_radian: 1.0,
            period: TAU,
            turn: 1.0 / TAU,
            guard: f64::INFINITY,
        };
        let Spread { first, last, spacing, deviation } = *spread;
        let largest = yaw.abs() + first.abs().max(last.abs()) + deviation;
        let is_usable = largest <= LARGEST && spacing.abs() >= SMALLEST_SPACING;
        if !is_usable {
            return all;
        }
        let per_radian = 1.0 / spacing;
        let guard = GUARD + deviation + 16.0 * f64::EPSILON * largest;
        let start = yaw + first;
        Self {
            rays,
            start: start - (start / TAU).round() * TAU,
            per_radian,
            period: TAU * per_radian.abs(),
            turn: spacing.abs() / TAU,
            guard: guard * per_radian.abs() + 1e-6,
        }
    }

    /// Returns whether the guard is a small part of the spacing of rays, and the fan turns by little more than a turn at
    /// most.
    #[inline(always)]
    pub fn is_fine(&self) -> bool {
        self.guard <= FINE && self.period > 4.0 && (self.rays as f64) < 1.25 * self.period
    }

    /// Returns the first and the last ray of both runs of rays in an interval of less than 0.7 periods, for a fine fan. The
    /// first ray of an empty run comes after the last one.
    #[inline(always)]
    pub fn two_runs(&self, Interval { low, high }: Interval) -> [[f64; 2]; 2] {
        let last = self.rays as f64 - 1.0;
        let from = if low > 0.0 { low.ceil() } else { 0.0 };
        let to = if high < last { high.floor() } else { last };
        let (low, high) = (low + self.period, high + self.period);
        [[from, to], [low.ceil(), if high < last { high.floor() } else { last }]]
    }

    /// Returns the fractional ray number of a bearing in rad.
    #[inline(always)]
    pub fn number(&self, bearing: f64) -> f64 {
        (bearing - self.start) * self.per_radian
    }

    /// Returns the interval from one bearing counter-clockwise to another, rad, over less than a half
    /// turn.
    #[inline(always)]
    pub fn between(&self, from: f64, to: f64) -> Interval {
        let turned = to - from;
        // rounding can make an empty interval slightly negative
        let width = if turned < -1.0 { turned + TAU } else { turned };
        let (start, width) = (self.number(from), width * self.per_radian);
        let (low, high) = if width < 0.0 { (start + width, start) } else { (start, start + width) };
        self.guarded(low, high)
    }

    /// Returns the interval between two ray numbers, widened by the guard.
    #[inline(always)]
    pub fn guarded(&self, low: f64, high: f64) -> Interval {
        let (low, high) = (low - self.guard, high + self.guard);
        let shift = (high * self.turn).floor() * self.period;
        Interval { low: low - shift, high: high - shift }
    }

    /// Returns whether an interval has rays, or may have some.
    #[inline(always)]
    pub fn can_meet(&self, Interval { low, high }: Interval) -> bool {
        let (last, period) = (self.rays as f64 - 1.0, self.period);
        let holds = |low: f64, high: f64| {
            let low = if low > 0.0 { low } else { 0.0 };
            let high = if high < last { high } else { last };
            low.ceil() <= high.floor()
        };
        let is_part = high - low < period;
        // without branches, so that several intervals are looked at together
        !is_part
            | holds(low, high)
            | holds(low + period, high + period)
            | (low + 2.0 * period <= last)
    }

    /// Returns the runs of rays in an interval.
    #[inline(always)]
    pub fn runs(&self, interval: Interval) -> Runs {
        let Interval { low, high } = interval;
        let last = self.rays as f64 - 1.0;
        // false for NaN, which selects all rays
        let is_part = high - low < self.period;
        if is_part {
            Runs { low, high, last, shift: 0.0, period: self.period }
        } else {
            Runs { low: 0.0, high: last, last, shift: 0.0, period: f64::INFINITY }
        }
    }
}

/// Returns the number of a ray as an integer.
///
/// # Safety
/// The number is a whole number from 0 to the last ray.
#[inline(always)]
pub(crate) unsafe fn ray_of(number: f64) -> usize {
    debug_assert!((0.0..1e15).contains(&number), "{number} is not the number of a ray");
    // SAFETY: the number of a ray is much smaller than the largest integer.
    (unsafe { number.to_int_unchecked::<i64>() }) as usize
}

/// The first and the last ray of each run of rays in an interval, and the number by which the interval
/// was shifted to meet them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    low: f64,
    high: f64,
    last: f64,
    shift: f64,
    period: f64,
}

impl Iterator for Runs {
    type Item = (usize, usize, f64);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while self.low + self.shift <= self.last {
            let shift = self.shift;
            let from = (self.low + shift).ceil().max(0.0);
            let to = (self.high + shift).floor().min(self.last);
            self.shift += self.period;
            if from <= to {
                // SAFETY: both are whole numbers from 0 to the last ray.
                return Some(unsafe { (ray_of(from), ray_of(to), shift) });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bearings_are_as_accurate_as_the_guard_assumes() {
        for i in 0..100_000 {
            let (sin, cos) = libm::sincos(f64::from(i) * 1e-3);
            for length in [1e-200, 1.0, 1e9] {
                let (x, y) = (length * cos, length * sin);
                let error = (bearing(x, y) - libm::atan2(y, x)).abs();
                assert!(error < 1e-7, "{x} {y}: {error}");
            }
        }
        assert_eq!(bearing(0.0, 0.0), 0.0);
    }

    /// Every ray whose bearing lies between two others is selected.
    #[test]
    fn intervals_contain_the_rays_between_two_bearings() {
        let even: Vec<f64> = (0..91).map(|i| f64::from(i) * 0.07 - 3.15).collect();
        let reversed = even.iter().map(|angle| -angle).collect();
        let wide: Vec<f64> = even.iter().map(|angle| 2.5 * angle).collect();
        let noisy = even.iter().map(|angle| angle + 0.05 * libm::sin(1e4 * angle)).collect();
        for angles in [even.clone(), reversed, wide, noisy, even[..1].to_vec()] {
            for yaw in [0.0, 2.0, -90.0] {
                let index = RayIndex::new(yaw, angles.len(), &Spread::new(&angles));
                for (from, width) in
                    (0..200).map(|i| (f64::from(i) * 0.031 - 3.1, 0.013 * f64::from(i)))
                {
                    let to = bearing(libm::cos(from + width), libm::sin(from + width));
                    let mut selected = vec![false; angles.len()];
                    for (from, to, _) in index.runs(index.between(from, to)) {
                        selected[from..=to].fill(true);
                    }
                    for (angle, selected) in angles.iter().zip(selected) {
                        let turned = (yaw + angle - from).rem_euclid(TAU);
                        assert!(selected || turned > width, "{yaw} {angle} from {from} by {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn angles_without_order_select_all_rays() {
        for angles in [vec![0.0, f64::NAN, 0.1], vec![0.0, 3.0, -3.0, 0.1], vec![0.5; 3]] {
            let index = RayIndex::new(0.0, angles.len(), &Spread::new(&angles));
            let found: Vec<_> = index.runs(index.between(1.0, 1.1)).collect();
            assert_eq!(found, [(0, angles.len() - 1, 0.0)], "{angles:?}");
        }
    }
}
