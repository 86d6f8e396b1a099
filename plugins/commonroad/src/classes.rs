//! The dynamics classes: the models with their parameters, wheels and bodies.

pub mod f1tenth_single_track;
pub mod kinematic_single_track;
pub mod kinematic_single_track_trailer;
pub mod multi_body;
pub mod single_track;
pub mod single_track_drift;

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::adapter::FRONT;
use crate::embedding::Measured;

/// Index of the rear wheel of a single track.
const REAR: usize = 0;

/// The wheels of a single track, which the class places.
const SINGLE_TRACK: &[WheelPlace] =
    &[WheelPlace::placed("rear_wheel"), WheelPlace::placed("front_wheel").steered()];

/// Chassis of a car whose reference point is the centre of gravity.
const CAR: Chassis =
    Chassis::new(1000.0, [0.2, 1.4], &[-2.2, -0.8, 2.3, -0.8, 2.3, 0.8, -2.2, 0.8]);

/// Places the wheels on the centre line, `rear` and `front` ahead of the reference point, m.
fn place(wheels: &mut [WheelGeometry], rear: f64, front: f64) {
    for (wheel, x) in wheels.iter_mut().zip([rear, front]) {
        (wheel.x, wheel.y) = (x, 0.0);
    }
}

/// Sets the steering angle, and the spins of wheels that roll at `rear` and `front`, m/s.
#[inline(always)]
fn show(wheels: &mut Wheels, steer: f64, rear: f64, front: f64) {
    wheels.set_steer(FRONT, steer);
    wheels.set_spin(REAR, rear / wheels.radius(REAR));
    wheels.set_spin(FRONT, front / wheels.radius(FRONT));
}

/// Returns the measurements of a single track.
#[inline(always)]
fn told(wheels: &WheelMotion) -> Measured {
    Measured::of(wheels, wheels.rolling_speed(REAR), wheels.steer(FRONT), [FRONT, REAR])
}
