//! The ideal model of speed and steering angle: the car has both at once. It does not limit them.

use simhost_sdk::abi::{StateDesc, StateKind};
use simhost_sdk::prelude::*;

use super::Model;
use super::rolling::mean_acceleration;
use super::state::Moving;
use crate::params::Car;
use crate::ports::{Command, VelocityInputs};

/// Planning model `IDEAL_STEER_VEL` of Autoware: speed and steering angle at once.
#[derive(Params)]
#[param(alias = "IDEAL_STEER_VEL")]
pub struct IdealSteerVelParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
}

/// The dynamics class of [`IdealSteerVelParameters`].
pub type IdealSteerVel = super::adapter::Planned<IdealSteerVelParameters>;

/// The slot of a model that reports the derivative of its command.
pub(super) const COMMANDED: &[StateDesc] = &[StateDesc::slot(
    "commanded_speed",
    "m/s",
    StateKind::Continuous,
    "Speed that was commanded last.",
)];

/// Sets the reported acceleration to the derivative of the commanded speed. The source starts from a
/// command of 0 and divides by a step without length.
pub(super) fn report_command(car: &Car, state: &mut Moving, before: f64, velocity: f64, dt: f64) {
    state.reported = if car.is_compatible() {
        (velocity - state.own[0]) / dt
    } else {
        mean_acceleration(before, velocity, dt)
    };
    state.own[0] = velocity;
}

impl Model for IdealSteerVelParameters {
    type Inputs = VelocityInputs;
    type Memory = ();
    const OWN: &'static [StateDesc] = COMMANDED;

    fn car(&self) -> &Car {
        &self.car
    }

    fn advance(&self, command: &Command, state: &mut Moving, _: &mut Remembered<()>, dt: f64) {
        let Command { velocity, steer, .. } = *command;
        let steer = self.car.within_steer(steer);
        state.roll(dt, self.car.wheel_base, |_| velocity, |_| steer);
        report_command(&self.car, state, state.vx, velocity, dt);
        (state.vx, state.steer) = (velocity, steer);
    }
}
