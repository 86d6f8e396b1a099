//! Coulomb friction with the rolling resistance of Ward and Iagnemma.
//!
//! F_rr = −sign(v_x) N (R1 (1 − e^{−A|v_x|}) + R2 |v_x|). Source: C. C. Ward and K. Iagnemma, "A
//! dynamic-model-based wheel slip detector for mobile robots on outdoor terrain", IEEE Transactions
//! on Robotics 24(4), 2008, eq. 6; as used by MVSim.
//!
//! Simplification: the resistance of the ground acts on the vehicle at the axle. As in `default`,
//! the resultant stays in the circle of μN, whereas MVSim limits the components separately.
//!
//! **Limit:** as for `default`.

use simhost_sdk::prelude::*;

use crate::circle;
use crate::rolling::{Brake, Rolling, Wheel, shaft};

/// Coulomb friction with a rolling resistance that grows with speed (Ward and Iagnemma 2008).
#[derive(Params)]
pub struct WardIagnemma {
    /// Friction coefficient. A larger value makes the vehicle slide less.
    #[param(default = 0.8, range = 0.0.., unit = "1", per_lane)]
    mu: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping", per_lane,
            scaling = Scaling::WHEEL_DAMPING)]
    c_damping: f64,
    /// Rolling resistance coefficient of the tyre. A larger value makes the vehicle coast less far.
    #[param(default = 0.0, range = 0.0.., unit = "1", key = "C_rr", per_lane)]
    c_rr: f64,
    /// Rate at which the static resistance builds up with speed. A larger value makes it act at
    /// lower speeds.
    #[param(default = 50.0, range = 0.0.., unit = "s/m", key = "A_roll", per_lane,
            scaling = Scaling::INVARIANT)]
    a_roll: f64,
    /// Static resistance coefficient. A larger value makes the vehicle stop sooner.
    #[param(default = 0.0075, range = 0.0.., unit = "1", key = "R1", per_lane)]
    r1: f64,
    /// Coefficient of the resistance that is proportional to speed. A larger value lowers the top
    /// speed.
    #[param(default = 0.02, range = 0.0.., unit = "s/m", key = "R2", per_lane,
            scaling = Scaling::INVARIANT)]
    r2: f64,
    /// Whether the resistance of the ground also acts on the spin of the wheel, as in MVSim. It
    /// then adds energy to the spin.
    #[param(default = false)]
    resistance_turns_wheel: bool,
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

impl WardIagnemma {
    /// Returns the force on a wheel. With `ROLLS` false, the coefficient of rolling resistance is 0.
    #[inline(always)]
    fn compute<const ROLLS: bool>(&self, wheel: &Wheel, step: &Step) -> Force {
        let load = wheel.normal_force;
        let grip = wheel.mu(self.mu) * load;

        // lateral force that stops side slip and holds the vehicle on a slope
        let fy = -wheel.vy * wheel.mass() / step.dt - wheel.slope_fy;

        // resistance of the ground
        let speed = wheel.vx.abs();
        let ground = load * (self.r1 * (1.0 - math::exp(-self.a_roll * speed)) + self.r2 * speed);
        // it stops the vehicle within the step at most
        let stop = wheel.mass() * speed / step.dt;
        let ground = if self.explicit_resistance { ground } else { ground.min(stop) };
        let ground = if speed > 0.0 { -ground.copysign(wheel.vx) } else { 0.0 };

        // longitudinal force that makes the wheel roll
        let rolling = Rolling::new::<ROLLS>(wheel, shaft!(self, wheel), ground, step);
        let turning = rolling.force();
        let wanted = [turning + ground, fy];
        let [fx, fy] = circle::within(wanted, grip, self.independent_limits);
        // the part of the force that acts on the spin
        let turning = if self.independent_limits {
            math::limit(turning, grip)
        } else {
            circle::share(wanted, grip) * turning
        };
        let turning = if self.resistance_turns_wheel { fx } else { turning };
        rolling.reaction(turning, [fx, fy])
    }
}

crate::computed!(WardIagnemma);
