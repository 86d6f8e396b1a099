//! Errors about ports of models.

use std::rc::Rc;

use simhost_abi::Model;
use simhost_model::ports::PortFault;
use simhost_model::{ModelRef, View, fitting};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Largest number of faults that are listed in one diagnostic.
const MAX_LISTED: usize = 6;

/// Reports the ports of a model that do not fit. `owner` is the vehicle, or empty.
pub(crate) fn report_ports(
    context: &mut Context<'_>,
    model: &ModelRef,
    faults: Vec<PortFault>,
    owner: &str,
    span: Span,
) {
    for fault in faults {
        let (kind, name) = (model.model.kind_tag(), &model.full_name);
        let mut error = Diagnostic::error(format!("{kind} `{name}`: {}", fault.text))
            .at(span)
            .label(hint(&fault));
        if !fault.valid.is_empty() {
            error = error.note(fault.valid);
        }
        context.report.push(place(error, model, owner).help(fault.help));
    }
}

/// Returns the first variant of a controller class that fits a dynamics class. Reports the ports
/// without a counterpart if there is none.
pub(crate) fn fitting_controller(
    context: &mut Context<'_>,
    candidates: &Rc<[ModelRef]>,
    dynamics: &'static View<Model>,
    span: Span,
) -> Option<ModelRef> {
    if let Some(known) = context.catalogue.fitting(candidates, dynamics) {
        return Some(known);
    }
    let unfit = fitting(candidates, dynamics).err()?;
    let first = candidates.first()?;
    let (name, class) = (first.id(), dynamics.id());
    let message = format!("controller `{name}` does not fit dynamics `{class}`");
    let mut error = Diagnostic::error(message).at(span).label("some ports do not match");
    let is_one = unfit.len() == 1;
    for (candidate, faults) in &unfit {
        for fault in faults.iter().take(MAX_LISTED) {
            let hint = match hint(fault) {
                hint if hint.is_empty() => String::new(),
                hint => format!("; {hint}"),
            };
            error = error.note(format!("{}: {}{hint}", candidate.full_name, fault.text));
            if is_one && !fault.valid.is_empty() {
                error = error.note(&fault.valid);
            }
        }
        if faults.len() > MAX_LISTED {
            let more = faults.len() - MAX_LISTED;
            error = error.note(format!("{}: {more} more ports", candidate.full_name));
        }
    }
    let owner = context.owner.clone();
    error = place(error, first, &owner);
    if let (true, Some(fault)) = (is_one, unfit[0].1.first()) {
        error = error.help(&fault.help);
    }
    context.report.push(error.help("choose another controller class or another dynamics class"));
    // with a single variant, the rest of the element can still be checked
    is_one.then(|| first.clone())
}

fn hint(fault: &PortFault) -> String {
    fault.nearest.map_or(String::new(), |name| format!("did you mean `{name}`?"))
}

/// Adds the vehicle and the file of the plugin.
fn place(error: Diagnostic, model: &ModelRef, owner: &str) -> Diagnostic {
    let error = if owner.is_empty() { error } else { error.note(format!("in {owner}")) };
    match &*model.source {
        "linked in" => error,
        file => error.note(format!("the plugin is {file}")),
    }
}
