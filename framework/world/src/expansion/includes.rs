//! `<include file="…" name="value" …/>`: the file and the scope of its contents.

use std::path::Path;
use std::rc::Rc;

use super::evaluation::value_of;
use super::files::File;
use super::flow::check_content;
use super::open::open_included;
use super::scope::{Argument, NameContext, Scope};
use super::state::Expansion;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;
use crate::tree::Element;

/// Maximum nesting of includes.
const MAX_NESTING: usize = 32;

/// Opens the file of an `<include>` and puts it on the stack of open files. Returns the file and
/// the context of its contents.
#[inline(never)]
pub(super) fn enter(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<(Rc<File>, NameContext)> {
    check_content(expansion, element, false);
    let Some(attribute) = element.attribute("file") else {
        let error =
            Diagnostic::error("an include without a file").help("write <include file=\"…\"/>");
        expansion.report.push(error.at(element.name_span));
        return None;
    };
    let name = value_of(expansion, attribute, context)?;
    let span = attribute.span;
    if is_remote(expansion, &name, span) {
        return None;
    }
    let path = context.scope.directory.join(&name);
    let cost = expansion.budget.count(1);
    if !expansion.within_limits(cost, element.name_span) {
        return None;
    }
    let file = open_included(expansion, &path, span)?;
    if !push(expansion, &file.identity, &name, span) {
        return None;
    }
    for argument in element.attributes.iter().filter(|attribute| attribute.name != "file") {
        if !file.reads(&argument.name) {
            let message = format!("the included file does not read `{}`", argument.name);
            expansion.report.warning(argument.name_span, message, "has no effect");
        }
    }
    let scope = Scope {
        directory: Rc::clone(&file.directory),
        included: true,
        arguments: arguments(element, context),
    };
    let position = expansion.position_key(element.name_span, context.origin);
    let path = context.path.with(position.0);
    Some((file, NameContext { scope: Rc::new(scope), path, ..context.clone() }))
}

/// Reports a name that is an address and not a local file. Returns whether it is one.
pub(super) fn is_remote(expansion: &mut Expansion, name: &str, span: Span) -> bool {
    let start = name.to_lowercase();
    let is_remote = ["http://", "https://"].iter().any(|scheme| start.starts_with(scheme));
    if is_remote {
        let error = Diagnostic::error(format!("`{name}` is not a local file"))
            .at(span)
            .help("download the file and name its local path");
        expansion.report.push(error);
    }
    is_remote
}

/// Puts a file on the stack of open files, unless it is there or the stack is full.
fn push(expansion: &mut Expansion, identity: &Path, name: &str, span: Span) -> bool {
    if expansion.open_files.iter().any(|open| open == identity) {
        let message = format!("`{name}` includes itself");
        expansion.report.error(span, message, "this include closes the cycle");
        return false;
    }
    if expansion.open_files.len() >= MAX_NESTING {
        let message = format!("includes are nested more than {MAX_NESTING} deep");
        expansion.report.error(span, message, "");
        return false;
    }
    expansion.open_files.push(identity.to_owned());
    true
}

fn arguments(element: &Element, context: &NameContext) -> Vec<Argument> {
    let given = element.attributes.iter().filter(|attribute| attribute.name != "file");
    given
        .map(|attribute| Argument {
            name: attribute.name.clone(),
            text: attribute.text.content.clone(),
            span: attribute.text.span,
            scope: Rc::clone(&context.scope),
        })
        .collect()
}
