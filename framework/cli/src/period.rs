//! Events at whole multiples of a period.

use simhost_engine::Clock;

/// Tolerance by which a time can be short of a multiple, s.
const TOLERANCE: f64 = 1e-9;

/// Events at whole multiples of a period of simulated time.
pub struct Period {
    period: f64,
    /// The next multiple that is due.
    next: u64,
}

impl Period {
    /// Creates events every `period` seconds, the first one at time 0.
    pub fn new(period: f64) -> Self {
        Self { period, next: 0 }
    }

    /// Creates events every `period` seconds, the first one after the time of `clock`.
    pub fn after(period: f64, clock: Clock) -> Self {
        let mut new = Self::new(period);
        new.pass(clock);
        new
    }

    /// Returns whether the time of `clock` is the first to reach the next multiple. A period shorter
    /// than the time step is due at every step.
    pub fn is_due(&mut self, clock: Clock) -> bool {
        if clock.time() < self.next as f64 * self.period - TOLERANCE {
            return false;
        }
        self.pass(clock);
        true
    }

    fn pass(&mut self, clock: Clock) {
        self.next = ((clock.time() + TOLERANCE) / self.period).floor() as u64 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(period: &mut Period, steps: std::ops::RangeInclusive<u64>) -> Vec<u64> {
        steps.filter(|&steps| period.is_due(Clock { steps, dt: 0.1 })).collect()
    }

    #[test]
    fn multiples_are_the_same_from_anywhere() {
        for period in [0.3, 0.25, 0.05, 1.0 / 3.0] {
            let all = met(&mut Period::new(period), 0..=40);
            for from in 0..20 {
                let mut later = Period::after(period, Clock { steps: from, dt: 0.1 });
                let rest: Vec<u64> = all.iter().copied().filter(|step| *step > from).collect();
                assert_eq!(met(&mut later, from + 1..=40), rest, "{period} from {from}");
            }
        }
    }
}
