//! A steering actuator: the lag and rate limit with which the wheels follow the requested angle.
//!
//! It is the built-in actuator `first_order_lag` with its rate limit, on the port `steer` of the class,
//! within the stops of the steering. The angle is a state of the class.

use simhost_actuators::first_order_lag::follow;
use simhost_sdk::prelude::*;

/// Rate limit and lag of the steering actuator.
#[derive(Clone, Copy, Params)]
pub struct Steering {
    /// Largest steering rate; 0 for no limit. A smaller value makes the vehicle respond later.
    #[param(default = 0.0, range = 0.0.., unit = "deg/s", scale = math::DEG,
            key = "max_rate_deg", scaling = Scaling::INVARIANT)]
    max_rate: f64,
    /// Time constant with which the angle follows. A larger value makes the vehicle respond later.
    #[param(default = 0.0, range = 0.0.., unit = "s")]
    lag: f64,
}

/// State of a steering actuator.
#[derive(State)]
pub struct Steered {
    /// Steering angle of an equivalent wheel in the middle of the axle.
    #[state(unit = "rad")]
    pub steer: f64,
}

impl Steering {
    /// Returns the angle after a step towards `wanted`, rad, with stops at ±`max_steer`, rad.
    #[inline(always)]
    pub fn follow(&self, wanted: f64, max_steer: f64, step: &Step, state: &mut Steered) -> f64 {
        let wanted = math::limit(wanted, max_steer);
        state.steer = follow(state.steer, wanted, self.lag, self.max_rate, step.dt);
        state.steer
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::testing::step;

    use super::*;

    fn after(max_rate: f64, lag: f64, seconds: f64) -> f64 {
        let (steering, mut state) = (Steering { max_rate, lag }, Steered { steer: 0.0 });
        let step = step();
        let count = (seconds / step.dt).round() as usize;
        (0..count).fold(0.0, |_, _| steering.follow(0.3, 0.5, &step, &mut state))
    }

    #[test]
    fn without_either_it_is_there_at_once() {
        assert_eq!(after(0.0, 0.0, 0.01), 0.3);
    }

    /// Regression: the actuator turned beyond its stop and had to return from there first.
    #[test]
    fn it_does_not_turn_beyond_its_stop() {
        for (max_rate, lag) in [(0.5, 0.0), (0.0, 0.2), (0.5, 0.2)] {
            let (steering, mut state) = (Steering { max_rate, lag }, Steered { steer: 0.0 });
            let mut most = 0.0_f64;
            for _ in 0..2000 {
                most = most.max(steering.follow(3.0, 0.5, &step(), &mut state));
            }
            assert!(most <= 0.5 && steering.follow(-3.0, 0.5, &step(), &mut state) < 0.4999);
        }
    }

    #[test]
    fn lag_and_rate_are_those_of_the_closed_form() {
        assert!((after(0.0, 0.2, 0.2) - 0.3 * (1.0 - (-1f64).exp())).abs() < 1e-12);
        assert!((after(0.5, 0.0, 0.4) - 0.2).abs() < 1e-12);
        assert_eq!(after(0.5, 0.0, 2.0), 0.3);
    }
}
