//! First-order lag: dy/dt = (u − y)/τ, with an optional limit of |dy/dt|.
//!
//! For a command u that is constant over a step, the solution is exact for a step of any length:
//! y(t + dt) = u + (y(t) − u) e^(−dt/τ). Source: K. J. Åström and R. M. Murray, *Feedback Systems*,
//! 2nd ed. 2021, section 6.3. Simplification: with the limit, the change over a step is limited, not the
//! rate at each moment within it.

use simhost_sdk::prelude::*;

/// Follows the command with a first-order lag: dy/dt = (u − y)/τ. Exact for steps of any length.
#[derive(Params)]
pub struct FirstOrderLag {
    /// Time constant τ, after which the output has reached 63 % of a step; 0 for no lag. A larger
    /// value makes the actuator slower.
    #[param(default = 0.1, range = 0.0.., unit = "s", per_lane)]
    time_constant: f64,
    /// Largest rate of the output, in the unit of the port per second; 0 for no limit. A smaller value
    /// makes the actuator slower for large changes.
    #[param(default = 0.0, range = 0.0.., unit = "1/s", per_lane, scaling = Scaling::PORT)]
    max_rate: f64,
    /// Output at the start, in the unit of the port.
    #[param(default = 0.0, per_lane, scaling = Scaling::PORT)]
    initial: f64,
}

/// State of an actuator that follows its command.
#[derive(State)]
pub struct Follower {
    /// Output of the last step, in the unit of the port.
    #[state(unit = "1", initial_from = "initial")]
    pub last: f64,
}

/// Returns the value after a step of `dt` seconds from `from` towards `to`, with a lag of `time_constant`
/// seconds (0 for none) and a change of at most `max_rate` a second (0 for no limit).
#[inline(always)]
pub fn follow(from: f64, to: f64, time_constant: f64, max_rate: f64, dt: f64) -> f64 {
    let rest = if time_constant > 0.0 { math::exp(-dt / time_constant) } else { 0.0 };
    let change = (to - from) * (1.0 - rest);
    let most = if max_rate > 0.0 { max_rate * dt } else { f64::INFINITY };
    // both cases are computed, so that a loop over vehicles vectorises
    let moved = from + math::limit(change, most);
    if (change.abs() <= most) & (rest == 0.0) { to } else { moved }
}

#[model]
impl Actuator for FirstOrderLag {
    fn actuate(&self, command: f64, _: &(), step: &Step, state: &mut Follower) -> f64 {
        state.last = follow(state.last, command, self.time_constant, self.max_rate, step.dt);
        state.last
    }
}
