//! Passes commanded torques and steering to the vehicle, without feedback.
//!
//! In commands, positive torques drive forwards. Torques in a world file keep the sign convention
//! of MVSim, in which negative torques drive forwards.

use simhost_sdk::ports::FrontMotors;
use simhost_sdk::prelude::*;

/// Passes commanded torques to the two sides.
#[derive(Params)]
pub struct RawDifferential {}

/// Commanded torques of a differential drive.
#[derive(Ports)]
pub struct Sides {
    /// Torque on each left wheel, positive forwards.
    #[port(unit = "N·m", command)]
    torque_left: f64,
    /// Torque on each right wheel, positive forwards.
    #[port(unit = "N·m", command)]
    torque_right: f64,
}

/// Actuators of a differential drive.
#[derive(Ports)]
pub struct SideMotors {
    /// Torque on each left wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_left: f64,
    /// Torque on each right wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_right: f64,
}

#[model]
impl Controller for RawDifferential {
    const COMMANDS: CommandKinds = &[command!("torque": "torque_left", "torque_right")];

    fn control(&self, command: &Sides, _: &Step, _: &mut ()) -> SideMotors {
        SideMotors { torque_left: command.torque_left, torque_right: command.torque_right }
    }
}

/// Passes commanded torques to the front wheels, and a commanded steering angle.
#[derive(Params)]
pub struct RawAckermann {}

/// Commanded torques of the front wheels and steering angle.
#[derive(Ports)]
pub struct Front {
    /// Torque on the left front wheel, positive forwards.
    #[port(unit = "N·m", command, key = "fl_torque", key_scale = -1.0)]
    torque_front_left: f64,
    /// Torque on the right front wheel, positive forwards.
    #[port(unit = "N·m", command, key = "fr_torque", key_scale = -1.0)]
    torque_front_right: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_ang_deg", key_unit = "deg", key_scale = math::DEG)]
    steer: f64,
}

#[model]
impl Controller for RawAckermann {
    const COMMANDS: CommandKinds =
        &[command!("torque": "torque_front_left", "torque_front_right", "steer")];

    fn control(&self, command: &Front, _: &Step, _: &mut ()) -> FrontMotors {
        FrontMotors {
            torque_front_left: command.torque_front_left,
            torque_front_right: command.torque_front_right,
            steer: command.steer,
        }
    }
}

/// Passes a commanded engine torque and steering angle to the vehicle.
#[derive(Params)]
pub struct RawDrivetrain {}

/// Commanded engine torque and steering angle.
#[derive(Ports)]
pub struct Throttle {
    /// Torque of the engine, positive forwards.
    #[port(unit = "N·m", command, key = "torque", key_scale = -1.0)]
    torque_engine: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad", command, key = "steer_ang_deg", key_unit = "deg", key_scale = math::DEG)]
    steer: f64,
}

/// Actuators of an Ackermann vehicle with an engine.
#[derive(Ports)]
pub struct Engine {
    /// Torque of the engine, positive forwards.
    #[port(unit = "N·m")]
    pub torque_engine: f64,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
}

#[model]
impl Controller for RawDrivetrain {
    const COMMANDS: CommandKinds = &[command!("torque": "torque_engine", "", "steer")];

    fn control(&self, command: &Throttle, _: &Step, _: &mut ()) -> Engine {
        Engine { torque_engine: command.torque_engine, steer: command.steer }
    }
}
