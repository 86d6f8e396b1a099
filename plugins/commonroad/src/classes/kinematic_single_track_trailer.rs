//! The dynamics class of [`crate::models::trailer`]. **Limit:** only the truck collides; the
//! trailer is a state without a body.

use simhost_sdk::abi::{StateDesc, StateKind, WheelGeometry};
use simhost_sdk::ports::Odometry;
use simhost_sdk::prelude::*;

use super::{place, show};
use crate::adapter::{Adapter, BEGUN, Class, SPEED, STEER, X, Y, YAW};
use crate::defects::Defects;
use crate::embedding;
use crate::limits::Input;
use crate::models::trailer::{self, STATES, States};
use crate::overrides::{Limits, Set};
use crate::parameters::VehicleParameters;

/// The dynamics class of [`KinematicSingleTrackTrailerParameters`].
pub type KinematicSingleTrackTrailer = Adapter<KinematicSingleTrackTrailerParameters, STATES>;

/// Kinematic single track with a trailer on the rear axle (KST) of CommonRoad. The reference point
/// is the middle of the rear axle.
#[derive(Params)]
pub struct KinematicSingleTrackTrailerParameters {
    /// Parameter set for all values that are not given. Only `truck_trailer` has a trailer.
    #[param(default = "truck_trailer")]
    parameters: Set,
    /// Wheelbase of the truck. A larger value makes the turning circle larger.
    #[param(range = 0.1..=20.0, unit = "m")]
    wheelbase: Option<f64>,
    /// Distance from the hitch to the trailer axle. A larger value makes the trailer follow more
    /// slowly.
    #[param(range = 0.1..=30.0, unit = "m")]
    trailer_wheelbase: Option<f64>,
    /// Hitch angle at the start, positive counter-clockwise.
    #[param(default = 0.0, range = -90.0..=90.0, unit = "deg", scale = math::DEG, key = "hitch_angle_deg")]
    hitch: f64,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    vehicle: VehicleParameters,
}

const TRAILER: usize = 2;
/// Yaw of the trailer relative to the truck, counter-clockwise.
const HITCH: StateDesc = StateDesc::slot(
    "hitch",
    "rad",
    StateKind::Angle,
    "Yaw of the trailer relative to the truck, counter-clockwise.",
);

/// Measurements of the class.
#[derive(Clone, Copy, Ports)]
pub struct MeasuredTrailer {
    /// Velocity from the speed of the rear wheel and the steering angle.
    #[port(flatten)]
    odometry: Odometry,
    /// Steering angle of the front wheel, positive counter-clockwise.
    #[port(unit = "rad")]
    steer_angle: f64,
    /// Yaw of the trailer relative to the truck, positive counter-clockwise.
    #[port(unit = "rad")]
    hitch_yaw: f64,
}

impl embedding::Model<STATES> for KinematicSingleTrackTrailerParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        trailer::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn begin(&self, at: &Motion) -> States {
        [0.0, 0.0, 0.0, at.vx, 0.0, self.hitch]
    }

    fn take_over(&self, state: &mut States, at: &Motion) {
        state[3] = at.vx;
    }
}

impl Class<STATES> for KinematicSingleTrackTrailerParameters {
    type Measurements = MeasuredTrailer;
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::placed("rear_wheel"),
        WheelPlace::placed("front_wheel").steered(),
        WheelPlace::placed("trailer_wheel").swivelling(),
    ];
    const CHASSIS: Chassis =
        Chassis::new(8000.0, [0.4, 3.5], &[-0.8, -1.27, 4.3, -1.27, 4.3, 1.27, -0.8, 1.27]);
    const SLOTS: &'static [StateDesc] = &[X, Y, STEER, SPEED, YAW, HITCH, BEGUN];

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        if let Some(wheelbase) = self.wheelbase {
            (self.vehicle.a, self.vehicle.b) = (0.5 * wheelbase, 0.5 * wheelbase);
        }
        let trailer = &mut self.vehicle.trailer.wheelbase;
        *trailer = self.trailer_wheelbase.unwrap_or(*trailer);
        if trailer.is_nan() {
            let text = "the parameter set has no trailer; give <trailer_wheelbase>, or use the \
                        parameters `truck_trailer`";
            return Err(text.into());
        }
        self.limits.put(&mut self.vehicle);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        place(wheels, 0.0, self.vehicle.wheelbase());
        // position of the trailer axle at a hitch angle of 0
        if let Some(wheel) = wheels.get_mut(TRAILER) {
            (wheel.x, wheel.y) = (-self.vehicle.trailer.wheelbase, 0.0);
        }
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, _: &Motion) {
        let [_, _, steer, speed, _, hitch] = *state;
        show(wheels, steer, speed, speed / math::cos(steer));
        wheels.set_steer(TRAILER, hitch);
        wheels.set_spin(TRAILER, speed * math::cos(hitch) / wheels.radius(TRAILER));
    }

    fn measure(&self, wheels: &WheelMotion) -> MeasuredTrailer {
        let told = super::told(wheels);
        MeasuredTrailer {
            odometry: told.odometry,
            steer_angle: told.steer_angle,
            hitch_yaw: wheels.steer(TRAILER),
        }
    }
}
