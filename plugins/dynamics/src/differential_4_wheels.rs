//! Four wheels, steered by driving the two sides at different speeds.
//!
//! Each wheel of a side receives the full torque of that side. Odometry uses the rear pair.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::differential::{CHASSIS, Measured, Sides, check_axle, drive_pair, measure_axle};

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
    const SETS_DRIVE_INERTIA: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        check_axle(wheels, Self::WHEELS)
    }

    fn drive(&self, sides: &Sides, wheels: &mut Wheels, step: &Step, _: &mut ()) {
        drive_pair(wheels, sides, [0, 1], step.dt);
        drive_pair(wheels, sides, [2, 3], step.dt);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        measure_axle(wheels, 0, 1)
    }
}
