//! Passes commanded speed and steering angle to the vehicle.

use simhost_sdk::ports::SpeedSteerCommand;
use simhost_sdk::prelude::*;

/// Passes commanded speed and steering angle to a dynamics class that limits them itself.
#[derive(Params)]
pub struct SpeedSteer {}

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

    fn control(&self, command: &SpeedSteerCommand, _: &Step, _: &mut ()) -> SetPoints {
        SetPoints { speed: command.command_speed, steer: command.command_steer }
    }
}
