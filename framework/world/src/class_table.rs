//! Classes of vehicles, blocks and actors by name.

use std::collections::HashMap;
use std::rc::Rc;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::tree::{Element, Text};

/// The classes that have been declared so far, by name.
#[derive(Debug)]
pub(crate) struct ClassTable<T> {
    /// Name of the declaring element, such as `vehicle:class`.
    element: &'static str,
    classes: HashMap<String, Rc<T>>,
}

impl<T> ClassTable<T> {
    pub(crate) fn new(element: &'static str) -> Self {
        Self { element, classes: HashMap::new() }
    }

    /// Adds the class that `element` declares, read by `read`. Reports a class without a name.
    pub(crate) fn declare(
        &mut self,
        context: &mut Context<'_>,
        element: &Element,
        read: impl FnOnce(&mut Context<'_>) -> T,
    ) {
        let Some(name) = element.attribute("name") else {
            let error = Diagnostic::error(format!("missing `name` in `<{}>`", element.name))
                .at(element.name_span)
                .help(format!("write <{} name=\"…\">", element.name));
            context.report.push(error);
            return;
        };
        let Some(name) = name.value() else { return };
        let class = Rc::new(read(context));
        self.classes.insert(name.to_owned(), class);
    }

    /// Returns the class that `name` refers to. Reports an unknown class.
    pub(crate) fn find(&self, context: &mut Context<'_>, name: &Text) -> Option<Rc<T>> {
        let value = name.value()?;
        let found = self.classes.get(value);
        if found.is_none() {
            let known = self.classes.keys().map(String::as_str);
            let error = unknown_class(self.element, value).label(context.report.hint(value, known));
            context.report.push(error.at(name.span));
        }
        found.cloned()
    }
}

/// Returns the error about a class that has not been declared.
fn unknown_class(element: &str, name: &str) -> Diagnostic {
    Diagnostic::error(format!("unknown class: there is no <{element} name=\"{name}\">"))
        .help("declare or include the class before its use")
}
