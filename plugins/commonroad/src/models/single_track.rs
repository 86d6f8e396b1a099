//! Single track (ST): two wheels with linear tyres and load transfer by acceleration.
//!
//! States: x, y of the centre of gravity, m; δ, rad; v, m/s; ψ, rad; ψ̇, rad/s; slip angle β, rad,
//! of the velocity relative to the heading. With the axle loads F_zf = m (g b − a_x h)/L, F_zr = m
//! (g a + a_x h)/L and the stiffness μ C per unit load, I ψ̈ = a F_f − b F_r and m v (β̇ + ψ̇) =
//! F_f + F_r, where F_f = μ C_f F_zf (δ − β − a ψ̇/v) and F_r = μ C_r F_zr (b ψ̇/v − β). Althoff
//! and Würsching 2020, §6. **Limit:** small slip angles; the speed follows the input regardless of
//! the tyres.

use simhost_sdk::math;

use crate::defects::Defects;
use crate::limits::{self, Input};
use crate::low_speed::{self, Blend, CARS, SETTLING, SlipFree, mix};
use crate::parameters::{GRAVITY, VehicleParameters};

/// Number of states.
pub const STATES: usize = 7;
/// States of the model.
pub type States = [f64; STATES];

/// Speed below which the reference has no slip, m/s.
const SWITCH: f64 = 0.1;

/// A vehicle with linear tyres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearTyres {
    /// Distance from the centre of gravity to the front axle, m.
    pub a: f64,
    /// Distance from the centre of gravity to the rear axle, m.
    pub b: f64,
    /// Height of the centre of gravity, m.
    pub h: f64,
    /// Mass, kg.
    pub m: f64,
    /// Inertia in yaw, kg·m².
    pub i: f64,
    /// Friction coefficient.
    pub mu: f64,
    /// Cornering stiffness of the front per normal load and friction, 1/rad.
    pub c_f: f64,
    /// Cornering stiffness of the rear per normal load and friction, 1/rad.
    pub c_r: f64,
}

impl LinearTyres {
    /// Returns the linear part of the Magic Formula of a vehicle.
    #[inline(always)]
    pub fn of(vehicle: &VehicleParameters, defects: Defects) -> Self {
        let stiffness = -vehicle.tyre.p_ky1 / vehicle.tyre.p_dy1;
        Self {
            a: vehicle.a,
            b: vehicle.b,
            h: if defects.sprung_height { vehicle.h_s } else { vehicle.h_cg },
            m: vehicle.m,
            i: vehicle.i_z,
            mu: vehicle.tyre.p_dy1,
            c_f: stiffness,
            c_r: stiffness,
        }
    }

    /// Returns the rates of yaw rate and slip angle, rad/s² and rad/s. `speed` is not zero.
    #[inline(always)]
    pub fn rates(
        &self,
        steer: f64,
        speed: f64,
        acceleration: f64,
        turning: [f64; 2],
        defects: Defects,
    ) -> [f64; 2] {
        let [yaw_rate, beta] = turning;
        // in reverse, a slip angle of the same sign is a velocity to the other side
        let direction = if defects.forwards_only { 1.0 } else { speed.signum() };
        let per_mass = direction * self.mu / (self.a + self.b);
        let front = per_mass * self.c_f * (GRAVITY * self.b - acceleration * self.h);
        let rear = per_mass * self.c_r * (GRAVITY * self.a + acceleration * self.h);
        let front = front * (steer - beta - self.a * yaw_rate / speed);
        let rear = rear * (self.b * yaw_rate / speed - beta);
        [self.m / self.i * (self.a * front - self.b * rear), (front + rear) / speed - yaw_rate]
    }

    /// Returns the fastest rate, 1/s, at which yaw rate and slip angle settle.
    #[inline(always)]
    pub fn stiffness(&self, speed: f64) -> f64 {
        let lever = 1.0_f64.max(self.m * self.a.max(self.b) * self.a.max(self.b) / self.i);
        2.0 * self.mu * self.c_f.max(self.c_r) * GRAVITY * lever / speed.abs()
    }
}

/// Returns the rates of change of a state.
#[inline(always)]
pub fn derivative(v: &VehicleParameters, state: &States, input: Input, defects: Defects) -> States {
    let input = limits::inputs(v, state[2], state[3], input);
    let tyres = LinearTyres::of(v, defects);
    if defects.hard_switch && state[3].abs() < SWITCH {
        return slip_free(&tyres, state, input, defects);
    }
    blended(&tyres, state, input, CARS, defects)
}

/// Returns the rates of the model with tyres, blended with the model without slip.
#[inline(always)]
pub fn blended(
    tyres: &LinearTyres,
    state: &States,
    input: [f64; 2],
    blend: Blend,
    defects: Defects,
) -> States {
    let [_, _, steer, speed, yaw, yaw_rate, beta] = *state;
    let [steer_rate, acceleration] = input;
    let (sin, cos) = math::sin_cos(beta + yaw);
    let weight = if defects.hard_switch { 1.0 } else { blend.weight(speed) };
    let mut turning = [yaw_rate, 0.0, 0.0];
    if weight > 0.0 {
        let [dd_yaw, d_beta] = tyres.rates(steer, speed, acceleration, [yaw_rate, beta], defects);
        turning = [yaw_rate, dd_yaw, d_beta];
    }
    if weight < 1.0 {
        let free = SlipFree::of(
            tyres.a,
            tyres.b,
            [steer, steer_rate],
            [speed, acceleration],
            defects.squared_tangent,
        );
        let settle_yaw = free.yaw_acceleration + (free.yaw_rate - yaw_rate) / SETTLING;
        let settle_beta = free.beta_rate + (free.beta - beta) / SETTLING;
        turning = [
            mix(weight, turning[0], free.yaw_rate),
            mix(weight, turning[1], settle_yaw),
            mix(weight, turning[2], settle_beta),
        ];
    }
    let [d_yaw, dd_yaw, d_beta] = turning;
    [speed * cos, speed * sin, steer_rate, acceleration, d_yaw, dd_yaw, d_beta]
}

/// Returns the rates of the reference below its switching speed: the kinematic model at the centre
/// of gravity, which ignores slip angle and yaw rate.
#[inline(always)]
fn slip_free(
    tyres: &LinearTyres,
    state: &States,
    [steer_rate, acceleration]: [f64; 2],
    defects: Defects,
) -> States {
    let [_, _, steer, speed, yaw, _, beta] = *state;
    let steering = [steer, steer_rate];
    let free = SlipFree::of(tyres.a, tyres.b, steering, [speed, acceleration], false);
    let d_beta = low_speed::beta_rate(tyres.a, tyres.b, steering, defects.squared_tangent);
    let dd_yaw = upstream_yaw_acceleration(
        tyres.a + tyres.b,
        steering,
        [speed, acceleration],
        [beta, d_beta],
    );
    let (sin, cos) = math::sin_cos(free.beta + yaw);
    [speed * cos, speed * sin, steer_rate, acceleration, free.yaw_rate, dd_yaw, d_beta]
}

/// Returns the rate of v cos β tan δ/L with a given slip angle β, as in the reference.
#[inline(always)]
pub(super) fn upstream_yaw_acceleration(
    length: f64,
    [steer, steer_rate]: [f64; 2],
    [speed, acceleration]: [f64; 2],
    [beta, beta_rate]: [f64; 2],
) -> f64 {
    let tan = math::tan(steer);
    let (sin, cos) = math::sin_cos(beta);
    (acceleration * cos * tan - speed * sin * beta_rate * tan
        + speed * cos * steer_rate * (1.0 + tan * tan))
        / length
}
