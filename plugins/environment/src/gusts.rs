//! Gusty wind: a mean velocity with random deviations along and across it.
//!
//! Each deviation is an Ornstein-Uhlenbeck process, dx = −x/τ dt + σ √(2/τ) dW (Uhlenbeck and
//! Ornstein, "On the theory of the Brownian motion", Physical Review 36, 1930). Its spectrum is the
//! spectrum of the longitudinal turbulence of Dryden (MIL-F-8785C, 3.7.1.2) with τ = L/V for a
//! turbulence of length L at speed V. The update is exact for steps of any length (Gillespie,
//! "Exact numerical simulation of the Ornstein-Uhlenbeck process and its integral", Physical Review
//! E 54, 1996, equation 1.9a): x(t + Δt) = x(t) e^(−Δt/τ) + σ √(1 − e^(−2Δt/τ)) n with a normally
//! distributed n.
//!
//! Simplification: the air moves the same everywhere, so that two vehicles meet a gust at the same time.

use simhost_sdk::prelude::*;

/// Wind with random gusts, the same everywhere.
#[derive(Params)]
pub struct Gusts {
    /// Mean speed of the air. A larger value pushes vehicles with aerodynamic forces more.
    #[param(default = 8.0, range = 0.0..=200.0, unit = "m/s")]
    speed: f64,
    /// Direction in which the air moves on average, counter-clockwise from the world x axis.
    #[param(default = 0.0, range = -360.0..=360.0, unit = "deg", scale = math::DEG)]
    direction: f64,
    /// Standard deviation of the velocity along and across the mean direction. A larger value makes
    /// gusts stronger.
    #[param(default = 2.0, range = 0.0..=100.0, unit = "m/s")]
    deviation: f64,
    /// Time within which a gust fades to 37 %. A larger value makes gusts last longer.
    #[param(default = 2.0, above = 0.0, unit = "s")]
    time_constant: f64,
}

/// Deviations from the mean velocity.
#[derive(State)]
pub struct Deviations {
    /// Velocity of the air beyond the mean, along the mean direction.
    #[state(unit = "m/s", initial = 0.0, discrete)]
    along: f64,
    /// Velocity of the air to the left of the mean direction.
    #[state(unit = "m/s", initial = 0.0, discrete)]
    across: f64,
}

#[model]
impl Environment for Gusts {
    const RANDOM: bool = true;

    fn update(&self, step: &Step, state: &mut Deviations) {
        let mut random = step.random();
        let kept = math::exp(-step.dt / self.time_constant);
        let scale = self.deviation * (1.0 - kept * kept).sqrt();
        state.along = kept * state.along + scale * random.normal();
        state.across = kept * state.across + scale * random.normal();
    }

    fn wind(&self, _: [f64; 3], _: &Step, state: &Deviations) -> [f64; 3] {
        let (sin, cos) = math::sin_cos(self.direction);
        let (along, across) = (self.speed + state.along, state.across);
        [along * cos - across * sin, along * sin + across * cos, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::{Deviations, Gusts};
    use simhost_sdk::prelude::*;
    use simhost_sdk::testing;

    /// Returns mean, variance and the correlation of values one time constant apart, for a time constant
    /// of so many steps.
    fn moments(steps: usize) -> [f64; 3] {
        let time_constant = testing::step().dt * steps as f64;
        let gusts: Gusts =
            testing::environment(&[("deviation", 3.0), ("time_constant", time_constant)]);
        let mut state = Deviations { along: 0.0, across: 0.0 };
        let values: Vec<f64> = (0..40_000_u64)
            .map(|number| {
                gusts.update(&testing::drawing_step(number), &mut state);
                state.along
            })
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let average = mean(&values);
        let squares: Vec<f64> = values.iter().map(|v| (v - average) * (v - average)).collect();
        let pairs = values.iter().zip(&values[steps..]);
        let products: Vec<f64> = pairs.map(|(a, b)| (a - average) * (b - average)).collect();
        [average, mean(&squares), mean(&products) / mean(&squares)]
    }

    #[test]
    fn variance_and_correlation_do_not_depend_on_the_step() {
        for steps in [2, 10] {
            let [mean, variance, correlation] = moments(steps);
            assert!(mean.abs() < 0.3, "{mean}");
            assert!((variance - 9.0).abs() < 0.9, "{variance}");
            assert!((correlation - (-1.0_f64).exp()).abs() < 0.05, "{correlation}");
        }
    }
}
