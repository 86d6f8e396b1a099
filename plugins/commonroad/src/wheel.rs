//! Slip, torque and stopping of a spinning wheel.

use simhost_sdk::math;

use crate::defects::Defects;
use crate::parameters::VehicleParameters;

/// Smallest speed by which slip is divided, m/s.
pub const LEAST_SPEED: f64 = 0.1;

/// Returns the slip ratio, positive when the wheel turns more slowly than it travels, for a
/// travelling speed `speed` and a rolling speed `rolling`, divided by at least `least`; all in m/s.
#[inline(always)]
pub fn slip(speed: f64, rolling: f64, least: f64, defects: Defects) -> f64 {
    if defects.forwards_only {
        return 1.0 - rolling / speed.max(least);
    }
    (speed - rolling) / speed.abs().max(least)
}

/// Returns the direction of travel relative to the wheel, rad, from the forward and leftward
/// velocity of its centre in the vehicle frame. A wheel that travels backwards has the angle of its
/// mirror image.
#[inline(always)]
pub fn slip_angle(forwards: f64, left: f64, steer: f64, defects: Defects) -> f64 {
    if defects.forwards_only {
        return math::atan(left / forwards) - steer;
    }
    let (sin, cos) = math::sin_cos(steer);
    math::atan2(left * cos - forwards * sin, (forwards * cos + left * sin).abs())
}

/// Returns the torques on the front and the rear axle for a requested acceleration, N·m.
#[inline(always)]
pub fn torques(vehicle: &VehicleParameters, acceleration: f64) -> [f64; 2] {
    let front = if acceleration > 0.0 { vehicle.t_se } else { vehicle.t_sb };
    let torque = vehicle.m * vehicle.r_w * acceleration;
    [front * torque, (1.0 - front) * torque]
}

/// Returns `rate`, the rate of a spin, rad/s², or 0 if it would turn a wheel against the direction
/// of travel, because a brake stops a wheel but does not reverse it.
#[inline(always)]
pub fn spin_rate(spin: f64, rate: f64, speed: f64, defects: Defects) -> f64 {
    if defects.stops_hold {
        if spin >= 0.0 { rate } else { 0.0 }
    } else if speed >= 0.0 && spin <= 0.0 {
        rate.max(0.0)
    } else if speed < 0.0 && spin >= 0.0 {
        rate.min(0.0)
    } else {
        rate
    }
}

/// Returns the rate, 1/s, at which a spin settles to its slip under a normal load, N.
#[inline(always)]
pub fn stiffness(vehicle: &VehicleParameters, load: f64, speed: f64) -> f64 {
    let force_per_speed = load * vehicle.tyre.p_kx1 / speed.abs().max(LEAST_SPEED);
    vehicle.r_w * vehicle.r_w * force_per_speed / vehicle.i_y_w
}
