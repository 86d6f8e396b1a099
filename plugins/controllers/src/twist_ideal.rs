//! The vehicle moves exactly as commanded, because the host imposes the twist.
//!
//! Contacts still act. Only a platform that can move sideways follows a leftward velocity. Source:
//! MVSim physics manual, "Ideal controllers".

use simhost_sdk::ports::ImposedTwist;
use simhost_sdk::prelude::*;

/// The vehicle moves exactly as commanded.
#[derive(Params)]
pub struct TwistIdeal {}

/// Commanded twist.
#[derive(Clone, Copy, Ports)]
pub struct Twist {
    /// Commanded forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    command_vx: f64,
    /// Commanded leftward velocity.
    #[port(unit = "m/s", command)]
    command_vy: f64,
    /// Commanded yaw rate.
    #[port(unit = "rad/s", command, key = "W", key_unit = "deg/s", key_scale = math::DEG)]
    command_omega: f64,
}

impl Twist {
    #[inline(always)]
    fn imposed(&self) -> ImposedTwist {
        ImposedTwist {
            twist_vx: self.command_vx,
            twist_vy: self.command_vy,
            twist_omega: self.command_omega,
        }
    }
}

const TWIST: CommandKinds = &[command!("twist": Twist[..3])];

#[model]
impl Controller for TwistIdeal {
    const COMMANDS: CommandKinds = TWIST;

    fn control(&self, command: &Twist, _: &Step, _: &mut ()) -> ImposedTwist {
        command.imposed()
    }
}

/// The vehicle moves exactly as commanded, and its wheels are steered accordingly.
#[derive(Params)]
pub struct TwistIdealSteered {}

/// Commanded twist and steering geometry.
#[derive(Ports)]
pub struct SteeredTwist {
    /// Commanded twist.
    #[port(flatten)]
    twist: Twist,
    /// Wheelbase: distance between the axles.
    #[port(unit = "m")]
    wheelbase: f64,
    /// Largest steering angle. A larger value allows the vehicle to turn in a smaller circle.
    #[port(unit = "rad")]
    max_steer: f64,
}

/// The twist that the host imposes, and the corresponding steering angle.
#[derive(Ports)]
pub struct ImposedSteered {
    /// Velocity of the vehicle.
    #[port(flatten)]
    twist: ImposedTwist,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
}

#[model]
impl Controller for TwistIdealSteered {
    const COMMANDS: CommandKinds = TWIST;

    fn control(&self, command: &SteeredTwist, _: &Step, _: &mut ()) -> ImposedSteered {
        let Twist { command_vx, command_omega, .. } = command.twist;
        let turn = command_omega * command.wheelbase;
        let steer = if command_vx.abs() > 1e-3 {
            math::atan(turn / command_vx)
        } else if turn == 0.0 {
            0.0
        } else {
            turn.abs().min(command.max_steer).copysign(turn)
        };
        ImposedSteered { twist: command.twist.imposed(), steer }
    }
}
