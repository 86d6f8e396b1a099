//! Sensors and their readings as targets of faults.

use simhost_abi::PortDesc;
use simhost_model::View;

use super::list;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::sensor::SensorUse;
use crate::vehicle::description::Vehicle;
use crate::vehicle::fault_effect::FaultEffect;
use crate::vehicle::robot_fault::FaultTarget;

/// Returns the outputs of the readings of a sensor.
fn outputs_of(sensor: &SensorUse) -> &'static [View<PortDesc>] {
    sensor.model.model.model.phase("read").map_or(&[], |read| read.outputs())
}

/// Returns a sensor, or one of its readings, as a target.
///
/// # Errors
/// A [`Diagnostic`] without a position if there is no such reading, or the effect does not fit it.
pub(super) fn find(
    vehicle: &Vehicle,
    sensor: usize,
    output: Option<&str>,
    effect: FaultEffect,
) -> Result<FaultTarget, Diagnostic> {
    let used = &vehicle.sensors[sensor];
    let (name, outputs) = (&used.name, outputs_of(used));
    let valid = || list(outputs.iter().map(|port| format!("{name}/{}", port.name())));
    if outputs.is_empty() {
        let class = &used.model.model.full_name;
        return Err(Diagnostic::error(format!("sensor `{name}` has no readings"))
            .label(format!("sensors of class `{class}` have none"))
            .help("choose another sensor or a port"));
    }
    let Some(output) = output else {
        let unit = |port: &'static View<PortDesc>| port.unit();
        let first = unit(&outputs[0]);
        if matches!(effect, FaultEffect::Offset(_))
            && outputs.iter().any(|port| unit(port) != first)
        {
            return Err(Diagnostic::error(format!(
                "the readings of sensor `{name}` have different units"
            ))
            .label("an offset acts on one reading")
            .help(format!("name the reading: {}", valid())));
        }
        return Ok(FaultTarget::Sensor { sensor, output: None });
    };
    let Some(number) = outputs.iter().position(|port| port.name() == output) else {
        let names = outputs.iter().map(View::<PortDesc>::name);
        return Err(Diagnostic::error(format!("unknown reading `{output}` of sensor `{name}`"))
            .label(did_you_mean(output, names))
            .help(format!("the readings of the sensor are {}", valid())));
    };
    if effect == FaultEffect::Dropout {
        return Err(Diagnostic::error(format!(
            "a single reading of sensor `{name}` cannot drop out"
        ))
        .label(format!("expected `{name}`"))
        .help("name the whole sensor, or write effect=\"stuck\""));
    }
    Ok(FaultTarget::Sensor { sensor, output: Some(number) })
}
