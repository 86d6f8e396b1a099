//! Rolling resistance as a torque on the shaft, common to the built-in models.

use simhost_sdk::{Wheel, math};

/// T = C_rr N R tanh(100 ω), N·m: hysteresis of the tyre, smooth through standstill.
#[inline(always)]
pub fn torque(wheel: &Wheel, c_rr: f64) -> f64 {
    c_rr * wheel.normal_force * wheel.radius * math::tanh(100.0 * wheel.spin)
}
