//! The dynamics class of [`crate::models::drift`], with spinning wheels and Magic Formula tyres.

use simhost_sdk::abi::{StateDesc, StateKind, WheelGeometry};
use simhost_sdk::prelude::*;

use super::{CAR, SINGLE_TRACK, place, show};
use crate::adapter::{Adapter, BEGUN, BETA, Class, SPEED, STEER, X, Y, YAW, YAW_RATE};
use crate::defects::Defects;
use crate::embedding::{self, MeasuredBody};
use crate::limits::Input;
use crate::models::drift::{self, STATES, States};
use crate::overrides::{Body, CarSet, Limits, WheelSet};
use crate::parameters::VehicleParameters;

/// The dynamics class of [`SingleTrackDriftParameters`].
pub type SingleTrackDrift = Adapter<SingleTrackDriftParameters, STATES>;

/// Single track drift (STD) of CommonRoad, with wheels that spin and slide. The reference point is
/// the centre of gravity.
#[derive(Params)]
pub struct SingleTrackDriftParameters {
    /// Parameter set for all values that are not given.
    #[param(default = "bmw_320i")]
    parameters: CarSet,
    /// Masses and dimensions of the body.
    body: Body,
    /// Wheels and torque distribution.
    wheels: WheelSet,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    vehicle: VehicleParameters,
}

/// Spin of the front axle.
const SPIN_FRONT: StateDesc =
    StateDesc::slot("spin_front", "rad/s", StateKind::Continuous, "Spin of the front axle.");
/// Spin of the rear axle.
const SPIN_REAR: StateDesc =
    StateDesc::slot("spin_rear", "rad/s", StateKind::Continuous, "Spin of the rear axle.");

impl embedding::Model<STATES> for SingleTrackDriftParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        drift::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn begin(&self, at: &Motion) -> States {
        let [speed, beta] = embedding::path(at);
        let spin = at.vx / self.vehicle.r_w;
        [0.0, 0.0, 0.0, speed, 0.0, at.omega, beta, spin, spin]
    }

    fn stiffness(&self, state: &States) -> f64 {
        drift::stiffness(&self.vehicle, state)
    }
}

impl Class<STATES> for SingleTrackDriftParameters {
    type Measurements = MeasuredBody;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis = CAR;
    const SLOTS: &'static [StateDesc] =
        &[X, Y, STEER, SPEED, YAW, YAW_RATE, BETA, SPIN_FRONT, SPIN_REAR, BEGUN];

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        self.limits.put(&mut self.vehicle);
        self.wheels.put(&mut self.vehicle);
        self.body.put(&mut self.vehicle)
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        place(wheels, -self.vehicle.b, self.vehicle.a);
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, _: &Motion) {
        let radius = self.vehicle.r_w;
        show(wheels, state[2], radius * state[8], radius * state[7]);
    }

    fn measure(&self, wheels: &WheelMotion) -> MeasuredBody {
        super::told(wheels).with_body(self.vehicle.m, self.vehicle.i_z, self.vehicle.h_cg)
    }
}
