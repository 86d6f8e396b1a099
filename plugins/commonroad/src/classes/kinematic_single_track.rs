//! The dynamics class of [`crate::models::kinematic`], with limits of steering rate and
//! acceleration.

use simhost_sdk::abi::{StateDesc, WheelGeometry};
use simhost_sdk::prelude::*;

use super::{SINGLE_TRACK, place, show};
use crate::adapter::{Adapter, BEGUN, Class, SPEED, STEER, X, Y, YAW};
use crate::embedding::{self, Measured};
use crate::limits::Input;
use crate::models::kinematic::{self, STATES, States};
use crate::overrides::{Limits, Set};
use crate::parameters::VehicleParameters;

/// The dynamics class of [`KinematicSingleTrackParameters`].
pub type KinematicSingleTrack = Adapter<KinematicSingleTrackParameters, STATES>;

/// Kinematic single track (KS) of CommonRoad. The reference point is the middle of the rear axle.
#[derive(Params)]
pub struct KinematicSingleTrackParameters {
    /// Parameter set for all values that are not given.
    #[param(default = "bmw_320i")]
    parameters: Set,
    /// Wheelbase. A larger value makes the turning circle larger.
    #[param(range = 0.1..=20.0, unit = "m")]
    wheelbase: Option<f64>,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    vehicle: VehicleParameters,
}

impl embedding::Model<STATES> for KinematicSingleTrackParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        kinematic::derivative(&self.vehicle, state, input)
    }

    fn take_over(&self, state: &mut States, at: &Motion) {
        state[3] = at.vx;
    }
}

impl Class<STATES> for KinematicSingleTrackParameters {
    type Measurements = Measured;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis =
        Chassis::new(1000.0, [0.2, 1.4], &[-0.8, -0.8, 3.5, -0.8, 3.5, 0.8, -0.8, 0.8]);
    const SLOTS: &'static [StateDesc] = &[X, Y, STEER, SPEED, YAW, BEGUN];

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        if let Some(wheelbase) = self.wheelbase {
            (self.vehicle.a, self.vehicle.b) = (0.5 * wheelbase, 0.5 * wheelbase);
        }
        self.limits.put(&mut self.vehicle);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        place(wheels, 0.0, self.vehicle.wheelbase());
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, _: &Motion) {
        let [_, _, steer, speed, _] = *state;
        show(wheels, steer, speed, speed / math::cos(steer));
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        super::told(wheels)
    }
}
