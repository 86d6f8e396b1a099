//! The interface of planning models with pedals.

use simhost_sdk::abi::{ParamDesc, ParamScaling, Str, Value};
use simhost_sdk::prelude::*;

use super::Settings;
use super::commands::commands;
use super::outputs::{Shared, outputs};
use super::state::Node;
use crate::params::Compat;

/// The interface `planning_interface` for models with an accelerator, a brake and a steering wheel.
///
/// In the mode `MANUAL` the commands `manual_actuation` count. The source leaves the inputs of the model
/// uninitialised there; with `compat="autoware-1.0"` they are 0.
pub struct ActuationInterface(pub Settings);

impl Params for ActuationInterface {
    const DOC: &'static str =
        "Commands, modes, gears, engagement and initial poses of a planning model of Autoware.";
    const PARAMS: &'static [ParamDesc] = Settings::PARAMS;
    const SCALINGS: &'static [ParamScaling] = Settings::SCALINGS;
    fn read(values: &[Value]) -> Self {
        Self(Settings::read(values))
    }
}

commands! {
    /// Commands of the pedals and the steering wheel.
    ActuationCommands, ACTUATION_KINDS {
        /// Accelerator pedal in the mode `AUTONOMOUS`, or acceleration where the model has no map.
        #[port(unit = "1", command, key = "accel")]
        actuation_accel,
        /// Brake pedal in the mode `AUTONOMOUS`.
        #[port(unit = "1", command, key = "brake")]
        actuation_brake,
        /// Angle of the steering wheel, or of the tyres where the model has no steering wheel, in the
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
        ("actuation", &[
            Str::new("actuation_accel"),
            Str::new("actuation_brake"),
            Str::new("actuation_steer"),
        ]),
        ("manual_actuation", &[
            Str::new("manual_accel"),
            Str::new("manual_brake"),
            Str::new("manual_steer"),
        ]),
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
    type Inputs = ActuationCommands;
    type Outputs = ActuationOutputs;
    type State = Node;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = ACTUATION_KINDS;

    fn control(
        &self,
        commands: &ActuationCommands,
        step: &Step,
        node: &mut Node,
    ) -> ActuationOutputs {
        let decision = self.0.decide(&commands.common(), step, node);
        let [accel, brake, steer] = match (decision.is_manual, self.0.compat) {
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
