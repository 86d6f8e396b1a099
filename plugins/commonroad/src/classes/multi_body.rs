//! The dynamics class of [`crate::models::multi_body`], with roll, pitch, heave and four wheels.
//!
//! **Limits:** the model assumes level ground; its roll and pitch are states that are not
//! displayed. A push by another body resets them.

use simhost_sdk::abi::{StateDesc, StateKind, WheelGeometry};
use simhost_sdk::prelude::*;

use super::CAR;
use crate::adapter::{Adapter, BEGUN, Class, STEER, X, Y, YAW, YAW_RATE};
use crate::defects::Defects;
use crate::embedding::{self, Measured, MeasuredBody};
use crate::limits::Input;
use crate::models::multi_body::{self, STATES, States, place};
use crate::overrides::{Body, CarSet, Limits, Suspension, WheelSet};
use crate::parameters::VehicleParameters;

/// The dynamics class of [`MultiBodyParameters`].
pub type MultiBody = Adapter<MultiBodyParameters, STATES>;

/// Multi-body vehicle (MB) of CommonRoad, with 29 states. The reference point is the centre of
/// gravity.
#[derive(Params)]
pub struct MultiBodyParameters {
    /// Parameter set for all values that are not given.
    #[param(default = "bmw_320i")]
    parameters: CarSet,
    /// Masses and dimensions of the body.
    body: Body,
    /// Wheels and torque distribution.
    wheels: WheelSet,
    /// Springs, dampers and track widths.
    suspension: Suspension,
    /// Limits of steering and speed.
    limits: Limits,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.002, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    vehicle: VehicleParameters,
}

const fn continuous(name: &'static str, unit: &'static str, doc: &'static str) -> StateDesc {
    StateDesc::slot(name, unit, StateKind::Continuous, doc)
}

/// State slots in the order of the model.
const SLOTS: [StateDesc; STATES + 1] = [
    X,
    Y,
    STEER,
    continuous("vx", "m/s", "Forward velocity of the sprung mass, vehicle frame."),
    YAW,
    YAW_RATE,
    continuous("roll", "rad", "Roll of the sprung mass."),
    continuous("roll_rate", "rad/s", "Roll rate of the sprung mass."),
    continuous("pitch", "rad", "Pitch of the sprung mass."),
    continuous("pitch_rate", "rad/s", "Pitch rate of the sprung mass."),
    continuous("vy", "m/s", "Leftward velocity of the sprung mass, vehicle frame."),
    continuous("z", "m", "Height of the sprung mass."),
    continuous("vz", "m/s", "Upward velocity of the sprung mass."),
    continuous("front_roll", "rad", "Roll of the front axle."),
    continuous("front_roll_rate", "rad/s", "Roll rate of the front axle."),
    continuous("front_vy", "m/s", "Leftward velocity of the front axle."),
    continuous("front_z", "m", "Height of the front axle."),
    continuous("front_vz", "m/s", "Upward velocity of the front axle."),
    continuous("rear_roll", "rad", "Roll of the rear axle."),
    continuous("rear_roll_rate", "rad/s", "Roll rate of the rear axle."),
    continuous("rear_vy", "m/s", "Leftward velocity of the rear axle."),
    continuous("rear_z", "m", "Height of the rear axle."),
    continuous("rear_vz", "m/s", "Upward velocity of the rear axle."),
    continuous("spin_front_right", "rad/s", "Spin of the front right wheel."),
    continuous("spin_front_left", "rad/s", "Spin of the front left wheel."),
    continuous("spin_rear_right", "rad/s", "Spin of the rear right wheel."),
    continuous("spin_rear_left", "rad/s", "Spin of the rear left wheel."),
    continuous("front_shift", "m", "Sideways shift of the front axle relative to the body."),
    continuous("rear_shift", "m", "Sideways shift of the rear axle relative to the body."),
    BEGUN,
];

/// Index of the spin of each wheel in the order of the elements. The model lists y = −T/2, the
/// right side, first.
const SPINS: [usize; 4] = [place::SPIN + 3, place::SPIN + 2, place::SPIN + 1, place::SPIN];
const REAR: usize = 0;
const FRONT: usize = 2;

/// Returns the steering angle, rad, which both front wheels share.
fn steer(wheels: &WheelMotion) -> f64 {
    0.5 * (wheels.steer(FRONT) + wheels.steer(FRONT + 1))
}

impl embedding::Model<STATES> for MultiBodyParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        multi_body::derivative(&self.vehicle, state, input, Defects::NONE)
    }

    fn begin(&self, at: &Motion) -> States {
        let [speed, beta] = embedding::path(at);
        multi_body::initial(&self.vehicle, [0.0, 0.0, 0.0, speed, 0.0, at.omega, beta])
    }

    fn take_over(&self, state: &mut States, at: &Motion) {
        // the axles follow the body, which rests on its springs, because the effect of a push on
        // roll and pitch is unknown
        let [speed, beta] = embedding::path(at);
        let [x, y, steer, _, yaw, ..] = *state;
        let core = [x, y, steer, speed, yaw, at.omega, beta];
        let spins: [f64; 4] = std::array::from_fn(|i| state[place::SPIN + i]);
        *state = multi_body::initial(&self.vehicle, core);
        state[place::SPIN..place::SPIN + 4].copy_from_slice(&spins);
    }

    fn stiffness(&self, state: &States) -> f64 {
        multi_body::stiffness(&self.vehicle, state)
    }
}

impl Class<STATES> for MultiBodyParameters {
    type Measurements = MeasuredBody;
    const WHEELS: &'static [WheelPlace] = WheelPlace::CAR;
    const CHASSIS: Chassis = CAR;
    const SLOTS: &'static [StateDesc] = &SLOTS;

    fn prepare(&mut self) -> Result<(), String> {
        self.vehicle = self.parameters.vehicle();
        self.limits.put(&mut self.vehicle);
        self.wheels.put(&mut self.vehicle);
        self.suspension.put(&mut self.vehicle);
        self.body.put(&mut self.vehicle)
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        let VehicleParameters { a, b, t_f, t_r, .. } = self.vehicle;
        let places = [[-b, t_r], [-b, -t_r], [a, t_f], [a, -t_f]];
        for (wheel, [x, track]) in wheels.iter_mut().zip(places) {
            (wheel.x, wheel.y) = (x, 0.5 * track);
        }
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn steer(&self, wheels: &WheelMotion) -> f64 {
        steer(wheels)
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, _: &Motion) {
        for (wheel, spin) in SPINS.into_iter().enumerate() {
            if wheel >= FRONT {
                wheels.set_steer(wheel, state[place::STEER]);
            }
            wheels.set_spin(wheel, state[spin] * self.vehicle.r_w / wheels.radius(wheel));
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> MeasuredBody {
        let speed = 0.5 * (wheels.rolling_speed(REAR) + wheels.rolling_speed(REAR + 1));
        let VehicleParameters { m, i_z, h_cg, .. } = self.vehicle;
        Measured::of(wheels, speed, steer(wheels), [FRONT, REAR]).with_body(m, i_z, h_cg)
    }
}
