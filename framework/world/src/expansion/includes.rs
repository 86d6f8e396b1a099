//! `<include file="…" name="value" …/>`: another file in its place, at any depth.

use std::path::PathBuf;
use std::rc::Rc;

use super::scope::Argument;
use super::{Context, Expansion, Scope};
use crate::xml::Element;

/// Deepest chain of includes.
const MAX_CHAIN: usize = 32;

impl Expansion {
    /// Appends what an included file becomes.
    #[inline(never)]
    pub(super) fn include(&mut self, element: &Element, context: &Context, out: &mut Vec<Element>) {
        self.check_content(element, false);
        let Some(file) = element.attribute("file") else {
            let help = "write <include file=\"…\"/>";
            self.report.error(Some(element.name_span), "an include without a file", help);
            return;
        };
        let Some(name) = self.value(file, context) else { return };
        let span = file.span;
        if ["http://", "https://"].iter().any(|scheme| name.to_lowercase().starts_with(scheme)) {
            let help = "download the file and name its path";
            self.report.error(Some(span), format!("`{name}` is not a local file"), help);
            return;
        }
        let path = context.scope.directory.join(&name);
        let cost = self.budget.count(1);
        if !self.within(cost, element.name_span) {
            return;
        }
        let Some(file) = self.open(&path, span) else { return };
        if !self.enter(&file.identity, &name, span) {
            return;
        }
        for attribute in element.attributes.iter().filter(|a| a.name != "file") {
            if !file.reads(&attribute.name) {
                let message = format!("the included file does not read `{}`", attribute.name);
                self.report.warning(attribute.name_span, message, "has no effect");
            }
        }
        let scope = Scope {
            directory: Rc::clone(&file.directory),
            included: true,
            arguments: arguments(element, context),
        };
        let path = context.path.with(self.place(element.name_span, context).0);
        let inner = Context { scope: Rc::new(scope), path, ..context.clone() };
        self.elements(&file.roots, &inner, out);
        self.open_files.pop();
    }

    /// Puts a file on the chain, unless it is there already or the chain is too long.
    fn enter(&mut self, identity: &PathBuf, name: &str, span: crate::sources::Span) -> bool {
        if self.open_files.contains(identity) {
            let message = format!("`{name}` includes itself");
            let (severity, label) = (crate::diagnostics::Severity::Error, "this closes the circle");
            self.report.say(severity, Some(span), message, label, Vec::new());
            return false;
        }
        if self.open_files.len() >= MAX_CHAIN {
            let message = format!("includes are nested more than {MAX_CHAIN} deep");
            self.report.error(Some(span), message, "");
            return false;
        }
        self.open_files.push(identity.clone());
        true
    }
}

fn arguments(element: &Element, context: &Context) -> Vec<Argument> {
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
