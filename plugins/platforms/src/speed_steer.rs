//! Passes commanded speed and steering angle to the vehicle.

use simhost_sdk::prelude::*;

/// Passes commanded speed and steering angle to a dynamics class that limits them itself.
#[derive(Params)]
pub struct SpeedSteer {}

/// Commands.
#[derive(Ports)]
pub struct Commanded {
    /// Forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    command_speed: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
    command_steer: f64,
}

/// Setpoints of the vehicle.
#[derive(Ports)]
pub struct SetPoints {
    /// Forward velocity.
    #[port(unit = "m/s")]
    speed: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
}

#[model]
impl Controller for SpeedSteer {
    const COMMANDS: CommandKinds = &[command!("speed_steer": "command_speed", "command_steer")];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> SetPoints {
        SetPoints { speed: command.command_speed, steer: command.command_steer }
    }
}
