//! Passes commanded torques of four wheels and a steering angle to the vehicle, without feedback.

use simhost_sdk::ports::{MotorTorques, SteeredMotors};
use simhost_sdk::prelude::*;

/// Passes commanded torques of four wheels and a steering angle to the vehicle.
#[derive(Params)]
pub struct WheelTorques {}

/// Commanded torques and steering angle.
#[derive(Ports)]
pub struct Commanded {
    /// Torque on the left front wheel, positive forwards.
    #[port(unit = "N·m", command, key = "FL_TORQUE")]
    command_front_left: f64,
    /// Torque on the right front wheel, positive forwards.
    #[port(unit = "N·m", command, key = "FR_TORQUE")]
    command_front_right: f64,
    /// Torque on the left rear wheel, positive forwards.
    #[port(unit = "N·m", command, key = "RL_TORQUE")]
    command_rear_left: f64,
    /// Torque on the right rear wheel, positive forwards.
    #[port(unit = "N·m", command, key = "RR_TORQUE")]
    command_rear_right: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
    command_steer: f64,
}

#[model]
impl Controller for WheelTorques {
    const COMMANDS: CommandKinds = &[command!("wheel_torques": Commanded[..5])];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> SteeredMotors {
        SteeredMotors {
            torques: MotorTorques {
                torque_front_left: command.command_front_left,
                torque_front_right: command.command_front_right,
                torque_rear_left: command.command_rear_left,
                torque_rear_right: command.command_rear_right,
            },
            steer: command.command_steer,
        }
    }
}
