//! The dynamics class of [`crate::models::single_track`], with linear tyres.

use simhost_sdk::abi::{StateDesc, WheelGeometry};
use simhost_sdk::prelude::*;

use super::{CAR, SINGLE_TRACK, place, show};
use crate::adapter::{Adapter, BEGUN, BETA, Class, SPEED, STEER, X, Y, YAW, YAW_RATE};
use crate::defects::Defects;
use crate::embedding::{self, MeasuredBody};
use crate::limits::Input;
use crate::low_speed::CARS;
use crate::models::single_track::{self, LinearTyres, STATES, States};
use crate::overrides::{Body, CarSet, Limits};
use crate::parameters::VehicleParameters;

/// The dynamics class of [`SingleTrackParameters`].
pub type SingleTrack = Adapter<SingleTrackParameters, STATES>;

/// Single track (ST) of CommonRoad with linear tyres. The reference point is the centre of gravity.
#[derive(Params)]
pub struct SingleTrackParameters {
    /// Parameter set for all values that are not given.
    #[param(default = "bmw_320i")]
    parameters: CarSet,
    /// Masses and dimensions of the body.
    body: Body,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    vehicle: VehicleParameters,
}

impl embedding::Model<STATES> for SingleTrackParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        single_track::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn stiffness(&self, state: &States) -> f64 {
        let speed = state[3].abs().max(CARS.from);
        CARS.weight(speed) * LinearTyres::of(&self.vehicle, Defects::NONE).stiffness(speed)
    }
}

impl Class<STATES> for SingleTrackParameters {
    type Measurements = MeasuredBody;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis = CAR;
    const SLOTS: &'static [StateDesc] = &[X, Y, STEER, SPEED, YAW, YAW_RATE, BETA, BEGUN];

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        self.limits.put(&mut self.vehicle);
        self.body.put(&mut self.vehicle)
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        place(wheels, -self.vehicle.b, self.vehicle.a);
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, motion: &Motion) {
        let (sin, cos) = math::sin_cos(state[2]);
        let left = motion.vy + self.vehicle.a * motion.omega;
        show(wheels, state[2], motion.vx, motion.vx * cos + left * sin);
    }

    fn measure(&self, wheels: &WheelMotion) -> MeasuredBody {
        super::told(wheels).with_body(self.vehicle.m, self.vehicle.i_z, self.vehicle.h_cg)
    }
}
