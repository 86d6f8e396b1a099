//! The model of pedals and of the steering angle of the tyre.

use simhost_sdk::prelude::*;

use super::Model;
use super::actuation::Pedals;
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::params::{Car, DeadBand};
use crate::ports::{ActuationInputs, Command};

/// Planning model `ACTUATION_CMD` of Autoware: accelerator, brake and steering angle of the tyre, each
/// with dead time and lag.
#[derive(Params)]
#[param(alias = "ACTUATION_CMD")]
pub struct ActuationCmdParameters {
    /// Pedals and limits.
    #[param(flatten)]
    pedals: Pedals,
    /// Dead band of the steering.
    #[param(flatten)]
    dead_band: DeadBand,
}

/// The dynamics class of [`ActuationCmdParameters`].
pub type ActuationCmd = super::adapter::Planned<ActuationCmdParameters>;

impl Model for ActuationCmdParameters {
    type Inputs = ActuationInputs;
    with_delays! { |model| parts: model.pedals, memory: model.pedals.memory(0.0) }

    fn prepare(&mut self) -> Result<(), String> {
        self.pedals.prepare()
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let Pedals { car, limits, steering, .. } = &self.pedals;
        let delayed = self.pedals.delay(command, delays, dt);
        let lag = steering.lag(limits, delayed.steer, self.dead_band.steer_dead_band);
        let from = state.steer + steering.steer_bias;
        if car.is_compatible() {
            let rate = lag.rate_at(from);
            self.pedals.repeat(&delayed, state, dt, |_, _| rate);
        } else {
            let angle = |time| lag.after(from, time) - steering.steer_bias;
            self.pedals.follow(&delayed, state, dt, angle);
        }
    }

    fn pedals(&self, state: &Moving) -> [f64; 3] {
        let [accel, brake] = self.pedals.status(state);
        let steer = if self.car().is_compatible() { 0.0 } else { state.steer + self.steer_bias() };
        [accel, brake, steer]
    }
}
