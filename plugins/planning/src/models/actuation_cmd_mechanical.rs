//! The model of pedals and of a steering wheel with power steering.

use simhost_sdk::abi::{StateDesc, StateKind};
use simhost_sdk::prelude::*;

use super::Model;
use super::actuation::{Pedals, TORQUE_LINE};
use super::gear_ratio::GearRatio;
use super::mechanism::{Mechanism, Steered};
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::params::Car;
use crate::ports::{ActuationInputs, Command};

/// Planning model `ACTUATION_CMD_MECHANICAL` of Autoware: accelerator, brake, and a steering wheel with
/// a variable gear ratio and power steering.
#[derive(Params)]
#[param(alias = "ACTUATION_CMD_MECHANICAL")]
pub struct ActuationCmdMechanicalParameters {
    /// Pedals and limits.
    #[param(flatten)]
    pedals: Pedals,
    /// Gear ratio of the steering.
    #[param(flatten)]
    ratio: GearRatio,
    /// The power steering.
    #[param(flatten)]
    mechanism: Mechanism,
}

/// The dynamics class of [`ActuationCmdMechanicalParameters`].
pub type ActuationCmdMechanical = super::adapter::Planned<ActuationCmdMechanicalParameters>;

/// Index of the target among the slots of the model.
const TARGET: usize = 3;

fn steered(state: &Moving) -> Steered {
    let [rate, integral, error, target, is_held, ..] = state.own;
    Steered { angle: state.steer, rate, integral, error, target, is_held: is_held != 0.0 }
}

fn set_steered(state: &mut Moving, steered: &Steered) {
    let Steered { angle, rate, integral, error, target, is_held } = *steered;
    state.steer = angle;
    state.own[..5].copy_from_slice(&[rate, integral, error, target, f64::from(is_held)]);
}

use StateKind::{Continuous, Discrete};

impl Model for ActuationCmdMechanicalParameters {
    type Inputs = ActuationInputs;
    const OWN: &'static [StateDesc] = &[
        StateDesc::slot(
            "steer_rate",
            "rad/s",
            Continuous,
            "Rate of the steering angle of the tyre.",
        ),
        StateDesc::slot(
            "steer_error_integral",
            "rad·s",
            Continuous,
            "Integral of the steering error.",
        ),
        StateDesc::slot("steer_error", "rad", Discrete, "Steering error of the last step."),
        StateDesc::slot("steer_target", "rad", Discrete, "Target of the tyre in the last step."),
        StateDesc::slot("steer_held", "1", Discrete, "1 while friction holds the steering."),
    ];
    with_delays! { |model|
        parts: model.pedals,
        memory: model.pedals.memory(model.mechanism.torque_delay_time)
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.pedals.prepare()
    }

    fn survive(&self, before: &Moving, state: &mut Moving, memory: &mut Pending) {
        state.own[TARGET] = before.own[TARGET];
        memory.line(TORQUE_LINE).clear();
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let Pedals { car, limits, .. } = &self.pedals;
        let delayed = self.pedals.delay(command, delays, dt);
        let mut steering = steered(state);
        let line = delays.line(TORQUE_LINE);
        if car.is_compatible() {
            self.pedals.repeat_then(&delayed, state, dt, |from, speed| {
                let target = self.ratio.tyre_target(speed, from, delayed.steer);
                self.mechanism.repeat(&mut steering, line, target, speed, dt);
                steering.angle
            });
        } else {
            let from = state.steer;
            let target = self.ratio.tyre_target(state.vx, from, delayed.steer);
            self.mechanism.follow(&mut steering, line, target, state.vx, dt);
            let change = steering.angle - from;
            let share = |time: f64| if dt > 0.0 { time / dt } else { 1.0 };
            self.pedals.follow(&delayed, state, dt, |time| from + change * share(time));
        }
        steering.angle = car.within_steer(math::limit(steering.angle, limits.steer_lim));
        set_steered(state, &steering);
    }

    fn pedals(&self, state: &Moving) -> [f64; 3] {
        let [accel, brake] = self.pedals.status(state);
        let tyre = state.steer + self.steer_bias();
        let steer = if self.car().is_compatible() { 0.0 } else { self.ratio.wheel(state.vx, tyre) };
        [accel, brake, steer]
    }
}
