//! A rear axle that rolls without slip, and the gear that stops it.
//!
//! ẋ = v cos ψ, ẏ = v sin ψ, ψ̇ = v tan δ / L (R. Rajamani, *Vehicle Dynamics and Control*, 2nd ed.
//! 2012, section 2.2).

use simhost_sdk::prelude::*;

use super::rk4;
use super::state::Moving;
use crate::gear::Gear;

/// Shortest step of the acceleration at a stop, s.
const SHORTEST: f64 = 1e-5;

/// Rates of a substep of the source.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Speed that moves the car, m/s.
    pub speed: f64,
    /// Steering angle that turns the car, rad.
    pub angle: f64,
    /// Rate of the speed, m/s².
    pub acceleration: f64,
    /// Rate of the steering angle, rad/s.
    pub steer: f64,
    /// Rate of the acceleration, m/s³.
    pub jerk: f64,
}

impl Moving {
    fn vector(&self) -> [f64; 6] {
        [self.x, self.y, self.yaw, self.vx, self.steer, self.acceleration]
    }

    fn set_vector(&mut self, [x, y, yaw, vx, steer, acceleration]: [f64; 6]) {
        *self = Self { x, y, yaw, vx, steer, acceleration, ..*self };
    }

    /// Advances all states with the method of Runge and Kutta, as the source does. `rates` depends on
    /// speed, steering angle and acceleration.
    pub fn step_all(&mut self, dt: f64, wheel_base: f64, rates: impl Fn(f64, f64, f64) -> Rates) {
        let slope = |state: &[f64; 6]| derivative(state, wheel_base, &rates);
        self.set_vector(rk4::step(self.vector(), dt, slope));
    }

    /// Advances all states with the explicit method of Euler, as the source does.
    pub fn step_euler(&mut self, dt: f64, wheel_base: f64, rates: impl Fn(f64, f64, f64) -> Rates) {
        let state = self.vector();
        let slope = derivative(&state, wheel_base, &rates);
        self.set_vector(std::array::from_fn(|k| state[k] + dt * slope[k]));
    }

    /// Moves the pose for `time` seconds with speed, m/s, and steering angle, rad, given as functions
    /// of time.
    pub fn roll(
        &mut self,
        time: f64,
        wheel_base: f64,
        speed: impl Fn(f64) -> f64,
        steer: impl Fn(f64) -> f64,
    ) {
        if time <= 0.0 {
            return;
        }
        let state = [self.x, self.y, self.yaw, 0.0];
        let [x, y, yaw, _] = rk4::step(state, time, |[_, _, yaw, at]| {
            let (v, (sin, cos)) = (speed(*at), math::sin_cos(*yaw));
            [v * cos, v * sin, v * math::tan(steer(*at)) / wheel_base, 1.0]
        });
        (self.x, self.y, self.yaw) = (x, y, yaw);
    }

    /// Stops a car that moves against its gear at the end of a step, as the source does: it stands
    /// where it was at the start of the step.
    pub fn guard(&mut self, before: &Self, gear: Gear, dt: f64) {
        if is_held(gear, self.vx) {
            (self.x, self.y, self.yaw) = (before.x, before.y, before.yaw);
            self.vx = 0.0;
            self.acceleration = -before.vx / dt.max(SHORTEST);
        }
    }
}

fn derivative(
    [_, _, yaw, speed, steer, acceleration]: &[f64; 6],
    wheel_base: f64,
    rates: &impl Fn(f64, f64, f64) -> Rates,
) -> [f64; 6] {
    let rates = rates(*speed, *steer, *acceleration);
    let (v, (sin, cos)) = (rates.speed, math::sin_cos(*yaw));
    let turning = v * math::tan(rates.angle) / wheel_base;
    [v * cos, v * sin, turning, rates.acceleration, rates.steer, rates.jerk]
}

/// Returns whether a gear does not permit a speed, m/s.
pub fn is_held(gear: Gear, speed: f64) -> bool {
    match gear {
        Gear::Forward => speed < 0.0,
        Gear::Reverse => speed > 0.0,
        Gear::None | Gear::Neutral | Gear::Park => true,
    }
}

/// Returns the time within a step of `dt` seconds at which a gear stops a car with this speed over
/// time, or `None` if it does not.
pub fn stop_time(gear: Gear, dt: f64, speed: impl Fn(f64) -> f64) -> Option<f64> {
    if !is_held(gear, speed(dt)) {
        return None;
    }
    if is_held(gear, speed(0.0)) || speed(0.0) == 0.0 {
        return Some(0.0);
    }
    let (mut before, mut after) = (0.0, dt);
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        if is_held(gear, speed(middle)) {
            after = middle;
        } else {
            before = middle;
        }
    }
    Some(before)
}

/// Returns the mean acceleration of a step, m/s², 0 for a step without length.
pub fn mean_acceleration(from: f64, to: f64, dt: f64) -> f64 {
    if dt > 0.0 { (to - from) / dt } else { 0.0 }
}
