//! An electric motor with limits of torque, power and speed.
//!
//! |T| ≤ min(T_max, P_max/|ω|); electric power P = T ω/η when driving and P = T ω η when braking.
//! Source: L. Guzzella and A. Sciarretta, "Vehicle Propulsion Systems", 3rd ed. 2013, sec. 4.3
//! (quasi-static motor model).
//!
//! **Limit:** the efficiency is constant; a motor that holds a torque at rest takes no power.

use simhost_sdk::prelude::*;

use super::{RPM, below, limited};

/// An electric motor.
#[derive(Params)]
pub struct Motor {
    /// Largest torque. A larger value makes the vehicle pull away harder.
    #[param(default = 250.0, above = 0.0, unit = "N·m", scaling = Scaling::ENGINE_TORQUE)]
    max_torque: f64,
    /// Largest mechanical power. A larger value raises the acceleration at high speed.
    #[param(default = 100.0, above = 0.0, unit = "kW", scale = 1e3, scaling = Scaling::POWER)]
    max_power: f64,
    /// Speed above which the motor does not drive.
    #[param(default = 12000.0, above = 0.0, unit = "rpm", scale = RPM,
            scaling = Scaling::INVARIANT)]
    max_speed: f64,
    /// Efficiency, when driving and when braking.
    #[param(default = 0.92, above = 0.0, range = ..=1.0)]
    efficiency: f64,
    /// Largest torque when braking; 0 recovers no energy.
    #[param(default = 120.0, range = 0.0.., unit = "N·m", scaling = Scaling::ENGINE_TORQUE)]
    regeneration_torque: f64,
    /// Moment of inertia of the rotor. A larger value makes the vehicle accelerate less.
    #[param(default = 0.05, range = 0.0.., unit = "kg·m²", scaling = Scaling::ENGINE_INERTIA)]
    pub(crate) inertia: f64,
}

/// Speed below which braking fades out, so that it never reverses the motor, rad/s.
const FADE: f64 = 20.0;

impl Motor {
    /// Returns the torque, N·m, positive with `forwards`, for a throttle from 0 to 1, at most
    /// `source` W of electric power, and a step of `dt` s.
    #[inline(always)]
    pub fn drive(&self, throttle: f64, speed: f64, forwards: bool, source: f64, dt: f64) -> f64 {
        let way = if forwards { 1.0 } else { -1.0 };
        let along = way * speed;
        let mut most = self.max_torque.min(self.max_power / along.abs().max(1e-9));
        if along > 0.0 {
            most = most.min(source * self.efficiency / along);
        } else if source <= 0.0 {
            most = 0.0;
        }
        let torque = throttle.clamp(0.0, 1.0) * most * below(along, self.max_speed);
        way * torque.min(limited(self.inertia, self.max_speed - along, dt).max(0.0))
    }

    /// Returns the braking torque against the speed, N·m, at least 0, at most the `wanted` one,
    /// such that at most `sink` W are recovered.
    #[inline(always)]
    pub fn regenerate(&self, wanted: f64, speed: f64, sink: f64) -> f64 {
        let speed = speed.abs();
        let most = self.regeneration_torque.min(self.max_power / speed.max(1e-9));
        let taken = sink.max(0.0) / (self.efficiency * speed.max(1e-9));
        wanted.max(0.0).min(most).min(taken) * (speed / FADE).min(1.0)
    }

    /// Returns the electric power, W, positive out of the battery.
    #[inline(always)]
    pub fn power(&self, torque: f64, speed: f64) -> f64 {
        let power = torque * speed;
        if power >= 0.0 { power / self.efficiency } else { power * self.efficiency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOTOR: Motor = Motor {
        max_torque: 200.0,
        max_power: 40e3,
        max_speed: 1000.0,
        efficiency: 0.8,
        regeneration_torque: 100.0,
        inertia: 0.0,
    };

    #[test]
    fn torque_then_power_then_speed_limit_it() {
        let full = |speed| MOTOR.drive(1.0, speed, true, f64::INFINITY, 0.01);
        assert_eq!(full(0.0), 200.0);
        assert_eq!(full(199.0), 200.0);
        assert!((full(400.0) - 100.0).abs() < 1e-9);
        assert_eq!(full(1011.0), 0.0);
        assert!((MOTOR.drive(0.5, -400.0, false, f64::INFINITY, 0.01) + 50.0).abs() < 1e-9);
    }

    #[test]
    fn the_battery_limits_it() {
        // 16 kW of electric power are 12.8 kW of mechanical power
        assert!((MOTOR.drive(1.0, 400.0, true, 16e3, 0.01) - 32.0).abs() < 1e-9);
        assert_eq!(MOTOR.drive(1.0, 0.0, true, 0.0, 0.01), 0.0);
        assert_eq!(MOTOR.drive(1.0, 400.0, true, 0.0, 0.01), 0.0);
    }

    #[test]
    fn regeneration_is_limited_and_fades_at_rest() {
        assert_eq!(MOTOR.regenerate(300.0, -200.0, f64::INFINITY), 100.0);
        assert_eq!(MOTOR.regenerate(30.0, 200.0, f64::INFINITY), 30.0);
        // 8 kW into the battery are 10 kW at the shaft
        assert!((MOTOR.regenerate(300.0, 200.0, 8e3) - 50.0).abs() < 1e-9);
        assert!((MOTOR.regenerate(300.0, 10.0, f64::INFINITY) - 50.0).abs() < 1e-9);
        assert_eq!(MOTOR.regenerate(300.0, 0.0, f64::INFINITY), 0.0);
    }

    #[test]
    fn losses_go_the_right_way() {
        assert!((MOTOR.power(100.0, 80.0) - 10e3).abs() < 1e-9);
        assert!((MOTOR.power(-100.0, 80.0) + 6.4e3).abs() < 1e-9);
    }
}
