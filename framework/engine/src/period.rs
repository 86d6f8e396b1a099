//! Events at whole multiples of a period.

use crate::clock::Clock;

/// Tolerance by which a time can be short of a multiple, s.
const TOLERANCE: f64 = 1e-9;

/// Events at whole multiples of a period of simulated time.
#[derive(Clone, Copy, Debug)]
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

    /// Returns the number of steps, at least 1, after which the next multiple is due.
    pub fn steps_to_due(&self, clock: Clock) -> u64 {
        let target = self.next as f64 * self.period - TOLERANCE;
        let is_due = |steps: u64| Clock { steps: clock.steps + steps, ..clock }.time() >= target;
        let mut steps = ((target - clock.time()) / clock.dt).ceil().max(1.0) as u64;
        // the division is not exact
        while steps > 1 && is_due(steps - 1) {
            steps -= 1;
        }
        while !is_due(steps) {
            steps += 1;
        }
        steps
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

    #[test]
    fn the_next_multiple_is_as_many_steps_away_as_it_takes() {
        for period in [0.3, 0.25, 0.05, 1.0 / 3.0, 0.1, 2.0] {
            let all = met(&mut Period::new(period), 0..=100);
            for from in 0..70 {
                let clock = Clock { steps: from, dt: 0.1 };
                let steps = Period::after(period, clock).steps_to_due(clock);
                let next = all.iter().find(|step| **step > from).expect("a later multiple");
                assert_eq!(from + steps, *next, "{period} from {from}");
            }
        }
    }
}
