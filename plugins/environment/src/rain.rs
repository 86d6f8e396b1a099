//! Rain: the ground becomes wet and slippery, in a circle or everywhere.
//!
//! The share of wet ground grows linearly while it rains, and the friction coefficient falls with
//! it from its value on dry ground to its value on wet ground.
//!
//! Simplification: the friction does not depend on the speed, so that no tyre floats on the water.

use simhost_sdk::prelude::*;

/// Makes the ground wet from a given time on, in a circle or everywhere.
#[derive(Params)]
pub struct Rain {
    /// Friction coefficient of wet ground. A smaller value makes vehicles slide more.
    #[param(default = 0.4, range = 0.0..=3.0, unit = "1")]
    mu: f64,
    /// Friction coefficient at the beginning of the rain. A larger value makes the friction drop
    /// more at the beginning.
    #[param(default = 0.8, range = 0.0..=3.0, unit = "1")]
    dry_mu: f64,
    /// Rolling resistance coefficient of wet ground; by default, the value of the friction model is
    /// unchanged.
    #[param(range = 0.0..=1.0, unit = "1")]
    c_rr: Option<f64>,
    /// Time at which it begins to rain. A larger value delays the rain.
    #[param(default = 0.0, range = 0.0..=1e9, unit = "s")]
    start: f64,
    /// Time at which the rain stops; by default, it does not stop.
    #[param(range = 0.0..=1e9, unit = "s")]
    end: Option<f64>,
    /// Time until the ground is wet. A larger value makes it slippery more slowly.
    #[param(default = 5.0, above = 0.0, unit = "s")]
    wetting: f64,
    /// Time until wet ground is dry again. A larger value keeps it slippery for longer.
    #[param(default = 60.0, above = 0.0, unit = "s")]
    drying: f64,
    /// Centre of the rain along the world x axis, with a radius.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    x: f64,
    /// Centre of the rain along the world y axis, with a radius.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    y: f64,
    /// Radius of the rain; by default, it rains everywhere. A larger value makes more of the ground
    /// wet.
    #[param(above = 0.0, unit = "m")]
    radius: Option<f64>,
}

/// The ground where it rains.
#[derive(State)]
pub struct Ground {
    /// Share of the ground that is wet.
    #[state(unit = "1", initial = 0.0)]
    wet: f64,
}

#[model]
impl Environment for Rain {
    fn prepare(&mut self) -> Result<(), String> {
        match self.end {
            Some(end) if end < self.start => {
                Err(format!("the end, {end} s, is before the start, {} s", self.start))
            }
            _ => Ok(()),
        }
    }

    fn update(&self, step: &Step, state: &mut Ground) {
        let is_over = self.end.is_some_and(|end| step.time >= end);
        if is_over {
            state.wet = (state.wet - step.dt / self.drying).max(0.0);
        } else if step.time >= self.start {
            state.wet = (state.wet + step.dt / self.wetting).min(1.0);
        }
    }

    fn surface(&self, [x, y, _]: [f64; 3], _: &Step, state: &Ground) -> Surface {
        let (x, y) = (x - self.x, y - self.y);
        let is_outside = self.radius.is_some_and(|radius| x * x + y * y > radius * radius);
        if is_outside || state.wet == 0.0 {
            return Surface::default();
        }
        Surface { mu: Some(self.dry_mu + state.wet * (self.mu - self.dry_mu)), c_rr: self.c_rr }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Ground, Rain};
    use simhost_sdk::prelude::*;
    use simhost_sdk::testing;

    #[test]
    fn the_ground_becomes_wet_and_dry_again() {
        let rain: Rain = testing::environment(&[
            ("start", 1.0),
            ("end", 3.0),
            ("wetting", 1.0),
            ("drying", 2.0),
        ]);
        let mut ground = Ground { wet: 0.0 };
        let mut at = |steps: std::ops::Range<u64>| {
            steps.for_each(|k| rain.update(&Step::new(k as f64 * 0.125, 0.125), &mut ground));
            rain.surface([0.0; 3], &testing::step(), &ground).mu
        };
        assert_eq!(at(0..8), None);
        assert!((at(8..12).unwrap() - 0.6).abs() < 1e-12);
        assert!((at(12..24).unwrap() - 0.4).abs() < 1e-12);
        assert!((at(24..32).unwrap() - 0.6).abs() < 1e-12);
        assert_eq!(at(32..48), None);
    }

    #[test]
    fn it_rains_within_the_radius_only() {
        let rain: Rain = testing::environment(&[("x", 10.0), ("radius", 5.0)]);
        let ground = Ground { wet: 1.0 };
        let mu = |x: f64| rain.surface([x, 3.0, 0.0], &testing::step(), &ground).mu;
        assert_eq!([mu(0.0), mu(6.5), mu(13.5), mu(14.5)], [None, Some(0.4), Some(0.4), None]);
    }
}
