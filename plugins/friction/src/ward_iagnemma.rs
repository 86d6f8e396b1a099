//! Coulomb friction with the rolling resistance of Ward and Iagnemma.
//!
//! F_rr = −sign(v_x) N (R1 (1 − e^{−A|v_x|}) + R2 |v_x|). Source: C. C. Ward and K. Iagnemma, "A
//! dynamic-model-based wheel slip detector for mobile robots on outdoor terrain", IEEE Transactions
//! on Robotics 24(4), 2008, eq. 6; as MVSim uses it.
//!
//! Simplification: the resistance of the ground acts on the vehicle at the axle.
//! As for `default`, the two forces stay in the circle of μN together, where MVSim limits them one by one.
//! **Limit:** as for `default`.

use simhost_sdk::prelude::*;

use crate::{circle, rolling_resistance};

/// Coulomb friction with a rolling resistance that grows with speed (Ward and Iagnemma 2008).
#[derive(Params)]
pub struct WardIagnemma {
    /// Friction coefficient; more of it and the vehicle slides less.
    #[param(default = 0.8, range = 0.0.., unit = "1")]
    mu: f64,
    /// Viscous damping of the wheel bearing; more of it and the vehicle coasts less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping")]
    c_damping: f64,
    /// Rolling resistance coefficient of the tyre; more of it and the vehicle coasts less far.
    #[param(default = 0.0, range = 0.0.., unit = "1", key = "C_rr")]
    c_rr: f64,
    /// How soon the static resistance sets in; more of it and it acts at lower speed.
    #[param(default = 50.0, range = 0.0.., unit = "s/m", key = "A_roll")]
    a_roll: f64,
    /// Static resistance coefficient; more of it and the vehicle stops sooner.
    #[param(default = 0.0075, range = 0.0.., unit = "1", key = "R1")]
    r1: f64,
    /// Resistance that grows with speed; more of it and the top speed is lower.
    #[param(default = 0.02, range = 0.0.., unit = "s/m", key = "R2")]
    r2: f64,
    /// Whether the resistance of the ground also turns the wheel, as in MVSim; it then feeds energy
    /// into the spin.
    #[param(default = false)]
    resistance_turns_wheel: bool,
    /// Whether longitudinal and lateral force have a limit of their own each, as in MVSim.
    #[param(default = false)]
    independent_limits: bool,
}

#[model]
impl Friction for WardIagnemma {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let load = wheel.normal_force;
        let grip = wheel.mu(self.mu) * load;

        // lateral force that stops the side slip and holds the slope
        let fy = -wheel.vy * wheel.mass() / step.dt - wheel.slope_fy;

        // resistance of the ground
        let speed = wheel.vx.abs();
        let ground = load * (self.r1 * (1.0 - math::exp(-self.a_roll * speed)) + self.r2 * speed);
        let ground = if speed > 0.0 { -ground.copysign(wheel.vx) } else { 0.0 };

        // longitudinal force that makes the wheel roll
        let resistance =
            self.c_damping * wheel.spin + rolling_resistance::torque(wheel, wheel.c_rr(self.c_rr));
        let alpha = (wheel.vx / wheel.radius - wheel.spin) / step.dt;
        let rolling = (wheel.torque - resistance - wheel.inertia * alpha) / wheel.radius;
        let wanted = [rolling + ground, fy];
        let [fx, fy] = circle::within(wanted, grip, self.independent_limits);
        // the part of it that makes the wheel roll
        let turning = if self.independent_limits {
            math::limit(rolling, grip)
        } else {
            circle::share(wanted, grip) * rolling
        };
        let turning = if self.resistance_turns_wheel { fx } else { turning };
        Force { fx, ..wheel.reaction(turning, fy, resistance) }
    }
}
