//! The model of speed and steering angle with dead time and lag.

use simhost_sdk::prelude::*;

use super::Model;
use super::rolling::{Rates, mean_acceleration};
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::lag::Lag;
use crate::params::{Car, DeadBand, Limits, MIN_TIME_CONSTANT, Steering, Velocity};
use crate::ports::{Command, VelocityInputs};

/// Planning model `DELAY_STEER_VEL` of Autoware: speed and steering angle with dead time and lag.
#[derive(Params)]
#[param(alias = "DELAY_STEER_VEL")]
pub struct DelaySteerVelParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
    /// Limits.
    #[param(flatten)]
    limits: Limits,
    /// Delay and lag of the speed.
    #[param(flatten)]
    velocity: Velocity,
    /// Delay and lag of the steering.
    #[param(flatten)]
    steering: Steering,
    /// Dead band of the steering.
    #[param(flatten)]
    dead_band: DeadBand,
}

/// The dynamics class of [`DelaySteerVelParameters`].
pub type DelaySteerVel = super::adapter::Planned<DelaySteerVelParameters>;

impl DelaySteerVelParameters {
    /// Advances the state as Autoware 1.0.0 does: the steering with an explicit step of Euler.
    fn repeat(&self, state: &mut Moving, dt: f64, speed: &Lag, steer: &Lag) {
        let limits = &self.limits;
        let steer_rate = steer.rate_at(state.steer + self.steering.steer_bias);
        state.step_all(dt, self.car.wheel_base, |v, angle, _| {
            let v = math::limit(v, limits.vel_lim);
            Rates {
                speed: v,
                angle: math::limit(angle, limits.steer_lim),
                acceleration: speed.rate_at(v),
                steer: steer_rate,
                jerk: 0.0,
            }
        });
    }

    fn follow(&self, state: &mut Moving, dt: f64, speed: &Lag, steer: &Lag) {
        let (before, bias) = (*state, self.steering.steer_bias);
        let speed = |time| math::limit(speed.after(before.vx, time), self.limits.vel_lim);
        let angle = |time| steer.after(before.steer + bias, time) - bias;
        state.roll(dt, self.car.wheel_base, speed, angle);
        (state.vx, state.steer) = (speed(dt), angle(dt));
    }
}

impl Model for DelaySteerVelParameters {
    type Inputs = VelocityInputs;
    with_delays! { |model|
        parts: model,
        memory: Delays::with_room(&[model.velocity.vel_time_delay, model.steering.steer_time_delay])
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let (limits, counting) = (&self.limits, self.limits.counting(&self.car, dt));
        let delay = self.velocity.vel_time_delay;
        let velocity = delays.line(0).pass(command.velocity, delay, dt, counting);
        let delay = self.steering.steer_time_delay;
        let steer = delays.line(1).pass(command.steer, delay, dt, counting);
        let speed = Lag {
            target: math::limit(velocity, limits.vel_lim),
            time_constant: self.velocity.vel_time_constant.max(MIN_TIME_CONSTANT),
            rate: limits.vel_rate_lim,
            dead_band: 0.0,
        };
        let steer = self.car.within_steer(math::limit(steer, limits.steer_lim));
        let steer = self.steering.lag(limits, steer, self.dead_band.steer_dead_band);
        let before = state.vx;
        if self.car.is_compatible() {
            self.repeat(state, dt, &speed, &steer);
            state.reported = (state.vx - before) / dt;
        } else {
            self.follow(state, dt, &speed, &steer);
            state.reported = mean_acceleration(before, state.vx, dt);
        }
        state.acceleration = state.reported;
    }
}
