//! The power steering of `ACTUATION_CMD_MECHANICAL`: a controller of the tyre angle, a polynomial
//! from its torque and the speed to the torque of the motor, a delay, and an inertia with friction.
//!
//! I θ̈ = T − D θ̇ − K θ − F sgn θ̇. Source: Autoware `simple_planning_simulator` 1.0.0,
//! `MechanicalController`; the defaults come from its sample parameters.

use simhost_sdk::prelude::*;

use super::rk4;
use crate::delays::{Counting, Line};

/// Parameters of the mechanism.
#[derive(Clone, Copy, Debug, Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Mechanism {
    /// Proportional gain of the controller. A larger value makes the steering faster, up to oscillation.
    #[param(default = 386.9151820510161, range = 0.0..)]
    pub kp: f64,
    /// Integral gain of the controller. A larger value removes a remaining error faster.
    #[param(default = 5.460970982628869, range = 0.0.., unit = "1/s")]
    pub ki: f64,
    /// Derivative gain of the controller. A larger value damps the steering.
    #[param(default = 0.03550834077602694, range = 0.0.., unit = "s")]
    pub kd: f64,
    /// Gain of the target in the controller.
    #[param(default = 0.03051963576179274)]
    pub ff_gain: f64,
    /// Largest angle of the mechanism.
    #[param(default = 10.0, range = 0.0.., unit = "rad")]
    pub angle_limit: f64,
    /// Largest rate of the target and of the mechanism. A smaller value makes the steering slower.
    #[param(default = 3.0, range = 0.0.., unit = "rad/s")]
    pub rate_limit: f64,
    /// Torque below which the mechanism stays at rest against its motion.
    #[param(default = 0.00708241866710033, range = 0.0..)]
    pub dead_zone_threshold: f64,
    /// Coefficient of the third power of the torque.
    #[param(default = 0.15251276182076065)]
    pub poly_a: f64,
    /// Coefficient of the second power of the torque.
    #[param(default = -0.17301900674117585)]
    pub poly_b: f64,
    /// Coefficient of the torque.
    #[param(default = 1.5896528355739639)]
    pub poly_c: f64,
    /// Coefficient of the third power of the speed.
    #[param(default = 0.002300899817071436)]
    pub poly_d: f64,
    /// Coefficient of the second power of the speed.
    #[param(default = -0.0418928856764797)]
    pub poly_e: f64,
    /// Coefficient of the speed.
    #[param(default = 0.18449047960081838)]
    pub poly_f: f64,
    /// Coefficient of the product of torque and speed.
    #[param(default = -0.06320887302605509)]
    pub poly_g: f64,
    /// Constant of the polynomial.
    #[param(default = 0.18696796150634806)]
    pub poly_h: f64,
    /// Inertia of the mechanism. A larger value makes the steering slower.
    #[param(default = 25.17844747941984, above = 0.0)]
    pub inertia: f64,
    /// Damping of the mechanism. A larger value makes the steering slower.
    #[param(default = 117.00653795106054, range = 0.0..)]
    pub damping: f64,
    /// Stiffness that returns the mechanism to the middle.
    #[param(default = 0.17526182368541224, range = 0.0..)]
    pub stiffness: f64,
    /// Dry friction of the mechanism.
    #[param(default = 0.6596571248682918, range = 0.0..)]
    pub friction: f64,
    /// Largest torque of the motor. A smaller value makes the steering slower.
    #[param(default = 30.0, range = 0.0..)]
    pub steering_torque_limit: f64,
    /// Delay of the torque.
    #[param(default = 0.0007641271506616108, range = 0.0..=10.0, unit = "s")]
    pub torque_delay_time: f64,
}

/// State of the mechanism between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steered {
    /// Angle of the tyre, rad.
    pub angle: f64,
    /// Rate of the angle, rad/s.
    pub rate: f64,
    /// Integral of the error, rad s.
    pub integral: f64,
    /// Error of the last step, rad.
    pub error: f64,
    /// Target of the last step, rad.
    pub target: f64,
    /// Whether friction holds the mechanism.
    pub is_held: bool,
}

/// Longest step of the corrected integration, s.
const LONGEST_STEP: f64 = 0.005;
/// Shortest step in which the source computes a derivative, s.
const SHORTEST_STEP: f64 = 1e-6;

/// Result of one substep of the source.
#[derive(Clone, Copy)]
struct Stage {
    rate: f64,
    acceleration: f64,
    torque: f64,
    error: f64,
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

impl Mechanism {
    /// Returns the torque of the motor for one of the controller, at a speed, m/s.
    fn motor(&self, torque: f64, speed: f64) -> f64 {
        let (t, v) = (torque, speed.abs());
        self.poly_a * t * t * t
            + self.poly_b * t * t
            + self.poly_c * t
            + self.poly_d * v * v * v
            + self.poly_e * v * v
            + self.poly_f * v
            + self.poly_g * t * v
            + self.poly_h
    }

    fn controller(&self, state: &Steered, target: f64, error: f64, dt: f64) -> f64 {
        let derivative = if dt < SHORTEST_STEP { 0.0 } else { (error - state.error) / dt };
        self.ff_gain * target
            + self.kp * error
            + self.ki * (state.integral + error * dt)
            + self.kd * derivative
    }

    /// Returns whether friction holds the mechanism under a torque.
    fn holds(&self, was_held: bool, rate: f64, torque: f64) -> bool {
        torque.abs() < self.dead_zone_threshold && (was_held || sign(torque) != sign(rate))
    }

    fn acceleration(&self, angle: f64, rate: f64, torque: f64) -> f64 {
        let resisting = self.damping * rate + self.stiffness * angle + self.friction * sign(rate);
        (torque - resisting) / self.inertia
    }

    /// Advances the mechanism by `dt` seconds as Autoware 1.0.0 does. `target` is the target angle
    /// of the tyre, rad. The delay only blocks the first steps, and the rate limit holds for one
    /// step.
    pub fn repeat(&self, state: &mut Steered, line: &mut Line, target: f64, speed: f64, dt: f64) {
        let wanted = target.clamp(-self.angle_limit, self.angle_limit);
        let change = math::limit(wanted - state.target, self.rate_limit * dt);
        let limited = (state.target + change).clamp(-self.angle_limit, self.angle_limit);
        let moves = line.releases(self.torque_delay_time, dt);
        let stage = |angle: f64, rate: f64| {
            let error = limited - angle;
            let torque = self.motor(self.controller(state, limited, error, dt), speed);
            let torque = math::limit(torque, self.steering_torque_limit);
            let rests = !moves || self.holds(state.is_held, rate, torque);
            let acceleration = if rests { 0.0 } else { self.acceleration(angle, rate, torque) };
            Stage { rate: if rests { 0.0 } else { rate }, acceleration, torque, error }
        };
        let (angle, rate) = (state.angle, state.rate);
        let next = |by: f64, at: &Stage| {
            stage(angle + by * dt * at.rate, rate + by * dt * at.acceleration)
        };
        let first = stage(angle, rate);
        let second = next(0.5, &first);
        let third = next(0.5, &second);
        let fourth = next(1.0, &third);
        let mean = |of: fn(&Stage) -> f64| {
            (of(&first) + 2.0 * of(&second) + 2.0 * of(&third) + of(&fourth)) / 6.0
        };
        let (error, torque) = (mean(|stage| stage.error), mean(|stage| stage.torque));
        let angle = angle + dt * mean(|stage| stage.rate);
        let rate = rate + dt * mean(|stage| stage.acceleration);
        state.angle = angle.clamp(-self.angle_limit, self.angle_limit);
        state.rate = math::limit(rate, self.rate_limit);
        state.error = error;
        state.integral += error * dt;
        state.is_held = self.holds(state.is_held, state.rate, torque);
        state.target = target;
        line.release(torque, self.torque_delay_time, dt);
    }

    /// Advances the mechanism by `dt` seconds. The torque arrives after its delay, the limit of the rate
    /// holds in every step, and a steering that is where it should be has no torque.
    pub fn follow(&self, state: &mut Steered, line: &mut Line, target: f64, speed: f64, dt: f64) {
        let steps = (dt / LONGEST_STEP).ceil().max(1.0);
        let h = dt / steps;
        for _ in 0..steps as usize {
            let wanted = target.clamp(-self.angle_limit, self.angle_limit);
            state.target += math::limit(wanted - state.target, self.rate_limit * h);
            let error = state.target - state.angle;
            let controller = self.controller(state, state.target, error, h);
            let torque = self.motor(controller, speed) - self.motor(0.0, speed);
            let torque = math::limit(torque, self.steering_torque_limit);
            let torque = line.pass(torque, self.torque_delay_time, h, Counting::Time);
            (state.error, state.integral) = (error, state.integral + error * h);
            self.turn(state, torque, h);
        }
    }

    /// Turns the mechanism under a torque for `h` seconds. Friction stops it, and holds it while it is
    /// greater than the torque.
    fn turn(&self, state: &mut Steered, torque: f64, h: f64) {
        let load = torque - self.stiffness * state.angle;
        state.is_held = state.rate == 0.0 && load.abs() <= self.friction;
        if state.is_held {
            return;
        }
        let direction = if state.rate == 0.0 { sign(load) } else { sign(state.rate) };
        let [angle, rate] = rk4::step([state.angle, state.rate], h, |[angle, rate]| {
            let resisting =
                self.damping * rate + self.stiffness * angle + self.friction * direction;
            [*rate, (torque - resisting) / self.inertia]
        });
        state.angle = angle.clamp(-self.angle_limit, self.angle_limit);
        // friction does not reverse a motion
        state.rate = if rate * direction < 0.0 { 0.0 } else { math::limit(rate, self.rate_limit) };
    }
}

#[cfg(test)]
#[path = "mechanism_tests.rs"]
mod tests;
