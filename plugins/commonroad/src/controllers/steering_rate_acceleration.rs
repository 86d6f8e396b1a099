//! Passes commanded inputs to the models.

use simhost_sdk::prelude::*;

/// Passes a commanded steering rate and acceleration to the vehicle.
#[derive(Params)]
pub struct SteeringRateAcceleration {}

/// Commands.
#[derive(Ports)]
pub struct Commanded {
    /// Rate of the steering angle, positive counter-clockwise.
    #[port(unit = "rad/s", command, key = "STEER_RATE", key_unit = "deg/s", key_scale = math::DEG)]
    command_steer_rate: f64,
    /// Longitudinal acceleration.
    #[port(unit = "m/s²", command, key = "ACCELERATION")]
    command_acceleration: f64,
}

/// Inputs of the models.
#[derive(Ports)]
pub struct Wanted {
    /// Rate of the steering angle, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub(super) steer_rate: f64,
    /// Longitudinal acceleration.
    #[port(unit = "m/s²")]
    pub(super) acceleration: f64,
}

#[model]
impl Controller for SteeringRateAcceleration {
    const COMMANDS: CommandKinds =
        &[command!("steering_rate_acceleration": "command_steer_rate", "command_acceleration")];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> Wanted {
        Wanted {
            steer_rate: command.command_steer_rate,
            acceleration: command.command_acceleration,
        }
    }
}
