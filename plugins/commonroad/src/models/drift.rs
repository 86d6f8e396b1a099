//! Single track drift (STD): two spinning wheels with Magic Formula tyres under combined slip.
//!
//! States: the states of ST, and the spins of the front and the rear wheel, rad/s. With the tyre
//! forces F in the wheel frames,
//! * m v̇ = F_yr sin β + F_xr cos β − F_yf sin(δ − β) + F_xf cos(δ − β),
//! * m v (β̇ + ψ̇) = F_yr cos β − F_xr sin β + F_yf cos(δ − β) + F_xf sin(δ − β),
//! * I ψ̈ = a (F_yf cos δ + F_xf sin δ) − b F_yr, and I_w ω̇ = T − R F_x.
//!
//! The torque is m R a_x, distributed by T_se when driving and by T_sb when braking. Althoff and
//! Würsching 2020, §7. **Limit:** each axle is a single wheel.

use simhost_sdk::math;

use crate::defects::Defects;
use crate::limits::{self, Input};
use crate::low_speed::{self, CARS, SETTLING, SlipFree, mix};
use crate::models::single_track::upstream_yaw_acceleration;
use crate::parameters::{GRAVITY, VehicleParameters};
use crate::tyre::{self, Contact};
use crate::wheel;

/// Number of states.
pub const STATES: usize = 9;
/// States of the model.
pub type States = [f64; STATES];

/// Centre and width of the transition between the models in the reference, m/s.
const UPSTREAM_BLEND: [f64; 2] = [0.2, 0.05];

/// Returns the rates of change of a state.
#[inline(always)]
pub fn derivative(v: &VehicleParameters, state: &States, input: Input, defects: Defects) -> States {
    let [_, _, steer, speed, yaw, _, beta, ..] = *state;
    let input = limits::inputs(v, steer, speed, input);
    let weight = if defects.hard_switch {
        0.5 * (math::tanh((speed - UPSTREAM_BLEND[0]) / UPSTREAM_BLEND[1]) + 1.0)
    } else {
        CARS.weight(speed)
    };
    let (sin, cos) = math::sin_cos(beta + yaw);
    let free = slip_free(v, state, input, defects);
    let mut changes = free;
    if weight > 0.0 {
        let tyres = with_tyres(v, state, input, defects);
        changes = std::array::from_fn(|i| mix(weight, tyres[i], free[i]));
    }
    let [dv, dd_yaw, d_beta, d_front, d_rear, d_yaw] = changes;
    [speed * cos, speed * sin, input[0], dv, d_yaw, dd_yaw, d_beta, d_front, d_rear]
}

/// Returns the speeds of the wheel centres along their rolling directions, m/s.
#[inline(always)]
fn wheel_speeds(vehicle: &VehicleParameters, state: &States, defects: Defects) -> [f64; 2] {
    let [_, _, steer, speed, _, yaw_rate, beta, ..] = *state;
    let (sin, cos) = math::sin_cos(beta);
    let (sin_steer, cos_steer) = math::sin_cos(steer);
    let front = speed * cos * cos_steer + (speed * sin + vehicle.a * yaw_rate) * sin_steer;
    let rear = speed * cos;
    if defects.forwards_only { [front.max(0.0), rear.max(0.0)] } else { [front, rear] }
}

/// Whether tyres have slip angles, which in the reference they do not below a certain speed.
#[inline(always)]
fn has_slip_angles(speed: f64, defects: Defects) -> bool {
    !defects.hard_switch || speed > wheel::LEAST_SPEED
}

/// Returns the forces of the front and the rear tyres along and across their wheels, N.
#[inline(always)]
fn tyre_forces(
    vehicle: &VehicleParameters,
    state: &States,
    acceleration: f64,
    defects: Defects,
) -> [[f64; 2]; 2] {
    let [_, _, steer, speed, _, yaw_rate, beta, spin_front, spin_rear] = *state;
    let VehicleParameters { a, b, m, r_w, .. } = *vehicle;
    let (sin, cos) = math::sin_cos(beta);
    // load transfer follows the requested acceleration
    let height = if defects.sprung_height { vehicle.h_s } else { vehicle.h_cg };
    let moved = acceleration * height;
    let loads = [GRAVITY * b - moved, GRAVITY * a + moved].map(|part| m * part / (a + b));
    let speeds = wheel_speeds(vehicle, state, defects);
    let wheels = [(spin_front, a, steer), (spin_rear, -b, 0.0)];
    std::array::from_fn(|i| {
        let (spin, x, steer) = wheels[i];
        let kappa = wheel::slip(speeds[i], r_w * spin, wheel::LEAST_SPEED, defects);
        let left = speed * sin + yaw_rate * x;
        let alpha = if has_slip_angles(speed, defects) {
            wheel::slip_angle(speed * cos, left, steer, defects)
        } else {
            0.0
        };
        let contact = Contact { kappa, alpha, gamma: 0.0, f_z: loads[i] };
        tyre::combined(&vehicle.tyre, &contact, defects)
    })
}

/// Returns the rates of speed, yaw rate, slip angle and both spins, and the yaw rate, of the model
/// with tyres.
#[inline(always)]
fn with_tyres(
    vehicle: &VehicleParameters,
    state: &States,
    [_, acceleration]: [f64; 2],
    defects: Defects,
) -> [f64; 6] {
    let [_, _, steer, speed, _, yaw_rate, beta, spin_front, spin_rear] = *state;
    let VehicleParameters { a, b, m, r_w, .. } = *vehicle;
    let [[f_xf, f_yf], [f_xr, f_yr]] = tyre_forces(vehicle, state, acceleration, defects);
    let (sin_beta, cos_beta) = math::sin_cos(beta);
    let (sin_course, cos_course) = math::sin_cos(steer - beta);
    let along = f_yr * sin_beta + f_xr * cos_beta - f_yf * sin_course + f_xf * cos_course;
    let across = f_yr * cos_beta - f_xr * sin_beta + f_yf * cos_course + f_xf * sin_course;
    let (sin_steer, cos_steer) = math::sin_cos(steer);
    let dd_yaw = (a * (f_yf * cos_steer + f_xf * sin_steer) - b * f_yr) / vehicle.i_z;
    let slips = has_slip_angles(speed, defects);
    let d_beta = if slips { across / (m * speed) - yaw_rate } else { 0.0 };
    let torques = wheel::torques(vehicle, acceleration);
    let spin_rate = |spin: f64, torque: f64, f_x: f64| {
        wheel::spin_rate(spin, (torque - r_w * f_x) / vehicle.i_y_w, speed, defects)
    };
    let d_front = spin_rate(spin_front, torques[0], f_xf);
    let d_rear = spin_rate(spin_rear, torques[1], f_xr);
    [along / m, dd_yaw, d_beta, d_front, d_rear, yaw_rate]
}

/// Returns the same rates of the model without slip, in which spins settle to rolling.
#[inline(always)]
fn slip_free(
    vehicle: &VehicleParameters,
    state: &States,
    [steer_rate, acceleration]: [f64; 2],
    defects: Defects,
) -> [f64; 6] {
    let [_, _, steer, speed, _, yaw_rate, beta, spin_front, spin_rear] = *state;
    let VehicleParameters { a, b, r_w, .. } = *vehicle;
    let steering = [steer, steer_rate];
    let path = [speed, acceleration];
    let free = SlipFree::of(a, b, steering, path, defects.squared_tangent);
    let [dd_yaw, d_beta] = if defects.hard_switch {
        let d_beta = low_speed::beta_rate(a, b, steering, defects.squared_tangent);
        [upstream_yaw_acceleration(a + b, steering, path, [beta, d_beta]), d_beta]
    } else {
        [
            free.yaw_acceleration + (free.yaw_rate - yaw_rate) / SETTLING,
            free.beta_rate + (free.beta - beta) / SETTLING,
        ]
    };
    let [u_front, u_rear] = wheel_speeds(vehicle, state, defects);
    let rolls = |spin: f64, speed: f64| {
        // the reference has reset a negative spin before
        let spin = if defects.stops_hold { spin.max(0.0) } else { spin };
        (speed / r_w - spin) / SETTLING
    };
    let (front, rear) = (rolls(spin_front, u_front), rolls(spin_rear, u_rear));
    [acceleration, dd_yaw, d_beta, front, rear, free.yaw_rate]
}

/// Returns the fastest rate of a state, 1/s, with which a spin settles to its slip.
#[inline(always)]
pub fn stiffness(vehicle: &VehicleParameters, state: &States) -> f64 {
    let load = 0.5 * vehicle.m * GRAVITY;
    CARS.weight(state[3]) * wheel::stiffness(vehicle, load, state[3])
}
