//! The class of [`crate::models::drift`]: wheels that spin on the Magic Formula.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use super::{CAR, FRONT, SINGLE_TRACK, place, show};
use crate::defects::Defects;
use crate::embedding::{self, Inputs, Measured};
use crate::models::drift::{self, STATES};
use crate::overrides::{Body, CarSet, Limits, WheelSet};
use crate::parameters::VehicleParameters;

/// Single track drift (STD) of CommonRoad, with wheels that spin and slide; the reference point is the centre of gravity.
#[derive(Params)]
pub struct SingleTrackDrift {
    /// The vehicle whose numbers hold where no others are given.
    #[param(default = "bmw_320i")]
    parameters: CarSet,
    /// Masses and places of the body.
    body: Body,
    /// Wheels that spin, and how torque is shared.
    wheels: WheelSet,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// All numbers.
    #[param(skip)]
    vehicle: VehicleParameters,
}

/// States of the model, and whether they have begun.
#[derive(State)]
pub struct States {
    #[state(unit = "m")]
    x: f64,
    #[state(unit = "m")]
    y: f64,
    #[state(unit = "rad")]
    steer: f64,
    #[state(unit = "m/s")]
    speed: f64,
    #[state(angle)]
    yaw: f64,
    #[state(unit = "rad/s")]
    yaw_rate: f64,
    #[state(unit = "rad")]
    beta: f64,
    #[state(unit = "rad/s")]
    spin_front: f64,
    #[state(unit = "rad/s")]
    spin_rear: f64,
    #[state(discrete)]
    begun: f64,
}

impl embedding::Model<STATES> for SingleTrackDrift {
    #[inline(always)]
    fn rates(&self, state: &[f64; STATES], input: [f64; 2]) -> [f64; STATES] {
        drift::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn begin(&self, at: &Motion) -> [f64; STATES] {
        let [speed, beta] = embedding::path(at);
        let spin = at.vx / self.vehicle.r_w;
        [0.0, 0.0, 0.0, speed, 0.0, at.omega, beta, spin, spin]
    }

    fn take_over(&self, state: &mut [f64; STATES], at: &Motion) {
        [state[3], state[6]] = embedding::path(at);
        state[5] = at.omega;
    }

    fn stiffness(&self, state: &[f64; STATES]) -> f64 {
        drift::stiffness(&self.vehicle, state)
    }
}

#[model]
impl Dynamics for SingleTrackDrift {
    type Actuators = Inputs;
    type Output = Motion;
    type Measurements = Measured;
    type State = States;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis = CAR;

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        self.limits.put(&mut self.vehicle);
        self.wheels.put(&mut self.vehicle);
        self.body.put(&mut self.vehicle)
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        place(wheels, -self.vehicle.b, self.vehicle.a);
        Ok(())
    }

    fn drive(
        &self,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        states: &mut States,
    ) -> Motion {
        let span = [step.dt, self.integration_step];
        let (state, motion) = embedding::advance(self, inputs, wheels.steer(FRONT), span, states);
        let radius = self.vehicle.r_w;
        show(wheels, state[2], radius * state[8], radius * state[7]);
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        super::told(wheels)
    }
}
