//! Passes on the targets of the actuators of a car, without feedback.
//!
//! Source: driving-lab manual, section 3.2: the controller of a vehicle sets target values of its
//! actuators.

use simhost_sdk::prelude::*;

/// Passes targets of motor, steering and four brakes to the vehicle.
#[derive(Params)]
pub struct ActuatorTargets {}

/// Commanded targets.
#[derive(Ports)]
pub struct Commanded {
    /// Acceleration by the motor.
    #[port(unit = "m/s²", command, key = "MOTOR")]
    command_motor: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
    command_steer: f64,
    /// Deceleration by the left front brake.
    #[port(unit = "m/s²", command, key = "FL_BRAKE")]
    command_brake_front_left: f64,
    /// Deceleration by the right front brake.
    #[port(unit = "m/s²", command, key = "FR_BRAKE")]
    command_brake_front_right: f64,
    /// Deceleration by the left rear brake.
    #[port(unit = "m/s²", command, key = "RL_BRAKE")]
    command_brake_rear_left: f64,
    /// Deceleration by the right rear brake.
    #[port(unit = "m/s²", command, key = "RR_BRAKE")]
    command_brake_rear_right: f64,
}

/// Inputs of the car, before its actuators.
#[derive(Debug, PartialEq, Ports)]
pub struct Targets {
    /// Acceleration by the motor.
    #[port(unit = "m/s²")]
    motor: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
    /// Deceleration by the left front brake.
    #[port(unit = "m/s²")]
    brake_front_left: f64,
    /// Deceleration by the right front brake.
    #[port(unit = "m/s²")]
    brake_front_right: f64,
    /// Deceleration by the left rear brake.
    #[port(unit = "m/s²")]
    brake_rear_left: f64,
    /// Deceleration by the right rear brake.
    #[port(unit = "m/s²")]
    brake_rear_right: f64,
}

#[model]
impl Controller for ActuatorTargets {
    const COMMANDS: CommandKinds = &[command!("actuator_targets": Commanded[..6])];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> Targets {
        Targets {
            motor: command.command_motor,
            steer: command.command_steer,
            brake_front_left: command.command_brake_front_left,
            brake_front_right: command.command_brake_front_right,
            brake_rear_left: command.command_brake_rear_left,
            brake_rear_right: command.command_brake_rear_right,
        }
    }
}
