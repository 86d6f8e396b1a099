//! Coulomb friction by impulse: the force that stops the sliding in one step, limited by μN.
//!
//! Lateral: F_y = −v_y m/dt, longitudinal: the force for which the wheel rolls without slipping at
//! the end of the step. Source: MVSim physics manual, "Default friction model".
//!
//! Simplification: each wheel stops the mass that rests on it, as if the wheels were independent.
//! The two forces stay in the circle of μN together: each is scaled down alike. MVSim limits them one by one, so that their
//! resultant reaches √2 μN.
//!
//! **Limit:** a wheel that slides both ways turns and drifts at once; the direction of sliding decides nothing.

use simhost_sdk::prelude::*;

use crate::{circle, rolling_resistance};

/// Coulomb friction that stops the sliding of a wheel within one step, as far as μN allows.
#[derive(Params)]
pub struct Coulomb {
    /// Friction coefficient; more of it and the vehicle slides less.
    #[param(default = 0.8, range = 0.0.., unit = "1")]
    mu: f64,
    /// Viscous damping of the wheel bearing; more of it and the vehicle coasts less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping")]
    c_damping: f64,
    /// Rolling resistance coefficient; more of it and the vehicle coasts less far.
    #[param(default = 0.0, range = 0.0.., unit = "1", key = "C_rr")]
    c_rr: f64,
    /// Whether longitudinal and lateral force have a limit of their own each, as in MVSim.
    #[param(default = false)]
    independent_limits: bool,
}

#[model]
impl Friction for Coulomb {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let grip = wheel.mu(self.mu) * wheel.normal_force;

        // lateral force that stops the side slip and holds the slope
        let fy = -wheel.vy * wheel.mass() / step.dt - wheel.slope_fy;

        // longitudinal force that makes the wheel roll
        let resistance =
            self.c_damping * wheel.spin + rolling_resistance::torque(wheel, wheel.c_rr(self.c_rr));
        let alpha = (wheel.vx / wheel.radius - wheel.spin) / step.dt;
        let rolling = (wheel.torque - resistance - wheel.inertia * alpha) / wheel.radius;
        let [fx, fy] = circle::within([rolling, fy], grip, self.independent_limits);
        wheel.reaction(fx, fy, resistance)
    }
}
