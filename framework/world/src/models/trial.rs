//! Creation of a model while the world is read, to find errors that only the model can detect.

use simhost_abi::{Fault, fault_code};
use simhost_model::{ModelRef, ParamValue};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Creates and destroys a model. Reports the error if the model rejects its parameters. A panic is left
/// to the simulation, which attributes it to the plugin.
pub(super) fn create(
    context: &mut Context<'_>,
    model: &ModelRef,
    values: &[ParamValue],
    span: Span,
) {
    let mut handle = std::ptr::null_mut();
    let mut fault = Fault::NONE;
    let code = ParamValue::with_abi(values, |values| {
        // SAFETY: the values match the model's descriptor and live during the call; handle and fault
        // point to local variables.
        unsafe { (model.model.create)(values, &raw mut handle, &raw mut fault) }
    });
    match code {
        // SAFETY: the handle came from `create` and is not used again.
        fault_code::NONE => unsafe { (model.model.destroy)(handle) },
        fault_code::PANIC => {}
        _ => {
            let error = Diagnostic::error(format!("{} rejects its parameters", model.full_name))
                .at(span)
                .label(fault.message())
                .help(format!("run `simhost plugin doc {}` for their meaning", model.id()));
            context.report.push(error);
        }
    }
}
