//! Friction limited by curves of slip ratio and slip angle that share an ellipse.
//!
//! F_x,max = N C_s sat(s) √(1 − C_sα (sat(α)/α_s)²), and F_y,max likewise. The force stops the slip
//! within a step, and is limited to these values. Source: MVSim physics manual, "Ellipse curve
//! friction method". The limits are magnitudes: with a sign, a force could drive the sliding that
//! it should stop, and the energy on level ground would grow.
//!
//! Below 0.05 m/s the slips are ill-defined. Both then approach saturation, so that a wheel at rest
//! holds its load.
//!
//! **Limit:** near standstill the spin fluctuates by a few per cent.

use simhost_sdk::prelude::*;

use crate::rolling::{Brake, Rolling, Wheel, shaft};

/// Friction limited by curves of slip ratio and slip angle that share an ellipse.
#[derive(Params)]
pub struct Ellipse {
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping", per_lane,
            scaling = Scaling::WHEEL_DAMPING)]
    c_damping: f64,
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.0, range = 0.0.., unit = "1", key = "C_rr", per_lane)]
    c_rr: f64,
    /// Longitudinal force per normal load and slip ratio. A larger value makes the wheel slip less.
    #[param(default = 7.5, range = 0.0.., unit = "1", key = "C_s", per_lane)]
    c_s: f64,
    /// Lateral force per normal load and slip angle. A larger value makes the vehicle drift less.
    #[param(default = 8.5, range = 0.0.., unit = "1/rad", key = "C_alpha", per_lane)]
    c_alpha: f64,
    /// Slip angle above which the lateral force does not grow. A larger value lets the tyre reach a
    /// higher lateral force.
    #[param(default = 0.1, above = 0.0, unit = "rad", per_lane)]
    slip_angle_saturation: f64,
    /// Slip ratio above which the longitudinal force does not grow. A larger value lets the tyre
    /// reach a higher longitudinal force.
    #[param(default = 0.1, above = 0.0, unit = "1", per_lane)]
    slip_ratio_saturation: f64,
    /// Share of the lateral force that is lost at full slip ratio. A larger value makes a braking
    /// wheel drift more.
    #[param(default = 0.5, range = 0.0..=1.0, unit = "1", key = "C_alpha_s", per_lane)]
    c_alpha_s: f64,
    /// Share of the longitudinal force that is lost at full slip angle. A larger value makes a
    /// drifting wheel brake less.
    #[param(default = 0.5, range = 0.0..=1.0, unit = "1", key = "C_s_alpha", per_lane)]
    c_s_alpha: f64,
    /// Whether the steering angle enters the slip angle twice, as in MVSim.
    #[param(default = false)]
    double_steering: bool,
    /// Whether the wheel rolls at the speed of the vehicle at the start of the step, and its
    /// resistances are computed from its spin at that time, as in MVSim. A light wheel that slips
    /// can then spin up without limit.
    #[param(default = false)]
    explicit_resistance: bool,
    /// Whether a wheel at rest has no grip, because its slip is 0, as in MVSim. It then creeps on a
    /// slope.
    #[param(default = false)]
    no_grip_at_rest: bool,
}

/// The slip from which the limits of a wheel follow.
#[derive(Ports)]
pub struct Slip {
    /// Slip ratio, from −1 to 1: sliding speed divided by rolling speed, positive when driving.
    #[port(unit = "1")]
    kappa: f64,
    /// Tangent of the slip angle to the right.
    #[port(unit = "1")]
    lateral: f64,
}

/// Speed below which the slip is ill-defined and the grip approaches the grip of saturated slip,
/// m/s.
const STILL: f64 = 0.05;

/// Returns the rolling speed of a wheel, with a minimum at standstill, m/s, and its slip ratio.
#[inline(always)]
fn slip_ratio(wheel: &Wheel) -> (f64, f64) {
    let rolling = wheel.spin * wheel.radius;
    let rolling = if rolling.abs() <= 1e-5 { 1e-5 } else { rolling };
    (rolling, ((rolling - wheel.vx) / rolling.abs()).clamp(-1.0, 1.0))
}

impl Ellipse {
    /// Returns the largest longitudinal and lateral force, N.
    #[inline(always)]
    fn limits(&self, wheel: &Wheel) -> (f64, f64) {
        // slip angle: the velocity is in the wheel frame and includes the steering angle
        let still = wheel.vx.abs() < 1e-3 && wheel.vy.abs() < 1e-3;
        let heading = if still { 0.0 } else { math::atan2(wheel.vy, wheel.vx) };
        let steer = if self.double_steering { wheel.steer } else { 0.0 };
        let forwards = math::wrap_angle(steer - heading);
        let backwards = math::wrap_angle(steer + std::f64::consts::PI - heading);
        let backs = forwards.abs() > std::f64::consts::FRAC_PI_2;
        let slip_angle = if backs { backwards } else { forwards };

        let (rolling, slip_ratio) = slip_ratio(wheel);

        // saturated slips as fractions of the saturation value
        let s = (slip_ratio / self.slip_ratio_saturation).clamp(-1.0, 1.0).abs();
        let a = (slip_angle / self.slip_angle_saturation).clamp(-1.0, 1.0).abs();
        let fastest = wheel.vx.abs().max(wheel.vy.abs()).max(rolling.abs());
        let rest = if self.no_grip_at_rest { 0.0 } else { (1.0 - fastest / STILL).max(0.0) };
        let (s, a) = (s.max(rest), a.max(rest));
        let reach_x = wheel.normal_force * self.c_s * self.slip_ratio_saturation;
        let reach_y = wheel.normal_force * self.c_alpha * self.slip_angle_saturation;
        let limit_x = s * (1.0 - self.c_s_alpha * a * a).sqrt();
        let limit_y = a * (1.0 - self.c_alpha_s * s * s).sqrt();

        // with weak couplings the two forces together would leave the ellipse
        let outside = (limit_x * limit_x + limit_y * limit_y).sqrt().max(1.0);
        (reach_x * limit_x / outside, reach_y * limit_y / outside)
    }

    /// Returns the force on a wheel. With `ROLLS` false, the coefficient of rolling resistance is 0.
    #[inline(always)]
    fn compute<const ROLLS: bool>(&self, wheel: &Wheel, step: &Step) -> Force {
        let (limit_x, limit_y) = self.limits(wheel);

        // lateral force that stops side slip and holds the vehicle on a slope
        let fy = math::limit(-wheel.vy * wheel.mass() / step.dt - wheel.slope_fy, limit_y);

        // longitudinal force that makes the wheel roll
        let rolling = Rolling::new::<ROLLS>(wheel, shaft!(self, wheel), 0.0, step);
        let fx = math::limit(rolling.force(), limit_x);
        rolling.reaction(fx, [fx, fy])
    }
}

crate::computed! { Ellipse,
    const JUMPS: bool = true;
    type Published = Slip;

    fn publish(&self, wheel: &Wheel, _: &Force, _: &Step, _: &()) -> Slip {
        let (_, kappa) = slip_ratio(wheel);
        Slip { kappa, lateral: -wheel.vy / wheel.vx.abs().max(1e-9) }
    }
}
