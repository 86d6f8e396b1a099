//! Four wheels, steered by driving the two sides at different speeds.
//!
//! Each wheel of a side receives the full torque of that side. Odometry uses the rear pair.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::differential::{CHASSIS, Measured, Sides, brake, check_axle, measure_axle};

/// Four driven wheels. The vehicle turns by driving its sides at different speeds.
#[derive(Params)]
pub struct Differential4Wheels {}

#[model]
impl Dynamics for Differential4Wheels {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("lr_wheel", 0.0, 0.5),
        WheelPlace::at("rr_wheel", 0.0, -0.5),
        WheelPlace::at("lf_wheel", 0.5, 0.5),
        WheelPlace::at("rf_wheel", 0.5, -0.5),
    ];
    const CHASSIS: Chassis = CHASSIS;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        check_axle(wheels, Self::WHEELS)
    }

    fn drive(&self, sides: &Sides, wheels: &mut Wheels, _: &Step, _: &mut ()) {
        for wheel in [0, 2] {
            wheels.set_torque(wheel, sides.torque_left);
            wheels.set_torque(wheel + 1, sides.torque_right);
        }
        brake(wheels, sides, 4);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        measure_axle(wheels, 0, 1)
    }
}
