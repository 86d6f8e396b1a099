//! Time stamps.

use std::fmt;

/// Simulated time since the start of the world, in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(pub u64);

impl Stamp {
    /// Returns the time after `steps` steps of `dt` seconds: steps · dt · 10⁹, rounded to the nearest
    /// whole number.
    ///
    /// ```
    /// # use simhost_streams::Stamp;
    /// assert_eq!(Stamp::of_step(30, 1.0 / 30.0), Stamp(1_000_000_000));
    /// ```
    pub fn of_step(steps: u64, dt: f64) -> Self {
        // in whole numbers if the rate or the step is one, as written by people
        let rate = (1.0 / dt).round();
        if rate >= 1.0 && (1.0 / dt - rate).abs() < 1e-9 * rate {
            let (product, rate) = (u128::from(steps) * 1_000_000_000, rate as u128);
            return Self(u64::try_from((product + rate / 2) / rate).unwrap_or(u64::MAX));
        }
        // the product of large factors would round to a multiple of more than one nanosecond
        let whole = (dt * 1e9).floor();
        let rest = dt * 1e9 - whole;
        let whole = steps.saturating_mul(whole as u64);
        Self(whole.saturating_add((steps as f64 * rest).round() as u64))
    }

    /// Returns the whole seconds and the nanoseconds after them.
    pub const fn parts(self) -> (u64, u32) {
        (self.0 / 1_000_000_000, (self.0 % 1_000_000_000) as u32)
    }

    /// Returns the time in seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanoseconds) = self.parts();
        write!(f, "{seconds}.{nanoseconds:09}")
    }
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn stamps_are_exact_to_the_nanosecond() {
        assert_eq!(Stamp::of_step(1, 0.001), Stamp(1_000_000));
        assert_eq!(Stamp::of_step(1, 1.0 / 30.0), Stamp(33_333_333));
        assert_eq!(Stamp::of_step(2, 1.0 / 30.0), Stamp(66_666_667));
        assert_eq!(Stamp::of_step(31_536_000_000, 0.001), Stamp(31_536_000_000_000_000));
        // a year and a day at 7 Hz
        let steps = 7 * 86_400 * 366;
        assert_eq!(Stamp::of_step(steps, 1.0 / 7.0), Stamp(86_400 * 366 * 1_000_000_000));
        assert_eq!(Stamp::of_step(10_000_000_000, 0.3), Stamp(3_000_000_000_000_000_000));
        assert_eq!(Stamp::of_step(5, 0.0), Stamp(0));
        assert_eq!(Stamp::of_step(u64::MAX, 1e3), Stamp(u64::MAX));
        assert_eq!(Stamp::of_step(1, 1e-300), Stamp(0));
        assert_eq!(Stamp(1_000_000_001).to_string(), "1.000000001");
    }
}
