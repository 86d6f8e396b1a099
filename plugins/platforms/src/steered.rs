//! Actuators that steered platforms share.

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
