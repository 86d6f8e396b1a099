//! What steered platforms tell their controllers.

use simhost_sdk::prelude::*;

/// Engine and steering.
#[derive(Ports)]
pub struct Commanded {
    /// Torque of the engine, shared by the driven wheels, positive forwards.
    #[port(unit = "N·m")]
    pub torque_engine: f64,
    /// Angle of an equivalent wheel in the middle of the steered axle, counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
}

/// What a steered platform knows of itself: all that `front_steer_pid` and `twist_front_steer_pid`
/// want.
#[derive(Ports)]
pub struct Measured {
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    pub odometry_vx: f64,
    /// Leftward velocity told by the wheels.
    #[port(unit = "m/s")]
    pub odometry_vy: f64,
    /// Yaw rate estimated from the wheels.
    #[port(unit = "rad/s")]
    pub odometry_omega: f64,
    /// Distance between the turning line and the steered wheels that are furthest from it.
    #[port(unit = "m")]
    pub wheelbase: f64,
    /// Position of those wheels ahead of the reference point.
    #[port(unit = "m")]
    pub front_axle_x: f64,
    /// Distance between those wheels.
    #[port(unit = "m")]
    pub front_track: f64,
    /// Largest steering angle.
    #[port(unit = "rad")]
    pub max_steer: f64,
    /// Mean rolling radius.
    #[port(unit = "m")]
    pub wheel_radius: f64,
}
