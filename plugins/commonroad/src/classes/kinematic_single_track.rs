//! The class of [`crate::models::kinematic`]: where the wheels point, with bounded steering rate and acceleration.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use super::{FRONT, SINGLE_TRACK, place, show};
use crate::embedding::{self, Inputs, Measured};
use crate::models::kinematic::{self, STATES};
use crate::overrides::{Limits, Set};
use crate::parameters::VehicleParameters;

/// Kinematic single track (KS) of CommonRoad; the reference point is the middle of the rear axle.
#[derive(Params)]
pub struct KinematicSingleTrack {
    /// The vehicle whose numbers hold where no others are given.
    #[param(default = "bmw_320i")]
    parameters: Set,
    /// Distance of the axles; more of it and the vehicle needs more room to turn.
    #[param(range = 0.1..=20.0, unit = "m")]
    wheelbase: Option<f64>,
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
    #[state(discrete)]
    begun: f64,
}

impl embedding::Model<STATES> for KinematicSingleTrack {
    #[inline(always)]
    fn rates(&self, state: &[f64; STATES], input: [f64; 2]) -> [f64; STATES] {
        kinematic::derivative(&self.vehicle, state, input)
    }

    fn begin(&self, at: &Motion) -> [f64; STATES] {
        [0.0, 0.0, 0.0, at.vx, 0.0]
    }

    fn take_over(&self, state: &mut [f64; STATES], at: &Motion) {
        state[3] = at.vx;
    }
}

#[model]
impl Dynamics for KinematicSingleTrack {
    type Actuators = Inputs;
    type Output = Motion;
    type Measurements = Measured;
    type State = States;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis = Chassis {
        mass: 1000.0,
        z_min: 0.2,
        z_max: 1.4,
        polygon: &[-0.8, -0.8, 3.5, -0.8, 3.5, 0.8, -0.8, 0.8],
    };

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        if let Some(wheelbase) = self.wheelbase {
            (self.vehicle.a, self.vehicle.b) = (0.5 * wheelbase, 0.5 * wheelbase);
        }
        self.limits.put(&mut self.vehicle);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        place(wheels, 0.0, self.vehicle.wheelbase());
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
        let [_, _, steer, speed, _] = state;
        show(wheels, steer, speed, speed / math::cos(steer));
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        super::told(wheels)
    }
}
