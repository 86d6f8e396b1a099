//! Lookup of the targets and sensors of faults in their vehicle.

use std::sync::Arc;

use super::description::Vehicle;
use super::robot_fault::{RobotFault, UnboundFault};
use super::{fault_sensor, fault_target};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Looks up the targets and sensors of the faults of a vehicle.
pub(super) fn bind<'f>(
    context: &mut Context<'_>,
    vehicle: &Vehicle,
    faults: impl Iterator<Item = &'f UnboundFault>,
) -> Arc<[RobotFault]> {
    let mut bound = Vec::new();
    for UnboundFault { fault, sensor_span, effect } in faults {
        if let Err(error) = fault_sensor::check(vehicle, &fault.sensor) {
            push(context, error.at(*sensor_span), *sensor_span);
        }
        let mut fault = fault.clone();
        if let Some((name, span, effect)) = effect {
            match fault_target::find(vehicle, name, *effect) {
                Ok(target) => fault.effect = Some((target, *effect)),
                Err(error) => push(context, error.at(*span), *span),
            }
        }
        bound.push(fault);
    }
    bound.into()
}

/// Reports an error once for all vehicles of a class.
fn push(context: &mut Context<'_>, error: Diagnostic, span: Span) {
    if !context.report.contains(span, &error.message) {
        context.report.push(error);
    }
}
