//! The sprung body and the states of the multi-body model.

use crate::defects::Defects;
use crate::low_speed::CARS;

/// Number of states.
pub const STATES: usize = 29;

/// States of the model.
pub type States = [f64; STATES];

/// Indices of states that other modules use.
pub mod place {
    /// Steering angle, rad.
    pub const STEER: usize = 2;
    /// Forward velocity, m/s.
    pub const VX: usize = 3;
    /// Heading, rad.
    pub const YAW: usize = 4;
    /// Yaw rate, rad/s.
    pub const YAW_RATE: usize = 5;
    /// Sideways velocity, m/s.
    pub const VY: usize = 10;
    /// First state of the front axle: roll, roll rate, sideways velocity, height and its rate.
    pub const FRONT: usize = 13;
    /// First state of the rear axle.
    pub const REAR: usize = 18;
    /// First spin: front wheels at y = −T/2 and T/2, then rear wheels.
    pub const SPIN: usize = 23;
    /// Sideways shift of the front axle relative to the body, m, then of the rear axle.
    pub const SHIFT: usize = 27;
}

/// Speed below which the reference has no slip, m/s.
pub(super) const SWITCH: f64 = 0.1;

/// The sprung body and the forces on it.
pub(crate) struct Body {
    pub steer: f64,
    pub vx: f64,
    pub vy: f64,
    pub yaw_rate: f64,
    pub roll: f64,
    pub roll_rate: f64,
    pub pitch: f64,
    pub pitch_rate: f64,
    pub z: f64,
    pub vz: f64,
    /// Whether wheels have slip in the reference.
    pub slips: bool,
    /// Weight of the tyre forces, from 0 to 1.
    pub weight: f64,
}

impl Body {
    #[inline(always)]
    pub(super) fn of(state: &States, defects: Defects) -> Self {
        let (vx, vy) = (state[place::VX], state[place::VY]);
        let weight =
            if defects.hard_switch { 1.0 } else { CARS.weight((vx * vx + vy * vy).sqrt()) };
        Self {
            steer: state[place::STEER],
            vx,
            vy,
            yaw_rate: state[place::YAW_RATE],
            roll: state[6],
            roll_rate: state[7],
            pitch: state[8],
            pitch_rate: state[9],
            z: state[11],
            vz: state[12],
            slips: !defects.hard_switch || vx.abs() >= SWITCH,
            weight,
        }
    }
}
