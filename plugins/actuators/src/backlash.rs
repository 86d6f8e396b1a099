//! Backlash: the output follows only at the edges of a gap of width b.
//!
//! The play operator y(t + dt) = clamp(y(t), u − b/2, u + b/2). Source: M. Brokate and J. Sprekels,
//! *Hysteresis and Phase Transitions*, 1996, section 2.1, eq. 1.12. Simplification: without inertia or
//! friction, the output stays where it is inside the gap.

use simhost_sdk::prelude::*;

/// Play between command and output, as in worn gears: the output stays until the command has
/// crossed the gap.
#[derive(Params)]
pub struct Backlash {
    /// Width of the gap, in the unit of the port. A larger value makes the output stay longer when the
    /// command turns back.
    #[param(required, range = 0.0.., per_lane, scaling = Scaling::PORT)]
    width: f64,
    /// Output at the start, in the unit of the port.
    #[param(default = 0.0, per_lane, scaling = Scaling::PORT)]
    initial: f64,
}

/// Position of the output within the gap.
#[derive(State)]
pub struct Played {
    /// Output of the last step, in the unit of the port.
    #[state(unit = "1", initial_from = "initial")]
    last: f64,
}

#[model]
impl Actuator for Backlash {
    fn actuate(&self, command: f64, _: &(), _: &Step, state: &mut Played) -> f64 {
        let half = 0.5 * self.width;
        state.last = state.last.max(command - half).min(command + half);
        state.last
    }
}
