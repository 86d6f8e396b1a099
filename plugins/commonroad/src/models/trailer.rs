//! Kinematic single track with a trailer on the rear axle (KST).
//!
//! States: the states of KS, and the hitch angle α, rad, of the trailer relative to the truck,
//! positive counter-clockwise. α̇ = −v (sin α/L_t + tan δ/L). Althoff and Würsching 2020, §5.

use std::f64::consts::FRAC_PI_2;

use simhost_sdk::math;

use super::kinematic;
use crate::defects::Defects;
use crate::limits::Input;
use crate::parameters::VehicleParameters;

/// Number of states.
pub const STATES: usize = 6;
/// States of the model.
pub type States = [f64; STATES];

/// Returns the rates of change of a state. The hitch angle stops at ±π/2.
#[inline(always)]
pub fn derivative(v: &VehicleParameters, state: &States, input: Input, defects: Defects) -> States {
    let [x, y, steer, speed, yaw, hitch] = *state;
    let [dx, dy, steer_rate, acceleration, yaw_rate] =
        kinematic::derivative(v, &[x, y, steer, speed, yaw], input);
    let free = -speed * (math::sin(hitch) / v.trailer.wheelbase + math::tan(steer) / v.wheelbase());
    let hitch_rate = if defects.stops_hold {
        if hitch.abs() <= FRAC_PI_2 { free } else { 0.0 }
    } else if hitch >= FRAC_PI_2 {
        free.min(0.0)
    } else if hitch <= -FRAC_PI_2 {
        free.max(0.0)
    } else {
        free
    };
    [dx, dy, steer_rate, acceleration, yaw_rate, hitch_rate]
}
