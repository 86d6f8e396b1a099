//! Closed solutions of actuators over time.

use simhost_sdk::prelude::*;

/// A quantity that follows its target with a first-order lag, a limit of its rate and a dead band:
/// ẋ = sat(−e/τ, rate), where e is the distance to the target beyond the dead band.
#[derive(Clone, Copy, Debug)]
pub struct Lag {
    /// Target.
    pub target: f64,
    /// Time constant, s.
    pub time_constant: f64,
    /// Largest rate, per second.
    pub rate: f64,
    /// Distance to the target within which the quantity rests.
    pub dead_band: f64,
}

impl Lag {
    /// Returns the quantity `time` seconds after it was `from`. It moves at the largest rate first,
    /// and exponentially from the distance rate·τ on.
    pub fn after(&self, from: f64, time: f64) -> f64 {
        let error = from - self.target;
        let distance = error.abs() - self.dead_band;
        if distance <= 0.0 || self.rate <= 0.0 || time <= 0.0 {
            return from;
        }
        let knee = self.rate * self.time_constant;
        let linear = ((distance - knee) / self.rate).max(0.0);
        let rest = if time <= linear {
            distance - self.rate * time
        } else {
            distance.min(knee) * math::exp(-(time - linear) / self.time_constant)
        };
        self.target + error.signum() * (rest + self.dead_band)
    }

    /// Returns the rate of the source at `at`, where the quantity is measured.
    pub fn rate_at(&self, at: f64) -> f64 {
        let error = at - self.target;
        let error = if error > self.dead_band {
            error - self.dead_band
        } else if error < -self.dead_band {
            error + self.dead_band
        } else {
            0.0
        };
        math::limit(-error / self.time_constant, self.rate)
    }
}

/// An acceleration that follows its target with a first-order lag, and the speed that it causes.
#[derive(Clone, Copy, Debug)]
pub struct Acceleration {
    /// Acceleration at the start, m/s².
    pub from: f64,
    /// Target, m/s².
    pub target: f64,
    /// Time constant, s.
    pub time_constant: f64,
    /// Largest acceleration, m/s².
    pub largest: f64,
}

impl Acceleration {
    fn start(&self) -> f64 {
        math::limit(self.from, self.largest)
    }

    /// Returns the acceleration after a time, m/s².
    pub fn after(&self, time: f64) -> f64 {
        self.target + (self.start() - self.target) * math::exp(-time / self.time_constant)
    }

    /// Returns the change of speed after a time, m/s.
    pub fn speed_gain(&self, time: f64) -> f64 {
        let share = 1.0 - math::exp(-time / self.time_constant);
        self.target * time + (self.start() - self.target) * self.time_constant * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lag_solves_its_equation() {
        let lag = Lag { target: 0.2, time_constant: 0.27, rate: 0.5, dead_band: 0.05 };
        for from in [-1.0, 0.0, 0.17, 0.3, 2.0] {
            let (mut state, h) = (from, 1e-5);
            for _ in 0..40_000 {
                let half = state + 0.5 * h * lag.rate_at(state);
                state += h * lag.rate_at(half);
            }
            assert!((state - lag.after(from, 0.4)).abs() < 1e-6, "{from}");
            let two = lag.after(lag.after(from, 0.15), 0.25);
            assert!((two - lag.after(from, 0.4)).abs() < 1e-12, "{from}");
        }
    }

    #[test]
    fn a_lag_reaches_63_per_cent_after_its_time_constant() {
        let lag = Lag { target: 1.0, time_constant: 0.27, rate: 9.0, dead_band: 0.0 };
        assert!((lag.after(0.0, 0.27) - (1.0 - (-1f64).exp())).abs() < 1e-12);
        let a = Acceleration { from: 0.0, target: 2.0, time_constant: 0.1, largest: 7.0 };
        assert!((a.after(0.1) / 2.0 - 0.632_120_558_828_557_7).abs() < 1e-12);
        let sum: f64 = (0..1000).map(|k| a.after((f64::from(k) + 0.5) * 1e-3) * 1e-3).sum();
        assert!((sum - a.speed_gain(1.0)).abs() < 1e-6);
    }
}
