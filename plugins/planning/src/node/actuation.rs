//! The interface `planning_interface` for models with an accelerator, a brake and a steering wheel.
//!
//! In the mode `MANUAL` the commands `manual_actuation` count. The source leaves the inputs of the model
//! uninitialised there; with `compat="autoware-1.0"` they are 0.

use simhost_sdk::prelude::*;

use super::Settings;
use super::commands::commands;
use super::outputs::{Shared, outputs};
use super::state::Node;
use crate::params::Compat;

/// Commands, modes, gears, engagement and initial poses of a planning model of Autoware.
#[derive(Params)]
pub struct ActuationInterface {
    /// Poses, engagement, slopes and arithmetic.
    #[param(flatten)]
    settings: Settings,
}

commands! {
    /// Commands of the pedals and the steering wheel.
    ActuationCommands, ACTUATION_KINDS {
        /// Accelerator pedal in the mode `AUTONOMOUS`, or acceleration if the model has no map.
        #[port(unit = "1", command, key = "accel")]
        actuation_accel,
        /// Brake pedal in the mode `AUTONOMOUS`.
        #[port(unit = "1", command, key = "brake")]
        actuation_brake,
        /// Angle of the steering wheel, or of the tyres if the model has no steering wheel, in the
        /// mode `AUTONOMOUS`, positive counter-clockwise.
        #[port(unit = "rad", command, key = "steer")]
        actuation_steer,
        /// Accelerator pedal in the mode `MANUAL`.
        #[port(unit = "1", command)]
        manual_accel,
        /// Brake pedal in the mode `MANUAL`.
        #[port(unit = "1", command)]
        manual_brake,
        /// Angle of the steering wheel or of the tyres in the mode `MANUAL`, positive
        /// counter-clockwise.
        #[port(unit = "rad", command)]
        manual_steer,
    }
    [
        actuation: actuation_accel, actuation_brake, actuation_steer;
        manual_actuation: manual_accel, manual_brake, manual_steer;
    ]
}

outputs! {
    /// Ports of the models with pedals.
    ActuationOutputs {
        /// Accelerator pedal, or acceleration where the model has no map.
        #[port(unit = "1")]
        accel_command,
        /// Brake pedal.
        #[port(unit = "1")]
        brake_command,
        /// Angle of the steering wheel or of the tyres, positive counter-clockwise.
        #[port(unit = "rad")]
        steer_command,
    }
}

#[model]
impl Controller for ActuationInterface {
    const TIME_INVARIANT: bool = true;
    const COMMANDS: CommandKinds = ACTUATION_KINDS;

    fn control(
        &self,
        commands: &ActuationCommands,
        step: &Step,
        node: &mut Node,
    ) -> ActuationOutputs {
        let decision = self.settings.decide(&commands.common(), step, node);
        let [accel, brake, steer] = match (decision.is_manual, self.settings.compat) {
            (false, _) => {
                [commands.actuation_accel, commands.actuation_brake, commands.actuation_steer]
            }
            (true, Compat::Autoware) => [0.0; 3],
            (true, _) => [commands.manual_accel, commands.manual_brake, commands.manual_steer],
        };
        ActuationOutputs {
            accel_command: accel,
            brake_command: brake,
            steer_command: steer,
            ..ActuationOutputs::shared(&Shared { decision, node: *node })
        }
    }
}
