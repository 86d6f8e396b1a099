//! Rate limit: y follows u with |dy/dt| ≤ r.
//!
//! y(t + dt) = y(t) + clamp(u − y(t), −r dt, r dt). Source: G. F. Franklin, J. D. Powell and A.
//! Emami-Naeini, *Feedback Control of Dynamic Systems*, 8th ed. 2019, section 9.3 (rate saturation).

use simhost_sdk::prelude::*;

use crate::first_order_lag::{Follower, follow};

/// Follows the command with a limited rate.
#[derive(Params)]
pub struct RateLimit {
    /// Largest rate of the output, in the unit of the port per second: rad/s for a steering angle. A
    /// smaller value makes the actuator slower.
    #[param(required, above = 0.0, unit = "1/s", per_lane, scaling = Scaling::PORT)]
    max_rate: f64,
    /// Output at the start, in the unit of the port.
    #[param(default = 0.0, per_lane, scaling = Scaling::PORT)]
    initial: f64,
}

#[model]
impl Actuator for RateLimit {
    fn actuate(&self, command: f64, _: &(), step: &Step, state: &mut Follower) -> f64 {
        state.last = follow(state.last, command, 0.0, self.max_rate, step.dt);
        state.last
    }
}
