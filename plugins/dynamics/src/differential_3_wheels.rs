//! Two driven wheels on one axle and a caster.
//!
//! The caster swivels: its heading follows the velocity of its centre, without trail dynamics. A
//! rigid caster, as in MVSim, resists sideways motion like any wheel.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::differential::{CHASSIS, Measured, Sides, check_axle, drive_pair, measure_axle};

/// Two driven wheels on one axle and a caster.
#[derive(Params)]
pub struct Differential3Wheels {
    /// Whether the caster keeps its heading instead of swivelling, as in MVSim. A rigid caster
    /// resists turning.
    #[param(default = false)]
    rigid_caster: bool,
}

/// Speed below which the caster does not swivel, m/s. The wheels of a vehicle that stands on a slope
/// never come to rest completely.
const STILL: f64 = 2e-3;

/// Heading of the caster.
#[derive(State)]
pub struct Caster {
    /// Heading of the caster in the vehicle frame.
    #[state(angle)]
    heading: f64,
}

#[model]
impl Dynamics for Differential3Wheels {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("l_wheel", 0.0, 0.5),
        WheelPlace::at("r_wheel", 0.0, -0.5),
        WheelPlace::at("caster_wheel", 0.5, 0.0).swivelling(),
    ];
    const CHASSIS: Chassis = CHASSIS;
    const SETS_DRIVE_INERTIA: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        check_axle(wheels, Self::WHEELS)
    }

    fn drive(&self, sides: &Sides, wheels: &mut Wheels, step: &Step, caster: &mut Caster) {
        drive_pair(wheels, sides, [0, 1], step.dt);
        if self.rigid_caster {
            return;
        }
        // at rest the caster keeps its heading
        let [vx, vy] = wheels.velocity(2);
        if vx * vx + vy * vy > STILL * STILL {
            // two headings are parallel to the velocity; take the nearer one
            let along = math::atan2(vy, vx) - caster.heading;
            let turn = math::wrap_angle(2.0 * along) / 2.0;
            caster.heading = math::wrap_angle(caster.heading + turn);
        }
        wheels.set_steer(2, caster.heading);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        measure_axle(wheels, 0, 1)
    }
}
