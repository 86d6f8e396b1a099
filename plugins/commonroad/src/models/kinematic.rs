//! Kinematic single track (KS): the vehicle moves without slip.
//!
//! States: x, y of the middle of the rear axle, m; steering angle δ, rad; speed v, m/s; heading ψ,
//! rad. ẋ = v cos ψ, ẏ = v sin ψ, ψ̇ = v tan δ/L. Althoff and Würsching 2020, §4.

use simhost_sdk::math;

use crate::limits::{self, Input};
use crate::parameters::VehicleParameters;

/// Number of states.
pub const STATES: usize = 5;
/// States of the model.
pub type States = [f64; STATES];

/// Returns the rates of change of a state.
#[inline(always)]
pub fn derivative(vehicle: &VehicleParameters, state: &States, input: Input) -> States {
    let [_, _, steer, speed, yaw] = *state;
    let [steer_rate, acceleration] = limits::inputs(vehicle, steer, speed, input);
    let (sin, cos) = math::sin_cos(yaw);
    let yaw_rate = speed / vehicle.wheelbase() * math::tan(steer);
    [speed * cos, speed * sin, steer_rate, acceleration, yaw_rate]
}
