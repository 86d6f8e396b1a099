//! Sensors that see nothing but their own vehicle.

use simhost_model::ParamValue;

use super::chassis::Chassis;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sensor::SensorUse;

/// Warns of sensors that see nothing but the chassis of their vehicle, in which they are.
pub(super) fn warn(context: &mut Context<'_>, chassis: &Chassis, sensors: &[SensorUse]) {
    for SensorUse { name, model, .. } in sensors {
        // a camera at the default place does not see its vehicle
        let mut params = model.model.model.params().iter();
        let default = params.find(|desc| desc.key() == "pose_3d").map(ParamValue::default_of);
        let is_placed = model.value("pose_3d") != default.as_ref();
        let is_hidden =
            is_placed && model.value("ignore_parent_body") == Some(&ParamValue::Bool(false));
        let Some(ParamValue::Items(pose)) = model.value("pose_3d").filter(|_| is_hidden) else {
            continue;
        };
        let [ParamValue::Number(x), ParamValue::Number(y), ParamValue::Number(z), ..] = &**pose
        else {
            continue;
        };
        if chassis.contains([*x, *y, *z]) {
            let message = format!(
                "sensor `{name}` is inside the chassis of its vehicle, which hides everything else"
            );
            let help =
                "move it with <pose_3d>, or write <ignore_parent_body>true</ignore_parent_body>";
            let warning = Diagnostic::warning(message).at(model.span).label("inside the chassis");
            context.report.push(warning.help(help));
        }
    }
}
