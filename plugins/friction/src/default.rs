//! Coulomb friction by impulse: the force that stops the sliding within one step, limited to μN.
//!
//! Lateral: F_y = −v_y m/dt. Longitudinal: the force for which the wheel rolls without slip at the
//! end of the step, see [`rolling`](crate::rolling). Source: MVSim physics manual, "Default friction
//! model".
//!
//! Simplification: each wheel stops the mass that rests on it, as if the wheels were independent.
//! Both components are scaled by the same factor so that the resultant stays in the circle of μN.
//! MVSim limits them separately, so that their resultant can reach √2 μN.
//!
//! **Limit:** a wheel that slides in both directions stops turning and drifting at the same time;
//! the direction of sliding has no influence.

use simhost_sdk::prelude::*;

use crate::circle;
use crate::rolling::{Brake, Rolling, Wheel, shaft};

/// Coulomb friction that stops the sliding of a wheel within one step, up to the limit μN.
#[derive(Params)]
pub struct Coulomb {
    /// Friction coefficient. A larger value makes the vehicle slide less.
    #[param(default = 0.8, range = 0.0.., unit = "1", per_lane)]
    mu: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping", per_lane,
            scaling = Scaling::WHEEL_DAMPING)]
    c_damping: f64,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.0, range = 0.0.., unit = "1", key = "C_rr", per_lane)]
    c_rr: f64,
    /// Whether longitudinal and lateral force are limited separately, as in MVSim. The resultant
    /// can then reach √2 μN.
    #[param(default = false)]
    independent_limits: bool,
    /// Whether the wheel rolls at the speed of the vehicle at the start of the step, and its
    /// resistances are computed from its spin at that time, as in MVSim. A light wheel that slips
    /// can then spin up without limit.
    #[param(default = false)]
    explicit_resistance: bool,
}

impl Coulomb {
    /// Returns the force on a wheel. With `ROLLS` false, the coefficient of rolling resistance is 0.
    #[inline(always)]
    fn compute<const ROLLS: bool>(&self, wheel: &Wheel, step: &Step) -> Force {
        let grip = wheel.mu(self.mu) * wheel.normal_force;

        // lateral force that stops side slip and holds the vehicle on a slope
        let fy = -wheel.vy * wheel.mass() / step.dt - wheel.slope_fy;

        // longitudinal force that makes the wheel roll
        let rolling = Rolling::new::<ROLLS>(wheel, shaft!(self, wheel), 0.0, step);
        let force @ [fx, _] = circle::within([rolling.force(), fy], grip, self.independent_limits);
        rolling.reaction(fx, force)
    }
}

crate::computed!(Coulomb);
