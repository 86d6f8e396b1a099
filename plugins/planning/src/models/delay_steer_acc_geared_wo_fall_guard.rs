//! The model of pedals on a slope: brakes oppose the motion in any gear, and a car without enough
//! brake slides down.

use simhost_sdk::abi::{StateDesc, StateKind};
use simhost_sdk::prelude::*;

use super::Model;
use super::lagging::Lagging;
use super::rolling::{Rates, mean_acceleration};
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::gear::Gear;
use crate::lag::{Acceleration as AccelerationLag, Lag};
use crate::params::Car;
use crate::ports::{Command, PedalInputs};

/// Planning model `DELAY_STEER_ACC_GEARED_WO_FALL_GUARD` of Autoware: acceleration of the pedals and
/// steering angle with dead time and lag, on slopes.
#[derive(Params)]
#[param(alias = "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD")]
pub struct WoFallGuardParameters {
    /// Dead times, lags and limits.
    #[param(flatten)]
    lagging: Lagging,
}

/// The dynamics class of [`WoFallGuardParameters`].
pub type DelaySteerAccGearedWoFallGuard = super::adapter::Planned<WoFallGuardParameters>;

/// Index of the pedals among the slots of the model.
const PEDAL: usize = 0;

/// Returns the acceleration, m/s², that the source gives to a car with this speed, m/s, for the
/// acceleration of the pedals and of the slope, m/s².
fn acceleration(gear: Gear, speed: f64, pedal: f64, slope: f64) -> f64 {
    if pedal >= 0.0 {
        return match gear {
            Gear::None | Gear::Park => 0.0,
            Gear::Neutral => slope,
            Gear::Reverse => -pedal + slope,
            Gear::Forward => pedal + slope,
        };
    }
    if speed > 0.0 {
        pedal + slope
    } else if speed < 0.0 {
        -pedal + slope
    } else if -pedal >= slope.abs() {
        0.0
    } else {
        slope
    }
}

/// As [`acceleration`], but a car that stands on too weak a brake slides with what the brake leaves of
/// the slope.
fn sliding(gear: Gear, speed: f64, pedal: f64, slope: f64) -> f64 {
    if pedal < 0.0 && speed == 0.0 {
        return slope - math::limit(slope, -pedal);
    }
    acceleration(gear, speed, pedal, slope)
}

impl WoFallGuardParameters {
    /// Advances the state as Autoware 1.0.0 does, with the explicit method of Euler.
    fn repeat(&self, command: &Command, state: &mut Moving, dt: f64, wanted: f64, steer: &Lag) {
        let (before, limits) = (*state, &self.lagging.limits);
        let slope = command.slope;
        let pedal = math::limit(before.own[PEDAL], limits.vel_rate_lim);
        let steer_rate = steer.rate_at(before.steer + self.lagging.steering.steer_bias);
        state.step_euler(dt, self.lagging.car.wheel_base, |v, angle, _| {
            let speed = math::limit(v, limits.vel_lim);
            let acceleration = acceleration(command.gear(), speed, pedal, slope);
            Rates { speed, angle, acceleration, steer: steer_rate, jerk: 0.0 }
        });
        state.own[PEDAL] += dt * -(pedal - wanted) / self.lagging.acceleration.time_constant();
        state.vx = math::limit(state.vx, limits.vel_lim);
        if before.vx * state.vx <= 0.0 && -state.own[PEDAL] >= slope.abs() {
            state.vx = 0.0;
        }
        state.acceleration = (state.vx - before.vx) / dt;
    }

    fn follow(&self, command: &Command, state: &mut Moving, dt: f64, wanted: f64, steer: &Lag) {
        let (before, bias) = (*state, self.lagging.steering.steer_bias);
        let lag = AccelerationLag {
            from: before.own[PEDAL],
            target: wanted,
            time_constant: self.lagging.acceleration.time_constant(),
            largest: self.lagging.limits.vel_rate_lim,
        };
        let angle = |time: f64| steer.after(before.steer + bias, time) - bias;
        let pedal = mean_acceleration(0.0, lag.speed_gain(dt), dt);
        let speeds = self.speeds(command, before.vx, pedal, dt);
        let mut start = 0.0;
        for [from, rate, time] in speeds {
            state.roll(
                time,
                self.lagging.car.wheel_base,
                |at| from + rate * at,
                |at| angle(start + at),
            );
            state.vx = math::limit(from + rate * time, self.lagging.limits.vel_lim);
            start += time;
        }
        (state.steer, state.own[PEDAL]) = (angle(dt), lag.after(dt));
        state.acceleration = mean_acceleration(before.vx, state.vx, dt);
    }

    /// Returns speed, m/s, acceleration, m/s², and length, s, of the two parts of a step: before the
    /// speed reaches 0, and after.
    fn speeds(&self, command: &Command, from: f64, pedal: f64, dt: f64) -> [[f64; 3]; 2] {
        let (gear, slope) = (command.gear(), command.slope);
        if gear == Gear::Park {
            return [[0.0, 0.0, dt], [0.0; 3]];
        }
        let limit = self.lagging.limits.vel_lim;
        let from = math::limit(from, limit);
        let rate = sliding(gear, from, pedal, slope);
        if pedal < 0.0 && from * rate < 0.0 && -from / rate < dt {
            let stop = -from / rate;
            let after = sliding(gear, 0.0, pedal, slope);
            return [[from, rate, stop], [0.0, after, dt - stop]];
        }
        // at the limit the car keeps its speed
        let to = math::limit(from + rate * dt, limit);
        [[from, mean_acceleration(from, to, dt), dt], [to, 0.0, 0.0]]
    }
}

impl Model for WoFallGuardParameters {
    type Inputs = PedalInputs;
    const OWN: &'static [StateDesc] =
        &[StateDesc::slot("pedal", "m/s²", StateKind::Continuous, "Acceleration of the pedals.")];
    with_delays! { |model| parts: model.lagging, memory: model.lagging.memory() }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let (wanted, steer) = self.lagging.delay(command, delays, dt);
        if self.lagging.car.is_compatible() {
            self.repeat(command, state, dt, wanted, &steer);
        } else {
            self.follow(command, state, dt, wanted, &steer);
        }
        state.reported = state.acceleration;
    }
}
