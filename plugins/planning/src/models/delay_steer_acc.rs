//! The models of acceleration and steering angle with dead time and lag, with and without gears.

use simhost_sdk::abi::StateDesc;
use simhost_sdk::prelude::*;

use super::Model;
use super::delayed::{Drive, step};
use super::state::Moving;
use crate::delays::Delays;
use crate::gear::Gear;
use crate::params::{Acceleration, Car, DeadBand, Limits, Scaling, Steering};
use crate::ports::{AccelerationInputs, Command, GearedInputs};

/// Parameters of both models.
#[derive(Params)]
pub struct Shared {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
    /// Limits.
    #[param(flatten)]
    limits: Limits,
    /// Delay and lag of the acceleration.
    #[param(flatten)]
    acceleration: Acceleration,
    /// Delay and lag of the steering.
    #[param(flatten)]
    steering: Steering,
    /// Dead band of the steering.
    #[param(flatten)]
    dead_band: DeadBand,
    /// Factors of the commands.
    #[param(flatten)]
    scaling: Scaling,
}

/// Planning model `DELAY_STEER_ACC` of Autoware: acceleration and steering angle with dead time and
/// lag.
#[derive(Params)]
#[param(alias = "DELAY_STEER_ACC")]
pub struct DelaySteerAccParameters {
    /// Parameters that both models have.
    #[param(flatten)]
    shared: Shared,
}

/// The dynamics class of [`DelaySteerAccParameters`].
pub type DelaySteerAcc = super::adapter::Planned<DelaySteerAccParameters>;

/// Planning model `DELAY_STEER_ACC_GEARED` of Autoware: acceleration and steering angle with dead time
/// and lag, in the direction of the gear.
#[derive(Params)]
#[param(alias = "DELAY_STEER_ACC_GEARED")]
pub struct DelaySteerAccGearedParameters {
    /// Parameters that both models have.
    #[param(flatten)]
    shared: Shared,
}

/// The dynamics class of [`DelaySteerAccGearedParameters`].
pub type DelaySteerAccGeared = super::adapter::Planned<DelaySteerAccGearedParameters>;

impl Shared {
    fn memory(&self) -> Delays {
        Delays::with_room(&[self.acceleration.acc_time_delay, self.steering.steer_time_delay])
    }

    fn advance(
        &self,
        command: &Command,
        gear: Option<Gear>,
        state: &mut Moving,
        delays: &mut Delays,
        dt: f64,
    ) {
        let Self { car, limits, acceleration, steering, .. } = self;
        let counting = limits.counting(car, dt);
        let delay = acceleration.acc_time_delay;
        let wanted = delays.line(0).pass(command.acceleration, delay, dt, counting);
        let delay = steering.steer_time_delay;
        let steer = delays.line(1).pass(command.steer, delay, dt, counting);
        let [wanted, steer] = self.scaling.apply(car, limits, wanted, steer);
        let steer = steering.lag(limits, steer, self.dead_band.steer_dead_band);
        let drive = Drive { car, limits, gear, time_constant: acceleration.time_constant() };
        step(&drive, state, dt, |_| wanted, (&steer, steering.steer_bias));
    }
}

impl Model for DelaySteerAccParameters {
    type Inputs = AccelerationInputs;
    type Memory = Delays;
    const OWN: &'static [StateDesc] = &[];

    fn car(&self) -> &Car {
        &self.shared.car
    }

    fn memory(&self) -> Delays {
        self.shared.memory()
    }

    fn forget(&self, memory: &mut Remembered<Delays>) {
        memory.clear();
    }

    fn advance(
        &self,
        command: &Command,
        state: &mut Moving,
        delays: &mut Remembered<Delays>,
        dt: f64,
    ) {
        self.shared.advance(command, None, state, delays, dt);
    }

    fn steer_bias(&self) -> f64 {
        self.shared.steering.steer_bias
    }
}

impl Model for DelaySteerAccGearedParameters {
    type Inputs = GearedInputs;
    type Memory = Delays;
    const OWN: &'static [StateDesc] = &[];

    fn car(&self) -> &Car {
        &self.shared.car
    }

    fn memory(&self) -> Delays {
        self.shared.memory()
    }

    fn forget(&self, memory: &mut Remembered<Delays>) {
        memory.clear();
    }

    fn advance(
        &self,
        command: &Command,
        state: &mut Moving,
        delays: &mut Remembered<Delays>,
        dt: f64,
    ) {
        self.shared.advance(command, Some(command.gear()), state, delays, dt);
    }

    fn steer_bias(&self) -> f64 {
        self.shared.steering.steer_bias
    }
}
