//! Simulated time, counted in steps so that it does not drift.

/// Simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Number of completed steps.
    pub steps: u64,
    /// Length of a step, s.
    pub dt: f64,
}

impl Clock {
    /// Returns the clock of substep `part` when a step is divided into `parts` equal substeps.
    pub(crate) fn substep(self, part: u32, parts: u32) -> Self {
        let count = u64::from(parts);
        Self { steps: self.steps * count + u64::from(part), dt: self.dt / f64::from(parts) }
    }

    /// Returns the time after the completed steps, s.
    pub fn time(&self) -> f64 {
        // a step given in decimals is reached more exactly by a division: 3 · 0.1 is not 0.3, 3 / 10 is
        let per_second = (1.0 / self.dt).round();
        if ((1.0 / self.dt) - per_second).abs() < 1e-9 * per_second {
            self.steps as f64 / per_second
        } else {
            self.steps as f64 * self.dt
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn decimal_steps_give_decimal_times() {
        assert_eq!(Clock { steps: 3, dt: 0.1 }.time(), 0.3);
        assert_eq!(Clock { steps: 1001, dt: 0.001 }.time(), 1.001);
        assert_eq!(Clock { steps: 2, dt: 0.3 }.time(), 0.6);
    }
}
