//! Traction control: less drive torque while a driven wheel spins.
//!
//! The share of the torque that is taken away follows the largest slip by integral control, as for
//! [`anti_lock`](super::anti_lock). Source: K. Reif (ed.), *Brakes, Brake Control and Driver Assistance Systems*, Bosch
//! Professional Automotive Information, 2014, chapter "Traction control system".
//!
//! **Limit:** the engine alone acts; a brake does not hold the spinning wheel of an axle on split friction.

use simhost_sdk::prelude::*;

use super::slip_control::withheld;

/// Traction control.
#[derive(Clone, Debug, Params)]
pub struct Traction {
    /// Whether the drive torque is reduced.
    #[param(default = false)]
    enabled: bool,
    /// Slip above which the torque is reduced. A larger value lets wheels spin more.
    #[param(default = 0.1, above = 0.0, unit = "1")]
    slip: f64,
    /// Rate at which the torque is taken away completely. A larger value responds faster and oscillates more.
    #[param(default = 10.0, above = 0.0, unit = "1/s")]
    rate: f64,
}

impl Traction {
    /// Returns the share of the torque that is taken away after a step of `dt` seconds, from the share before and the largest
    /// slip of a wheel.
    pub fn reduction(&self, before: f64, slip: f64, drives: bool, dt: f64) -> f64 {
        if !self.enabled || !drives {
            return 0.0;
        }
        withheld(before, slip - self.slip, dt * self.rate)
    }
}
