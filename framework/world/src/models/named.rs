//! Names of models that are unique among models of their kind.

use super::instance::ModelUse;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Returns the name of a model: the given one, or its class and the first free number. `taken` are the names of the
/// earlier models of the kind. Reports a duplicate at `span`.
pub(crate) fn named(
    context: &mut Context<'_>,
    given: String,
    model: &ModelUse,
    taken: &[&str],
    span: Span,
) -> String {
    let mut numbered = (taken.len() + 1..).map(|number| format!("{}{number}", model.model.id()));
    let name = match given.is_empty() {
        false => given,
        true => numbered.find(|name| !taken.contains(&&**name)).unwrap_or_default(),
    };
    if taken.contains(&&*name) {
        let kind = model.model.model.kind_tag();
        let error = Diagnostic::duplicate_name(kind, &name, span);
        context.report.push(error.help(format!("give each {kind} its own name, or none")));
    }
    name
}
