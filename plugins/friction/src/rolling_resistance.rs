//! Rolling resistance as a torque about the axle, shared by the built-in models.

use simhost_sdk::{Wheel, math};

/// Returns T = C_rr N R tanh(100 ω), N·m, the hysteresis of the tyre, which is smooth through
/// standstill. With `ROLLS` false, `c_rr` is 0, and the same zero is found without the tangent.
#[inline(always)]
pub fn torque<const ROLLS: bool>(wheel: &Wheel, c_rr: f64) -> f64 {
    let most = c_rr * wheel.normal_force * wheel.radius;
    if ROLLS && c_rr != 0.0 {
        most * math::tanh(100.0 * wheel.spin)
    } else if wheel.spin < 0.0 {
        -most
    } else {
        most
    }
}
