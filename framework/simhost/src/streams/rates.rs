//! Rates of steering.
//!
//! Models set steering angles and compute no rates, so the rate is the mean since an earlier sample.

use simhost_engine::Clock;

/// Angles in the last two samples of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeanRates {
    /// Place of the first angle in a sample.
    first: usize,
    /// Angles, rad.
    angles: Vec<f64>,
    /// Mean rates between the samples, rad/s; 0 if there is only one.
    rates: Vec<f64>,
    /// Number of completed steps at the last sample.
    steps: Option<u64>,
}

impl MeanRates {
    /// Creates the state of a number of angles before the first sample.
    pub fn new(first: usize, count: usize) -> Self {
        Self { first, angles: vec![0.0; count], rates: vec![0.0; count], steps: None }
    }

    /// Appends the rates to the numbers of a sample.
    pub fn complete(&mut self, clock: Clock, numbers: &mut Vec<f64>) {
        let angles = &numbers[self.first..self.first + self.angles.len()];
        let passed = self.steps.map_or(0, |steps| clock.steps.saturating_sub(steps));
        if passed > 0 {
            let time = passed as f64 * clock.dt;
            let changes =
                angles.iter().zip(&self.angles).map(|(now, before)| (now - before) / time);
            self.rates.iter_mut().zip(changes).for_each(|(rate, change)| *rate = change);
        } else if self.steps != Some(clock.steps) {
            // the first sample, or time has gone back
            self.rates.fill(0.0);
        }
        self.angles.copy_from_slice(angles);
        self.steps = Some(clock.steps);
        numbers.extend_from_slice(&self.rates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_means_since_the_sample_before() {
        let mut rates = MeanRates::new(1, 1);
        let mut rate = |steps, angle| {
            let mut numbers = vec![5.0, angle, 6.0];
            rates.complete(Clock { steps, dt: 0.5 }, &mut numbers);
            assert_eq!(numbers[..3], [5.0, angle, 6.0]);
            numbers[3]
        };
        assert_eq!(rate(3, 0.25), 0.0);
        assert_eq!(rate(5, 0.75), 0.5);
        // the same state again
        assert_eq!(rate(5, 0.75), 0.5);
        assert_eq!(rate(6, 0.75), 0.0);
        assert_eq!(rate(1, 0.0), 0.0);
    }
}
