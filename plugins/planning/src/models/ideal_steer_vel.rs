//! The ideal model of speed and steering angle: the car has both at once.

use super::Model;
use super::rk4;
use super::state::Moving;
use crate::params::Car;
use crate::ports::{Command, VelocityInputs};
use simhost_sdk::abi::StateDesc;
use simhost_sdk::prelude::*;

/// Planning model `IDEAL_STEER_VEL` of Autoware.
#[derive(Params)]
#[param(alias = "IDEAL_STEER_VEL")]
pub struct IdealSteerVelParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
}

/// The dynamics class of [`IdealSteerVelParameters`].
pub type IdealSteerVel = super::adapter::Planned<IdealSteerVelParameters>;

impl Model for IdealSteerVelParameters {
    type Inputs = VelocityInputs;
    type Memory = ();
    const OWN: &'static [StateDesc] = &[];

    fn car(&self) -> &Car {
        &self.car
    }

    fn advance(&self, command: &Command, state: &mut Moving, _: &mut Remembered<()>, dt: f64) {
        let (v, rate) =
            (command.velocity, command.velocity * math::tan(command.steer) / self.car.wheel_base);
        let pose = rk4::step([state.x, state.y, state.yaw], dt, |[_, _, yaw]| {
            let (sin, cos) = math::sin_cos(*yaw);
            [v * cos, v * sin, rate]
        });
        let [x, y, yaw] = pose;
        *state = Moving { x, y, yaw, vx: v, steer: command.steer, ..*state };
    }
}
