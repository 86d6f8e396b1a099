//! Passes commands to a planning model as they are.

use simhost_sdk::prelude::*;

use crate::gear::DRIVE;

/// Passes commanded inputs to a planning model unchanged, without the sign of the gear, the slope
/// of the ground, and modes.
#[derive(Params)]
pub struct PlanningRaw {}

/// Commanded inputs of a planning model.
#[derive(Ports)]
pub struct Commanded {
    /// Desired speed.
    #[port(unit = "m/s", command, key = "velocity_command")]
    raw_velocity: f64,
    /// Desired forward acceleration, which includes the slope and the sign of the gear; for a model of
    /// pedals the acceleration of the pedals.
    #[port(unit = "m/s²", command, key = "acceleration_command")]
    raw_acceleration: f64,
    /// Accelerator pedal.
    #[port(unit = "1", command, key = "accel_command")]
    raw_accel: f64,
    /// Brake pedal.
    #[port(unit = "1", command, key = "brake_command")]
    raw_brake: f64,
    /// Desired angle of the tyre or of the steering wheel, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_command")]
    raw_steer: f64,
    /// Number of the gear as in `autoware_vehicle_msgs/GearCommand`: 2 `DRIVE`, 20 `REVERSE`.
    #[port(unit = "1", default = DRIVE, command, key = "gear")]
    raw_gear: f64,
    /// Forward acceleration due to the slope.
    #[port(unit = "m/s²", command, key = "slope_acceleration")]
    raw_slope: f64,
}

/// Inputs of all planning models.
#[derive(Ports)]
pub struct Passed {
    /// Desired speed.
    #[port(unit = "m/s", publish)]
    pub velocity_command: f64,
    /// Desired forward acceleration, which includes the slope and the sign of the gear.
    #[port(unit = "m/s²", publish)]
    pub acceleration_command: f64,
    /// Desired acceleration of the pedals, positive with the throttle in any gear.
    #[port(unit = "m/s²", publish)]
    pub pedal_command: f64,
    /// Accelerator pedal.
    #[port(unit = "1", publish)]
    pub accel_command: f64,
    /// Brake pedal.
    #[port(unit = "1", publish)]
    pub brake_command: f64,
    /// Desired angle of the tyre or of the steering wheel, positive counter-clockwise.
    #[port(unit = "rad", publish)]
    pub steer_command: f64,
    /// Number of the gear.
    #[port(unit = "1", publish)]
    pub gear: f64,
    /// Forward acceleration due to the slope.
    #[port(unit = "m/s²", publish)]
    pub slope_acceleration: f64,
}

#[model]
impl Controller for PlanningRaw {
    const COMMANDS: CommandKinds = &[
        command!("velocity_steer": "raw_velocity", "raw_steer", "raw_gear"),
        command!("acceleration_steer": "raw_acceleration", "raw_steer", "raw_gear", "raw_slope"),
        command!("actuation": "raw_accel", "raw_brake", "raw_steer", "raw_gear", "raw_slope"),
    ];

    fn control(&self, command: &Commanded, _: &Step, _: &mut ()) -> Passed {
        Passed {
            velocity_command: command.raw_velocity,
            acceleration_command: command.raw_acceleration,
            pedal_command: command.raw_acceleration,
            accel_command: command.raw_accel,
            brake_command: command.raw_brake,
            steer_command: command.raw_steer,
            gear: command.raw_gear,
            slope_acceleration: command.raw_slope,
        }
    }
}
