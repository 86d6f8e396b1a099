//! Errors about ports of models.

use std::rc::Rc;

use simhost_abi::Model;
use simhost_model::ports::{Counterpart, PortFault, kind_faults};
use simhost_model::{ModelRef, View, fitting};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Largest number of faults of a controller that are listed one by one.
const MAX_DETAILED: usize = 2;

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
    let mut unfit = fitting(candidates, dynamics).err()?;
    // what contradicts the kind of the controller is reported with the whole vehicle
    for (candidate, faults) in &mut unfit {
        let of_kind = kind_faults(candidate.model);
        faults.retain(|fault| !of_kind.iter().any(|known| known.text == fault.text));
        // an input that the dynamics class does not measure can read a sensor of the vehicle, which is
        // not known yet; built-in controllers do not read single numbers of sensors
        let is_source = |fault: &PortFault| matches!(fault.lacks, Some((Counterpart::Source, _)));
        let can_read = !candidate.is_linked_in() && faults.iter().all(is_source);
        if faults.is_empty() || can_read {
            return Some((*candidate).clone());
        }
    }
    let first = candidates.first()?;
    let (name, class) = (first.id(), dynamics.id());
    let message = format!("controller `{name}` does not fit dynamics `{class}`");
    let mut error = Diagnostic::error(message).at(span).label("some ports do not match");
    let mut lists = Vec::new();
    for (candidate, faults) in &unfit {
        let name = &candidate.full_name;
        if faults.len() > MAX_DETAILED {
            error = error.note(format!("{name}: {}", summary(faults)));
            continue;
        }
        for fault in faults {
            let hint = match hint(fault) {
                hint if hint.is_empty() => hint,
                hint => format!("; {hint}"),
            };
            error = error.note(format!("{name}: {}{hint}", fault.text));
            if !fault.valid.is_empty() && !lists.contains(&&fault.valid) {
                lists.push(&fault.valid);
            }
        }
    }
    // several faults have the same list of valid names
    error = lists.into_iter().fold(error, Diagnostic::note);
    let owner = context.owner.clone();
    error = place(error, first, &owner);
    let is_one = unfit.len() == 1;
    if let (true, [fault, rest @ ..]) = (is_one, &*unfit[0].1)
        && rest.len() < MAX_DETAILED
        && !first.is_linked_in()
    {
        error = error.help(&fault.help);
    }
    context.report.push(error.help("choose another controller class or another dynamics class"));
    // with a single variant, the rest of the element can still be checked
    is_one.then(|| first.clone())
}

/// Summarises many faults of a controller in one line.
fn summary(faults: &[PortFault]) -> String {
    let lacking = |counterpart: Counterpart, text: &str| {
        let ports = faults.iter().filter_map(|fault| fault.lacks);
        let ports = ports.filter(|(lacks, _)| *lacks == counterpart).map(|(_, port)| port);
        let ports: Vec<_> = ports.collect();
        (!ports.is_empty()).then(|| format!("nothing {text} {}", ports.join(", ")))
    };
    let missing = [lacking(Counterpart::Reader, "takes"), lacking(Counterpart::Source, "measures")];
    let others =
        faults.iter().filter(|fault| fault.lacks.is_none()).map(|fault| fault.text.clone());
    missing.into_iter().flatten().chain(others).collect::<Vec<_>>().join("; ")
}

fn hint(fault: &PortFault) -> String {
    fault.nearest.map_or(String::new(), |name| format!("did you mean `{name}`?"))
}

/// Adds the vehicle and the file of the plugin.
fn place(error: Diagnostic, model: &ModelRef, owner: &str) -> Diagnostic {
    let error = if owner.is_empty() { error } else { error.note(format!("in {owner}")) };
    if model.is_linked_in() {
        return error;
    }
    error.note(format!("the plugin is {}", model.source))
}
