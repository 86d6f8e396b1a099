//! Simulated time, counted in steps so that it does not drift.

use crate::live_state::live_state;

/// Simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Number of completed steps.
    pub steps: u64,
    /// Length of a step, s.
    pub dt: f64,
}

live_state! { Clock { state { steps } world { dt } } }

/// Adding this number and subtracting it rounds numbers up to 2⁵¹ to integers.
const ROUND: f64 = 6_755_399_441_055_744.0;

impl Clock {
    /// Returns the clock of substep `part` when a step is divided into `parts` equal substeps.
    pub(crate) fn substep(self, part: u32, parts: u32) -> Self {
        let count = u64::from(parts);
        Self { steps: self.steps * count + u64::from(part), dt: self.dt / f64::from(parts) }
    }

    /// Returns the time after the completed steps, s.
    pub fn time(&self) -> f64 {
        // a step given in decimals is reached more exactly by a division: 3 · 0.1 is not 0.3, 3 / 10 is
        let steps_per_second = 1.0 / self.dt;
        // as `round`, which is a call, but for halves, which are not near a whole number anyway
        let per_second = (steps_per_second + ROUND) - ROUND;
        if (steps_per_second - per_second).abs() < 1e-9 * per_second {
            self.steps as f64 / per_second
        } else {
            self.steps as f64 * self.dt
        }
    }

    /// Returns the number of the last step that ends at `time` or before, and whether it ends at `time`.
    ///
    /// Both are exact to the rounding of decimal numbers: 0.3 s are 3 steps of 0.1 s.
    pub fn last_step(&self, time: f64) -> (u64, bool) {
        let steps = time / self.dt;
        let whole = steps.round();
        let rounding = 1e-9 + 4.0 * f64::EPSILON * steps.abs();
        match (steps - whole).abs() <= rounding {
            true => (whole as u64, true),
            false => (steps.floor() as u64, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn the_last_step_ends_at_a_time_or_before() {
        let last = |dt: f64, time: f64| Clock { steps: 0, dt }.last_step(time);
        assert_eq!(last(0.1, 0.3), (3, true));
        assert_eq!(last(1.0 / 30.0, 1.0), (30, true));
        assert_eq!(last(0.3, 1.0), (3, false));
        assert_eq!(last(0.01, 0.005), (0, false));
        assert_eq!(last(0.001, 1e8), (100_000_000_000, true));
    }

    #[test]
    fn decimal_steps_give_decimal_times() {
        assert_eq!(Clock { steps: 3, dt: 0.1 }.time(), 0.3);
        assert_eq!(Clock { steps: 1001, dt: 0.001 }.time(), 1.001);
        assert_eq!(Clock { steps: 2, dt: 0.3 }.time(), 0.6);
    }
}
