//! Two driven wheels on one axle.
//!
//! ω = (w_r R_r − w_l R_l)/(y_l − y_r), v = w_l R_l + ω y_l for wheels that roll without slip.
//! Source: MVSim physics manual, "Differential drive dynamics". **Limit:** the body has no third
//! point of support, and it does not tip.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::Odometry;
use simhost_sdk::{kinematics, prelude::*};

use crate::motor;

/// Two driven wheels on one axle.
#[derive(Params)]
pub struct Differential {}

/// Torques of the left and the right side.
#[derive(Ports)]
pub struct Sides {
    /// Torque on each left wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_left: f64,
    /// Torque on each right wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_right: f64,
    /// Largest torque of the brake of each driven wheel.
    #[port(unit = "N·m", optional)]
    pub brake_torque: f64,
    /// Decrease of the torque on each left wheel per gain of its spin within the step.
    #[port(unit = "N·m·s/rad", optional)]
    pub slope_left: f64,
    /// Decrease of the torque on each right wheel per gain of its spin within the step.
    #[port(unit = "N·m·s/rad", optional)]
    pub slope_right: f64,
}

/// Measurements of a differential drive.
#[derive(Ports)]
pub struct Measured {
    /// Velocity estimated from the wheels, whose leftward component is 0.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Distance between the left and the right wheel.
    #[port(unit = "m")]
    pub track: f64,
    /// Mean rolling radius of the driven wheels.
    #[port(unit = "m")]
    pub wheel_radius: f64,
}

/// Default chassis of a differential drive.
pub(crate) const CHASSIS: Chassis = Chassis::new(
    15.0,
    [0.05, 0.6],
    &[-0.4, -0.5, 0.4, -0.5, 0.6, -0.3, 0.6, 0.3, 0.4, 0.5, -0.4, 0.5],
);

/// Drives the wheels `left` and `right` with the torques of their sides for `dt` seconds, and brakes them.
#[inline(always)]
pub(crate) fn drive_pair(wheels: &mut Wheels, sides: &Sides, [left, right]: [usize; 2], dt: f64) {
    let brake = sides.brake_torque.max(0.0);
    motor::drive(wheels, left, sides.torque_left, sides.slope_left, dt);
    wheels.set_brake(left, brake);
    motor::drive(wheels, right, sides.torque_right, sides.slope_right, dt);
    wheels.set_brake(right, brake);
}

/// Checks the axle of the first two wheels, whose track the odometry divides by.
pub(crate) fn check_axle(wheels: &[WheelGeometry], places: &[WheelPlace]) -> Result<(), String> {
    let [left, right, ..] = wheels else { return Err("expected two wheels".into()) };
    kinematics::check_track([left, right], [places[0].tag(), places[1].tag()])
}

/// Returns the measurements of an axle with these two wheels.
#[inline(always)]
pub(crate) fn measure_axle(wheels: &WheelMotion, left: usize, right: usize) -> Measured {
    let (odometry_vx, odometry_omega) = wheels.axle_twist(left, right);
    Measured {
        odometry: Odometry { odometry_vx, odometry_vy: 0.0, odometry_omega },
        track: wheels.y(left) - wheels.y(right),
        wheel_radius: 0.5 * (wheels.radius(left) + wheels.radius(right)),
    }
}

#[model]
impl Dynamics for Differential {
    const WHEELS: &'static [WheelPlace] =
        &[WheelPlace::at("l_wheel", 0.0, 0.5), WheelPlace::at("r_wheel", 0.0, -0.5)];
    const CHASSIS: Chassis = CHASSIS;
    const SETS_DRIVE_INERTIA: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        check_axle(wheels, Self::WHEELS)
    }

    fn drive(&self, sides: &Sides, wheels: &mut Wheels, step: &Step, _: &mut ()) {
        drive_pair(wheels, sides, [0, 1], step.dt);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        measure_axle(wheels, 0, 1)
    }
}
