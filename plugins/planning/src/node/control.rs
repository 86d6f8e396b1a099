//! The interface `planning_interface` for models that follow a speed or an acceleration.

use simhost_sdk::prelude::*;

use super::commands::commands;
use super::outputs::{Shared, outputs};
use super::state::Node;
use super::{Settings, combined};

/// Commands, modes, gears, engagement and initial poses of a planning model of Autoware.
#[derive(Params)]
pub struct ControlInterface {
    /// Poses, engagement, slopes and arithmetic.
    #[param(flatten)]
    settings: Settings,
}

commands! {
    /// Commands of speed, acceleration and steering.
    ControlCommands, CONTROL_KINDS {
        /// Speed in the mode `AUTONOMOUS`.
        #[port(unit = "m/s", command, key = "speed")]
        control_speed,
        /// Acceleration in the mode `AUTONOMOUS`, positive in the direction of the gear.
        #[port(unit = "m/s²", command, key = "acceleration")]
        control_acceleration,
        /// Steering angle of the tyres in the mode `AUTONOMOUS`, positive counter-clockwise.
        #[port(unit = "rad", command, key = "steering")]
        control_steering,
        /// Speed in the mode `MANUAL`.
        #[port(unit = "m/s", command)]
        manual_speed,
        /// Acceleration in the mode `MANUAL`, positive in the direction of the gear.
        #[port(unit = "m/s²", command)]
        manual_acceleration,
        /// Steering angle of the tyres in the mode `MANUAL`, positive counter-clockwise.
        #[port(unit = "rad", command)]
        manual_steering,
    }
    [
        control: control_speed, control_acceleration, control_steering;
        manual_control: manual_speed, manual_acceleration, manual_steering;
    ]
}

outputs! {
    /// Ports of the models that follow a speed or an acceleration.
    ControlOutputs {
        /// Speed.
        #[port(unit = "m/s", optional)]
        velocity_command,
        /// Forward acceleration, which includes the slope and the sign of the gear.
        #[port(unit = "m/s²", optional)]
        acceleration_command,
        /// Acceleration of the pedals, positive with the throttle in any gear, without the slope.
        #[port(unit = "m/s²", optional)]
        pedal_command,
        /// Steering angle of the tyres, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command,
    }
}

impl ControlCommands {
    /// Returns speed, m/s, acceleration, m/s², and steering angle, rad, of the source that counts.
    #[inline(always)]
    pub(crate) fn chosen(&self, is_manual: bool) -> [f64; 3] {
        match is_manual {
            true => [self.manual_speed, self.manual_acceleration, self.manual_steering],
            false => [self.control_speed, self.control_acceleration, self.control_steering],
        }
    }
}

#[model]
impl Controller for ControlInterface {
    const TIME_INVARIANT: bool = true;
    const COMMANDS: CommandKinds = CONTROL_KINDS;

    fn control(&self, commands: &ControlCommands, step: &Step, node: &mut Node) -> ControlOutputs {
        let decision = self.settings.decide(&commands.common(), step, node);
        let [speed, acceleration, steering] = commands.chosen(decision.is_manual);
        ControlOutputs {
            velocity_command: speed,
            acceleration_command: combined(acceleration, &decision),
            pedal_command: acceleration,
            steer_command: steering,
            ..ControlOutputs::shared(&Shared { decision, node: *node })
        }
    }
}
