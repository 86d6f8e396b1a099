//! Rolling resistance as a torque about the axle, shared by the built-in models.

use simhost_sdk::{Wheel, math};

/// Returns T = C_rr N R tanh(100 ω), N·m, the hysteresis of the tyre, which is smooth through
/// standstill.
#[inline(always)]
pub fn torque(wheel: &Wheel, c_rr: f64) -> f64 {
    c_rr * wheel.normal_force * wheel.radius * math::tanh(100.0 * wheel.spin)
}
