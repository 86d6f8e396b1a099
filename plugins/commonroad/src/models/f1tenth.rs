//! Single track of a 1:10 car (F1TENTH gym).
//!
//! ST with separate front and rear tyres. Source: `dynamic_models` of the F1TENTH gym. **Limit:**
//! as for ST. The gym switches abruptly at 0.5 m/s to a model without slip at the rear axle; here
//! the two are blended between 0.25 and 0.75 m/s, and the model without slip refers to the centre
//! of gravity as in the other models.

use simhost_sdk::math;

use super::single_track::{self, LinearTyres};
use crate::defects::Defects;
use crate::limits::{self, Input};
use crate::low_speed::Blend;
use crate::parameters::{Longitudinal, Steering};

pub use super::single_track::{STATES, States};

/// Speeds between which the models are blended, centred at the switching speed of the gym.
pub const BLEND: Blend = Blend { from: 0.25, to: 0.75 };

/// Speed at which the gym switches, m/s.
const SWITCH: f64 = 0.5;

/// A car of F1TENTH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Car {
    /// Mass, geometry and tyres.
    pub tyres: LinearTyres,
    /// Limits of the steering.
    pub steering: Steering,
    /// Limits of speed and acceleration.
    pub longitudinal: Longitudinal,
}

/// The car of the gym.
pub const CAR: Car = Car {
    tyres: LinearTyres {
        a: 0.158_75,
        b: 0.171_45,
        h: 0.074,
        m: 3.74,
        i: 0.047_12,
        mu: 1.0489,
        c_f: 4.718,
        c_r: 5.4562,
    },
    steering: Steering { min: -0.4189, max: 0.4189, rate_min: -3.2, rate_max: 3.2 },
    longitudinal: Longitudinal { v_min: -5.0, v_max: 20.0, v_switch: 7.319, a_max: 9.51 },
};

/// Returns the rates of change of a state.
#[inline(always)]
pub fn derivative(car: &Car, state: &States, input: Input, defects: Defects) -> States {
    let [_, _, steer, speed, yaw, ..] = *state;
    let input = [
        limits::steering_rate(steer, input[0], &car.steering),
        limits::acceleration(speed, input[1], &car.longitudinal),
    ];
    if defects.hard_switch && speed.abs() < SWITCH {
        return at_rear_axle(car, steer, speed, yaw, input);
    }
    single_track::blended(&car.tyres, state, input, BLEND, defects)
}

/// Returns the rates of the gym without slip, as if the centre of gravity were on the rear axle,
/// with a constant slip angle.
#[inline(always)]
fn at_rear_axle(car: &Car, steer: f64, speed: f64, yaw: f64, input: [f64; 2]) -> States {
    let length = car.tyres.a + car.tyres.b;
    let tan = math::tan(steer);
    let (sin, cos) = math::sin_cos(yaw);
    let dd_yaw = (input[1] * tan + speed * input[0] * (1.0 + tan * tan)) / length;
    [speed * cos, speed * sin, input[0], input[1], speed / length * tan, dd_yaw, 0.0]
}
