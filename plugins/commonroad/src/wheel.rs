//! A wheel that spins: its slips, the torque on it, and where it stops.

use simhost_sdk::math;

use crate::defects::Defects;
use crate::parameters::VehicleParameters;

/// Least speed that slip is measured by, m/s.
pub const LEAST_SPEED: f64 = 0.1;

/// Slip ratio, positive when the wheel turns slower than it travels, of a wheel that travels with `speed` and
/// whose circumference has `rolling`; it is measured by no less than `least`; all m/s.
#[inline(always)]
pub fn slip(speed: f64, rolling: f64, least: f64, defects: Defects) -> f64 {
    if defects.forwards_only {
        return 1.0 - rolling / speed.max(least);
    }
    (speed - rolling) / speed.abs().max(least)
}

/// Direction of travel beside that of a wheel, rad, from its centre's velocity forwards and to the left in the vehicle
/// frame. A wheel that travels backwards has the angle of its mirror image.
#[inline(always)]
pub fn slip_angle(forwards: f64, left: f64, steer: f64, defects: Defects) -> f64 {
    if defects.forwards_only {
        return math::atan(left / forwards) - steer;
    }
    let (sin, cos) = math::sin_cos(steer);
    math::atan2(left * cos - forwards * sin, (forwards * cos + left * sin).abs())
}

/// Torques on the front and the rear axle for an acceleration that is wanted, N·m.
#[inline(always)]
pub fn torques(vehicle: &VehicleParameters, acceleration: f64) -> [f64; 2] {
    let front = if acceleration > 0.0 { vehicle.t_se } else { vehicle.t_sb };
    let torque = vehicle.m * vehicle.r_w * acceleration;
    [front * torque, (1.0 - front) * torque]
}

/// `rate` of a spin, rad/s²; none where it would turn a wheel against the way in which the vehicle goes: a
/// brake stops a wheel and does no more.
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

/// Rate, 1/s, at which a spin settles at its slip, under a load, N.
#[inline(always)]
pub fn stiffness(vehicle: &VehicleParameters, load: f64, speed: f64) -> f64 {
    let force_per_speed = load * vehicle.tyre.p_kx1 / speed.abs().max(LEAST_SPEED);
    vehicle.r_w * vehicle.r_w * force_per_speed / vehicle.i_y_w
}
