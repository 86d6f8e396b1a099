//! The ideal models of acceleration and steering angle: the car has both at once. They do not limit
//! them.

use simhost_sdk::prelude::*;

use super::Model;
use super::rolling::{mean_acceleration, stop_time};
use super::state::Moving;
use crate::params::Car;
use crate::ports::{AccelerationInputs, Command, GearedInputs};

/// Planning model `IDEAL_STEER_ACC` of Autoware: acceleration and steering angle at once.
#[derive(Params)]
#[param(alias = "IDEAL_STEER_ACC")]
pub struct IdealSteerAccParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
}

/// The dynamics class of [`IdealSteerAccParameters`].
pub type IdealSteerAcc = super::adapter::Planned<IdealSteerAccParameters>;

/// Planning model `IDEAL_STEER_ACC_GEARED` of Autoware: acceleration and steering angle at once, in the
/// direction of the gear.
#[derive(Params)]
#[param(alias = "IDEAL_STEER_ACC_GEARED")]
pub struct IdealSteerAccGearedParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
}

/// The dynamics class of [`IdealSteerAccGearedParameters`].
pub type IdealSteerAccGeared = super::adapter::Planned<IdealSteerAccGearedParameters>;

impl Model for IdealSteerAccParameters {
    type Inputs = AccelerationInputs;
    type Memory = ();

    fn car(&self) -> &Car {
        &self.car
    }

    fn advance(&self, command: &Command, state: &mut Moving, _: &mut Remembered<()>, dt: f64) {
        run(&self.car, command, state, dt, dt);
        (state.acceleration, state.reported) = (command.acceleration, command.acceleration);
    }
}

impl Model for IdealSteerAccGearedParameters {
    type Inputs = GearedInputs;
    type Memory = ();

    fn car(&self) -> &Car {
        &self.car
    }

    fn advance(&self, command: &Command, state: &mut Moving, _: &mut Remembered<()>, dt: f64) {
        let before = *state;
        let speed = |time: f64| before.vx + command.acceleration * time;
        if self.car.is_compatible() {
            run(&self.car, command, state, dt, dt);
            state.guard(&before, command.gear(), dt);
            state.reported = (state.vx - before.vx) / dt.max(1e-5);
        } else {
            let stop = stop_time(command.gear(), dt, speed);
            run(&self.car, command, state, stop.unwrap_or(dt), dt);
            if stop.is_some() {
                state.vx = 0.0;
            }
            state.reported = mean_acceleration(before.vx, state.vx, dt);
        }
        state.acceleration = state.reported;
    }
}

/// Moves the car for `time` of `dt` seconds, and gives it the speed and the steering angle at the end of
/// the step.
fn run(car: &Car, command: &Command, state: &mut Moving, time: f64, dt: f64) {
    let (from, Command { acceleration, steer, .. }) = (state.vx, *command);
    let steer = car.within_steer(steer);
    state.roll(time, car.wheel_base, |at| from + acceleration * at, |_| steer);
    (state.vx, state.steer) = (from + acceleration * dt, steer);
}
