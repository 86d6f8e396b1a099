//! The model of pedals and of a steering wheel with a variable gear ratio.

use simhost_sdk::prelude::*;

use super::Model;
use super::actuation::Pedals;
use super::gear_ratio::GearRatio;
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::params::Car;
use crate::ports::{ActuationInputs, Command};

/// Planning model `ACTUATION_CMD_VGR` of Autoware: accelerator, brake, and a steering wheel with a
/// variable gear ratio, each with dead time and lag.
#[derive(Params)]
#[param(alias = "ACTUATION_CMD_VGR")]
pub struct ActuationCmdVgrParameters {
    /// Pedals and limits.
    #[param(flatten)]
    pedals: Pedals,
    /// Gear ratio of the steering.
    #[param(flatten)]
    ratio: GearRatio,
}

/// The dynamics class of [`ActuationCmdVgrParameters`].
pub type ActuationCmdVgr = super::adapter::Planned<ActuationCmdVgrParameters>;

impl Model for ActuationCmdVgrParameters {
    type Inputs = ActuationInputs;
    with_delays! { |model| parts: model.pedals, memory: model.pedals.memory(0.0) }

    fn prepare(&mut self) -> Result<(), String> {
        self.pedals.prepare()
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let Pedals { car, limits, steering, .. } = &self.pedals;
        let delayed = self.pedals.delay(command, delays, dt);
        let bias = steering.steer_bias;
        let (speed, from) = (state.vx, state.steer + bias);
        let lag = |speed: f64, tyre: f64| {
            steering.lag(limits, self.ratio.tyre_target(speed, tyre, delayed.steer), 0.0)
        };
        if car.is_compatible() {
            // the target follows the stage, the measured angle does not
            let rate = |speed, tyre| lag(speed, tyre).rate_at(from);
            self.pedals.repeat(&delayed, state, dt, rate);
        } else {
            // the target is that of the middle of the step
            let middle = lag(speed, from - bias).after(from, 0.5 * dt);
            let lag = lag(speed, middle - bias);
            self.pedals.follow(&delayed, state, dt, |time| lag.after(from, time) - bias);
        }
    }

    fn pedals(&self, state: &Moving) -> [f64; 3] {
        let [accel, brake] = self.pedals.status(state);
        let tyre = state.steer + self.steer_bias();
        let steer = if self.car().is_compatible() { 0.0 } else { self.ratio.wheel(state.vx, tyre) };
        [accel, brake, steer]
    }
}
