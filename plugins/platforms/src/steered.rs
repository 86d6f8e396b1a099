//! Actuators and measurements that steered platforms share.

use simhost_sdk::ports::Odometry;
use simhost_sdk::prelude::*;

/// Engine torque, steering angle and brake torque.
#[derive(Ports)]
pub struct Commanded {
    /// Engine torque shared by the driven wheels, positive forwards.
    #[port(unit = "N·m")]
    pub torque_engine: f64,
    /// Steering angle of an equivalent wheel in the middle of the steered axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", optional)]
    pub brake_torque: f64,
}

/// Measurements of a steered platform, which include everything that `front_steer_pid` and
/// `twist_front_steer_pid` read.
#[derive(Ports)]
pub struct Measured {
    /// Velocity estimated from the wheels.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Distance between the turning line and the steered wheels that are furthest from it.
    #[port(unit = "m")]
    pub wheelbase: f64,
    /// Position of these wheels ahead of the reference point.
    #[port(unit = "m")]
    pub front_axle_x: f64,
    /// Distance between these wheels.
    #[port(unit = "m")]
    pub front_track: f64,
    /// Largest steering angle. A larger value lets the vehicle turn in less room.
    #[port(unit = "rad")]
    pub max_steer: f64,
    /// Mean rolling radius.
    #[port(unit = "m")]
    pub wheel_radius: f64,
}
