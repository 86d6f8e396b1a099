//! Creation of a model while the world is read, to find errors that only the model can detect.

use simhost_abi::{Kind, WheelUse, fault_code};
use simhost_model::{Instance, ModelRef, ParamValue};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Creates and destroys a model. Reports the error if the model rejects its parameters. A panic is
/// left to the simulation, which attributes it to the plugin. Returns the number of rays of a sensor.
pub(super) fn create(
    context: &mut Context<'_>,
    model: &ModelRef,
    values: &[ParamValue],
    span: Span,
) -> usize {
    match Instance::new(model, values) {
        Ok(instance) => {
            // a friction model has its warnings when the wheels are known
            if model.model.kind() != Some(Kind::Friction) {
                report_warnings(context, &instance, &[], span);
            }
            return instance.rays();
        }
        Err(fault) if fault.code == fault_code::PANIC => {}
        Err(fault) => {
            let error = Diagnostic::error(format!("{} rejects its parameters", model.full_name))
                .at(span)
                .label(fault.message())
                .help(format!("run `simhost plugin doc {}` for their meaning", model.id()));
            context.report.push(error);
        }
    }
    0
}

/// Reports the warnings of a model about its parameters and the wheels that use it.
pub(super) fn report_warnings(
    context: &mut Context<'_>,
    instance: &Instance,
    wheels: &[WheelUse],
    span: Span,
) {
    let class = &instance.class().full_name;
    match instance.warnings(wheels) {
        Ok(texts) => {
            for text in texts {
                context.report.push(Diagnostic::warning(text).at(span).label(class.to_string()));
            }
        }
        Err(fault) => {
            let message = format!("the warnings of {class} cannot be shown: {}", fault.message());
            context.report.push(Diagnostic::warning(message).at(span));
        }
    }
}
