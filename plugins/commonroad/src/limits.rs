//! Limits of steering and engine.

use crate::parameters::{Longitudinal, Steering, VehicleParameters};

/// Inputs of a model: the rate of the steering angle, rad/s, and the acceleration, m/s².
pub type Input = [f64; 2];

/// Returns the rate of the steering angle, rad/s, limited, and 0 into a stop.
#[inline(always)]
pub fn steering_rate(angle: f64, wanted: f64, limits: &Steering) -> f64 {
    let into_stop =
        (angle <= limits.min && wanted <= 0.0) || (angle >= limits.max && wanted >= 0.0);
    if into_stop { 0.0 } else { wanted.max(limits.rate_min).min(limits.rate_max) }
}

/// Returns the acceleration, m/s², limited by adhesion, above `v_switch` by power, and 0 beyond the
/// largest speed.
#[inline(always)]
pub fn acceleration(speed: f64, wanted: f64, limits: &Longitudinal) -> f64 {
    if (speed <= limits.v_min && wanted <= 0.0) || (speed >= limits.v_max && wanted >= 0.0) {
        return 0.0;
    }
    let by_power = if speed > limits.v_switch { limits.v_switch / speed } else { 1.0 };
    wanted.max(-limits.a_max).min(limits.a_max * by_power)
}

/// Returns both inputs of a model within their limits.
#[inline(always)]
pub fn inputs(vehicle: &VehicleParameters, steer: f64, speed: f64, input: Input) -> Input {
    [
        steering_rate(steer, input[0], &vehicle.steering),
        acceleration(speed, input[1], &vehicle.longitudinal),
    ]
}
