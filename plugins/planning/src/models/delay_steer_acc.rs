//! The models of acceleration and steering angle with dead time and lag, with and without gears.

use simhost_sdk::prelude::*;

use super::Model;
use super::delayed::{Drive, step};
use super::lagging::Lagging;
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::gear::Gear;
use crate::params::Car;
use crate::ports::{AccelerationInputs, Command, GearedInputs};

/// Planning model `DELAY_STEER_ACC` of Autoware: acceleration and steering angle with dead time and
/// lag.
#[derive(Params)]
#[param(alias = "DELAY_STEER_ACC")]
pub struct DelaySteerAccParameters {
    /// Dead times, lags and limits.
    #[param(flatten)]
    lagging: Lagging,
}

/// The dynamics class of [`DelaySteerAccParameters`].
pub type DelaySteerAcc = super::adapter::Planned<DelaySteerAccParameters>;

/// Planning model `DELAY_STEER_ACC_GEARED` of Autoware: acceleration and steering angle with dead time
/// and lag, in the direction of the gear.
#[derive(Params)]
#[param(alias = "DELAY_STEER_ACC_GEARED")]
pub struct DelaySteerAccGearedParameters {
    /// Dead times, lags and limits.
    #[param(flatten)]
    lagging: Lagging,
}

/// The dynamics class of [`DelaySteerAccGearedParameters`].
pub type DelaySteerAccGeared = super::adapter::Planned<DelaySteerAccGearedParameters>;

fn advance(
    lagging: &Lagging,
    command: &Command,
    gear: Option<Gear>,
    state: &mut Moving,
    delays: &mut Delays,
    dt: f64,
) {
    let (wanted, steer) = lagging.delay(command, delays, dt);
    let Lagging { car, limits, acceleration, steering, .. } = lagging;
    let drive = Drive { car, limits, gear, time_constant: acceleration.time_constant() };
    step(&drive, state, dt, |_| wanted, &steer, steering.steer_bias);
}

impl Model for DelaySteerAccParameters {
    type Inputs = AccelerationInputs;
    with_delays! { |model| parts: model.lagging, memory: model.lagging.memory() }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        advance(&self.lagging, command, None, state, delays, dt);
    }
}

impl Model for DelaySteerAccGearedParameters {
    type Inputs = GearedInputs;
    with_delays! { |model| parts: model.lagging, memory: model.lagging.memory() }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        advance(&self.lagging, command, Some(command.gear()), state, delays, dt);
    }
}
