//! A step of a model whose acceleration and steering angle lag behind their targets.

use simhost_sdk::prelude::*;

use super::rolling::{Rates, mean_acceleration, stop_time};
use super::state::Moving;
use crate::gear::Gear;
use crate::lag::{Acceleration, Lag};
use crate::params::{Car, Limits};

/// The parts of a model that move the car along.
pub struct Drive<'a> {
    /// Arithmetic and geometry.
    pub car: &'a Car,
    /// Limits.
    pub limits: &'a Limits,
    /// The gear of a model that has gears.
    pub gear: Option<Gear>,
    /// Time constant of the acceleration, s.
    pub time_constant: f64,
}

/// Advances the state by `dt` seconds. `target` is the acceleration, m/s², that the drive gives at a
/// speed, m/s. The steering is a lag of the measured angle, with the offset of the sensor, rad.
pub fn step(
    drive: &Drive<'_>,
    state: &mut Moving,
    dt: f64,
    target: impl Fn(f64) -> f64,
    steer: &Lag,
    bias: f64,
) {
    if drive.car.is_compatible() {
        let rate = steer.rate_at(state.steer + bias);
        repeat(drive, state, dt, target, |_, _| rate);
    } else {
        let from = state.steer + bias;
        follow(drive, state, dt, target, |time| steer.after(from, time) - bias);
    }
}

/// Advances the state as Autoware 1.0.0 does. `steer_rate` is the rate of the steering angle,
/// rad/s, at a speed, m/s, and a steering angle, rad, of a substep.
pub fn repeat(
    drive: &Drive<'_>,
    state: &mut Moving,
    dt: f64,
    target: impl Fn(f64) -> f64,
    steer_rate: impl Fn(f64, f64) -> f64,
) {
    let before = *state;
    integrate(drive, state, dt, target, steer_rate);
    settle(drive, &before, state, dt);
}

/// Integrates the state as Autoware 1.0.0 does, as the first part of [`repeat`].
pub fn integrate(
    drive: &Drive<'_>,
    state: &mut Moving,
    dt: f64,
    target: impl Fn(f64) -> f64,
    steer_rate: impl Fn(f64, f64) -> f64,
) {
    let limits = drive.limits;
    state.step_all(dt, drive.car.wheel_base, |v, angle, a| {
        let speed = math::limit(v, limits.vel_lim);
        let acceleration = math::limit(a, limits.vel_rate_lim);
        let jerk = -(acceleration - target(speed)) / drive.time_constant;
        Rates { speed, angle, acceleration, steer: steer_rate(speed, angle), jerk }
    });
}

/// Applies the limit of the speed and the gear to the state, as the second part of [`repeat`]. `before` is
/// the state at the start of the step.
pub fn settle(drive: &Drive<'_>, before: &Moving, state: &mut Moving, dt: f64) {
    state.vx = math::limit(state.vx, drive.limits.vel_lim);
    if let Some(gear) = drive.gear {
        state.guard(before, gear, dt);
    }
    state.reported = state.acceleration;
}

/// Advances the state with the closed solutions of the lags. `steer` is the steering angle, rad, at
/// a time of the step. The target of the acceleration is the target for the speed in the middle of
/// the step.
pub fn follow(
    drive: &Drive<'_>,
    state: &mut Moving,
    dt: f64,
    target: impl Fn(f64) -> f64,
    steer: impl Fn(f64) -> f64,
) {
    let (before, limits) = (*state, drive.limits);
    let lag = |target| Acceleration {
        from: before.acceleration,
        target,
        time_constant: drive.time_constant,
        largest: limits.vel_rate_lim,
    };
    let limited = |speed: f64| math::limit(speed, limits.vel_lim);
    let middle = before.vx + lag(target(limited(before.vx))).speed_gain(0.5 * dt);
    let lag = lag(target(limited(middle)));
    let speed = |time: f64| limited(before.vx + lag.speed_gain(time));
    let stop = drive.gear.and_then(|gear| stop_time(gear, dt, speed));
    state.roll(stop.unwrap_or(dt), drive.car.wheel_base, speed, &steer);
    state.steer = steer(dt);
    if stop.is_some() {
        (state.vx, state.acceleration) = (0.0, 0.0);
        state.reported = mean_acceleration(before.vx, 0.0, dt);
    } else {
        (state.vx, state.acceleration) = (speed(dt), lag.after(dt));
        state.reported = state.acceleration;
    }
}
