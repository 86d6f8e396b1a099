//! A tyre on a wheel: its secants at the start of a step, and its aligning moment.

use simhost_sdk::Force;

use super::trail::Aligned;
use super::{MOST_LOAD, TMeasy};
use crate::contact::Wheel;
use crate::steady::{Lag, Slip, SteadyTyre};

/// Slip that replaces none, so that a secant exists.
const STRAIGHT: f64 = 1e-9;

impl TMeasy {
    /// Returns the secants of the steady force over the slip in both directions, N, at an effective slip.
    fn secants(&self, wheel: &Wheel, lag: &Lag, grip: f64) -> [f64; 2] {
        let away = |slip: f64| if slip < 0.0 { slip.min(-STRAIGHT) } else { slip.max(STRAIGHT) };
        let kappa = away(1.0_f64.copysign(wheel.vx) * lag.kappa);
        let lateral = away(lag.lateral);
        let slip = Slip::along(kappa, -lateral);
        let [fx, fy] = self.force(&slip, wheel.normal_force.max(0.0), grip);
        [fx / kappa, fy / lateral].map(|secant| secant.max(0.0))
    }

    /// Returns the relaxation lengths of the carcass, m.
    #[inline(never)]
    pub(super) fn lengths(&self, wheel: &Wheel, lag: &Lag, grip: f64) -> [f64; 2] {
        let secants = self.secants(wheel, lag, grip);
        self.stiffness.lengths(secants, wheel.vx.abs(), self.carcass.relaxation_length)
    }

    /// Returns τ of the dampers of the carcass, s/m.
    #[inline(never)]
    pub(super) fn dampers(&self, wheel: &Wheel, lag: &Lag, grip: f64) -> [Option<f64>; 2] {
        self.stiffness.dampers(self.secants(wheel, lag, grip), wheel.vx.abs())
    }

    /// Returns the aligning moment under a force.
    #[inline(never)]
    pub(super) fn aligned(&self, wheel: &Wheel, force: &Force, lag: &Lag) -> Aligned {
        let load = wheel.normal_force.max(0.0);
        let by_nominal = (load / self.pn).min(MOST_LOAD);
        let rolling = (1.0 + 1.0_f64.copysign(wheel.vx) * lag.kappa).abs().max(1e-9);
        let by_length = self.trail.at(lag.lateral / rolling, by_nominal);
        let deflection = self.trail.cz.map_or(0.0, |stiffness| load / stiffness);
        let length = (8.0 * wheel.radius * deflection).sqrt();
        let ahead = 1.0_f64.copysign(wheel.vx);
        Aligned { aligning_moment: -ahead * by_length * length * force.fy }
    }
}
