//! Multi body (MB): a sprung body on two axles, with roll, pitch, heave and four wheels with Magic
//! Formula tyres.
//!
//! The vehicle dynamics model of the US Department of Transportation (Allen et al., *Vehicle
//! Dynamic Stability and Rollover*, DOT HS 807 956, 1992) as in Althoff and Würsching 2020, §8.
//! Angles and sides refer to its frame, in which y points to one side and z down. With y to the
//! left, the wheels that it calls left are at y = −T/2, which is the right side.
//!
//! Below [`CARS`]`.to` tyre forces fade and the model without slip takes over, as in ST; there the
//! axles follow the body. **Limits:** no bump stops, no squat or lift forces, level ground, roll
//! well below π/2.

mod axle;
mod body;

use simhost_sdk::math;

use self::axle::{Axle, Forces};
use self::body::{Body, SWITCH};
pub use self::body::{STATES, States, place};
use crate::defects::Defects;
use crate::limits::{self, Input};
use crate::low_speed::{CARS, SETTLING, mix};
use crate::parameters::{GRAVITY, VehicleParameters};
use crate::wheel;

/// Returns the rates of change of a state.
#[inline(always)]
pub fn derivative(v: &VehicleParameters, state: &States, input: Input, defects: Defects) -> States {
    let input = limits::inputs(v, state[place::STEER], state[place::VX], input);
    let body = Body::of(state, defects);
    let axles = [Axle::front(v, state), Axle::rear(v, state)];
    let forces = [0, 1].map(|i| axles[i].forces(v, &body, defects));
    let mut rates = [0.0; STATES];
    sprung(v, &body, &axles, &forces, &mut rates);
    for (axle, forces) in axles.iter().zip(&forces) {
        let at = axle.first;
        rates[at..at + 5].copy_from_slice(&axle.rates(v, &body, forces));
        rates[axle.shift_place] = axle.shift_rate(&body);
    }
    spins(v, state, &forces, input[1], defects, &mut rates);
    rates[place::STEER] = input[0];
    if defects.hard_switch {
        planar_upstream(v, state, input, defects, &mut rates);
    } else {
        planar(state, &mut rates);
        if body.weight < 1.0 {
            settle(v, state, input, body.weight, &mut rates);
        }
    }
    rates
}

/// Returns the velocity of the reference point and the yaw rate.
#[inline(always)]
fn planar(state: &States, rates: &mut States) {
    let (sin, cos) = math::sin_cos(state[place::YAW]);
    let (vx, vy) = (state[place::VX], state[place::VY]);
    rates[0] = vx * cos - vy * sin;
    rates[1] = vx * sin + vy * cos;
    rates[place::YAW] = state[place::YAW_RATE];
}

/// Returns the accelerations of the body in all directions.
#[inline(always)]
fn sprung(
    vehicle: &VehicleParameters,
    body: &Body,
    axles: &[Axle; 2],
    forces: &[Forces; 2],
    rates: &mut States,
) {
    let VehicleParameters { m, m_s, i_z, i_xz_s, i_phi_s, .. } = *vehicle;
    let [front, rear] = forces;
    let (sin_roll, cos_roll) = math::sin_cos(body.roll);
    let joint = front.joint + rear.joint;
    let springs = front.springs() + rear.springs();
    let sum_x = front.along + rear.along;
    let sum_n = axles[0].yaw_moment(front) + axles[1].yaw_moment(rear);
    let sum_l =
        axles[0].roll_moment(vehicle, body, front) + axles[1].roll_moment(vehicle, body, rear);
    let sum_m =
        axles[0].x * front.springs() + axles[1].x * rear.springs() + sum_x * (vehicle.h_s - body.z);
    rates[place::VX] = sum_x / m + body.yaw_rate * body.vy;
    rates[place::YAW_RATE] = (sum_n + i_xz_s / i_phi_s * sum_l) / (i_z - i_xz_s * i_xz_s / i_phi_s);
    rates[6] = body.roll_rate;
    rates[7] = (i_xz_s / i_z * sum_n + sum_l) / (i_phi_s - i_xz_s * i_xz_s / i_z);
    rates[8] = body.pitch_rate;
    rates[9] = sum_m / vehicle.i_y_s;
    rates[place::VY] = (joint * cos_roll + springs * sin_roll) / m_s - body.yaw_rate * body.vx;
    rates[11] = body.vz;
    rates[12] = GRAVITY - (springs * cos_roll - joint * sin_roll) / m_s;
}

/// Returns the rates of the spins: torque against tyre force.
#[inline(always)]
fn spins(
    vehicle: &VehicleParameters,
    state: &States,
    forces: &[Forces; 2],
    acceleration: f64,
    defects: Defects,
    rates: &mut States,
) {
    let torques = wheel::torques(vehicle, acceleration);
    for (axle, (forces, torque)) in forces.iter().zip(torques).enumerate() {
        for side in 0..2 {
            let at = place::SPIN + 2 * axle + side;
            let rate = (0.5 * torque - vehicle.r_w * forces.tyres[side][0]) / vehicle.i_y_w;
            rates[at] = wheel::spin_rate(state[at], rate, state[place::VX], defects);
        }
    }
}

/// Lets states settle to the states of a vehicle without slip below the blend.
#[inline(always)]
fn settle(
    vehicle: &VehicleParameters,
    state: &States,
    input: [f64; 2],
    weight: f64,
    rates: &mut States,
) {
    let VehicleParameters { a, b, r_w, t_f, t_r, .. } = *vehicle;
    let length = a + b;
    let (vx, steer) = (state[place::VX], state[place::STEER]);
    let (tan, (sin, cos)) = (math::tan(steer), math::sin_cos(steer));
    let turn = vx * tan / length;
    let turn_rate = (input[1] * tan + vx * input[0] * (1.0 + tan * tan)) / length;
    let mut to = |at: usize, value: f64, rate: f64| {
        let settling = rate + (value - state[at]) / SETTLING;
        rates[at] = mix(weight, rates[at], settling);
    };
    to(place::YAW_RATE, turn, turn_rate);
    // the rear axle moves along the vehicle, and the front axle turns about it
    to(place::VY, b * turn, b * turn_rate);
    to(place::FRONT + 2, length * turn, length * turn_rate);
    to(place::REAR + 2, 0.0, 0.0);
    to(place::SHIFT, 0.0, 0.0);
    to(place::SHIFT + 1, 0.0, 0.0);
    let (yaw_rate, vy) = (state[place::YAW_RATE], state[place::VY]);
    for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
        let front = (vx + sign * 0.5 * t_f * yaw_rate) * cos + (vy + a * yaw_rate) * sin;
        to(place::SPIN + side, front / r_w, 0.0);
        to(place::SPIN + 2 + side, (vx + sign * 0.5 * t_r * yaw_rate) / r_w, 0.0);
    }
    rates[place::VX] = mix(weight, rates[place::VX], input[1]);
    rates[place::YAW] = mix(weight, rates[place::YAW], turn);
}

/// Returns the rates of the reference: forwards whatever the sign of the velocity, and without slip
/// below [`SWITCH`].
#[inline(always)]
fn planar_upstream(
    vehicle: &VehicleParameters,
    state: &States,
    input: [f64; 2],
    defects: Defects,
    rates: &mut States,
) {
    use super::single_track::upstream_yaw_acceleration;
    use crate::low_speed::{SlipFree, beta_rate};

    let (vx, vy, yaw) = (state[place::VX], state[place::VY], state[place::YAW]);
    if vx.abs() >= SWITCH {
        if !defects.forwards_only {
            return planar(state, rates);
        }
        let (speed, beta) = ((vx * vx + vy * vy).sqrt(), math::atan(vy / vx));
        let (sin, cos) = math::sin_cos(beta + yaw);
        (rates[0], rates[1], rates[place::YAW]) =
            (cos * speed, sin * speed, state[place::YAW_RATE]);
        return;
    }
    let steering = [state[place::STEER], input[0]];
    let path = [vx, input[1]];
    let free = SlipFree::of(vehicle.a, vehicle.b, steering, path, defects.squared_tangent);
    let d_beta = beta_rate(vehicle.a, vehicle.b, steering, defects.squared_tangent);
    // the seventh state of the reference is the roll angle
    let beta = if defects.roll_as_slip { state[6] } else { free.beta };
    let dd_yaw = upstream_yaw_acceleration(vehicle.wheelbase(), steering, path, [beta, d_beta]);
    let (sin, cos) = math::sin_cos(free.beta + yaw);
    (rates[0], rates[1], rates[place::YAW]) = (vx * cos, vx * sin, free.yaw_rate);
    (rates[place::VX], rates[place::YAW_RATE]) = (input[1], dd_yaw);
}

/// Returns the fastest rate of a state, 1/s, with which a spin settles to its slip.
#[inline(always)]
pub fn stiffness(vehicle: &VehicleParameters, state: &States) -> f64 {
    let (vx, vy) = (state[place::VX], state[place::VY]);
    let speed = (vx * vx + vy * vy).sqrt();
    // of one side, with most of the normal load
    CARS.weight(speed) * wheel::stiffness(vehicle, 0.4 * vehicle.m * GRAVITY, speed)
}

/// Returns the state of a vehicle that rests on its springs, from its core states [x, y, δ, v, ψ,
/// ψ̇, β].
pub fn initial(vehicle: &VehicleParameters, core: [f64; 7]) -> States {
    let [x, y, steer, speed, yaw, yaw_rate, beta] = core;
    let VehicleParameters { a, b, .. } = *vehicle;
    let (sin, cos) = math::sin_cos(beta);
    let mut state = [0.0; STATES];
    state[..6].copy_from_slice(&[x, y, steer, speed * cos, yaw, yaw_rate]);
    state[place::VY] = speed * sin;
    state[place::FRONT + 2] = speed * sin + a * yaw_rate;
    state[place::REAR + 2] = speed * sin - b * yaw_rate;
    let sprung = vehicle.m_s * GRAVITY / (a + b);
    state[place::FRONT + 3] = (sprung * b + vehicle.m_uf * GRAVITY) / (2.0 * vehicle.k_zt);
    state[place::REAR + 3] = (sprung * a + vehicle.m_ur * GRAVITY) / (2.0 * vehicle.k_zt);
    state[place::SPIN..place::SPIN + 4].fill(speed * cos / vehicle.r_w);
    state
}
