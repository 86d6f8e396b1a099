//! The class of [`crate::models::single_track`]: linear tyres.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use super::{CAR, FRONT, SINGLE_TRACK, place, show};
use crate::defects::Defects;
use crate::embedding::{self, Inputs, Measured};
use crate::low_speed::CARS;
use crate::models::single_track::{self, LinearTyres, STATES};
use crate::overrides::{Body, CarSet, Limits};
use crate::parameters::VehicleParameters;

/// Single track (ST) of CommonRoad, on linear tyres; the reference point is the centre of gravity.
#[derive(Params)]
pub struct SingleTrack {
    /// The vehicle whose numbers hold where no others are given.
    #[param(default = "bmw_320i")]
    parameters: CarSet,
    /// Masses and places of the body.
    body: Body,
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
    #[state(discrete)]
    begun: f64,
}

impl embedding::Model<STATES> for SingleTrack {
    #[inline(always)]
    fn rates(&self, state: &[f64; STATES], input: [f64; 2]) -> [f64; STATES] {
        single_track::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn begin(&self, at: &Motion) -> [f64; STATES] {
        let [speed, beta] = embedding::path(at);
        [0.0, 0.0, 0.0, speed, 0.0, at.omega, beta]
    }

    fn take_over(&self, state: &mut [f64; STATES], at: &Motion) {
        [state[3], state[6]] = embedding::path(at);
        state[5] = at.omega;
    }

    fn stiffness(&self, state: &[f64; STATES]) -> f64 {
        let speed = state[3].abs().max(CARS.from);
        CARS.weight(speed) * LinearTyres::of(&self.vehicle, Defects::NONE).stiffness(speed)
    }
}

#[model]
impl Dynamics for SingleTrack {
    type Actuators = Inputs;
    type Output = Motion;
    type Measurements = Measured;
    type State = States;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis = CAR;

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        self.limits.put(&mut self.vehicle);
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
        let (sin, cos) = math::sin_cos(state[2]);
        let left = motion.vy + self.vehicle.a * motion.omega;
        show(wheels, state[2], motion.vx, motion.vx * cos + left * sin);
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        super::told(wheels)
    }
}
