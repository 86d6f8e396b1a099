//! Anti-lock brakes: slip control of each wheel.
//!
//! The share ρ of the brake torque that a wheel lacks follows from integral control of its slip λ < 0:
//! ρ̇ = k (λ_t − λ), limited to 0 … 1 and to the rate k, so that the torque is given back at the same rate at which it is
//! taken. Source: S. M. Savaresi and M. Tanelli, *Active Braking Control Systems Design for Vehicles*, 2010, chapter 3
//! (slip control with continuous actuators).
//!
//! **Limit:** the slip is measured exactly, while a car estimates its speed; one target for all grounds.

use simhost_sdk::prelude::*;

use super::slip_control::withheld;

/// Anti-lock brakes.
#[derive(Clone, Debug, Params)]
pub struct AntiLock {
    /// Whether brakes are released.
    #[param(default = false)]
    enabled: bool,
    /// Slip at which the brakes hold a wheel, as a share of the speed. A larger value locks wheels sooner, and steers
    /// less.
    #[param(default = 0.1, above = 0.0, below = 1.0, unit = "1")]
    slip: f64,
    /// Rate at which a brake is released completely. A larger value responds faster and oscillates more.
    #[param(default = 15.0, above = 0.0, unit = "1/s")]
    rate: f64,
    /// Speed below which brakes are not released, so that the car comes to a stop.
    #[param(default = 1.5, range = 0.0.., unit = "m/s")]
    least_speed: f64,
}

impl AntiLock {
    /// Returns the share of the brake torque that a wheel lacks after a step of `dt` seconds, from the share before, its
    /// slip, and the forward speed of the car, m/s.
    pub fn release(&self, before: f64, slip: f64, speed: f64, dt: f64) -> f64 {
        if !self.enabled || speed.abs() < self.least_speed {
            return 0.0;
        }
        withheld(before, -self.slip - slip, dt * self.rate)
    }
}
