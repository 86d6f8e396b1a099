//! Classes of vehicles, blocks and actors.
//!
//! A class without language is a definition that all its instances share. A class with language is
//! evaluated for every instance, with the name and the random draws of the instance. The result
//! becomes a separate definition, such as `robot#3`, which precedes the instance. If nothing that
//! the result depends on has changed, the last definition is used again.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use compact_str::{CompactString, format_compact};

use super::variables::{Dependence, NameContext, Scope, Table};
use crate::diagnostics::{Diagnostic, MAX_COMPARED, Report, did_you_mean};
use crate::expression::Key;
use crate::sources::Span;
use crate::tree::{Element, Origin};

/// The kind of class, such as `vehicle:class`, and its name.
pub(super) type ClassName = (&'static str, CompactString);

/// A class with language in it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub element: Rc<Element>,
    pub scope: Rc<Scope>,
    /// Variables of the world at the declaration.
    pub declared: Rc<Table>,
    /// Whether they take precedence everywhere in the class.
    pub declared_first: bool,
    /// The last definition made from the class, and what it depends on.
    pub last: Option<(CompactString, Dependence)>,
    /// Number of definitions so far.
    pub count: usize,
}

impl Class {
    /// Returns the context in which the class is evaluated for an instance.
    pub(super) fn context(&self, instance: &Instance<'_>) -> NameContext {
        NameContext {
            scope: Rc::clone(&self.scope),
            in_world: false,
            own: Some(instance.name.clone()),
            parent: Some(instance.name.clone()),
            declared: Some(Rc::clone(&self.declared)),
            declared_first: self.declared_first,
            path: instance.path.named("class"),
            origin: Some(self.element.name_span),
            in_loop: false,
        }
    }
}

/// The instance for which a class is evaluated.
pub(super) struct Instance<'a> {
    pub tag: &'static str,
    pub name: &'a CompactString,
    pub path: Key,
}

/// All classes, and the names of their definitions.
#[derive(Debug, Default)]
pub(super) struct DeclaredClasses {
    /// Classes by name. A class that is the same for every instance is `None`.
    pub classes: HashMap<ClassName, Option<Class>>,
    /// Names of definitions in the expanded tree.
    pub definitions: HashSet<ClassName>,
}

impl DeclaredClasses {
    /// Adds a class that all instances share.
    pub(super) fn add_shared(&mut self, class: ClassName) {
        self.classes.insert(class.clone(), None);
        self.definitions.insert(class);
    }

    /// Names a definition made from a class: the name of the class for the first definition, unless
    /// it depends on the instance; otherwise the name with a number.
    pub(super) fn definition_name(
        &self,
        (tag, name): &ClassName,
        count: usize,
        depends_on_instance: bool,
    ) -> CompactString {
        let is_free = |name: &CompactString| !self.definitions.contains(&(*tag, name.clone()));
        if !depends_on_instance && count == 0 {
            return name.clone();
        }
        let numbered = (count + 1..).map(|number| format_compact!("{name}#{number}"));
        numbered.into_iter().find(is_free).unwrap_or_else(|| name.clone())
    }

    /// Reports a class that has not been declared.
    pub(super) fn report_unknown(&self, report: &mut Report, tag: &str, name: &str, span: Span) {
        let mut label = String::new();
        // the order is arbitrary, so either all names are compared or none
        if report.wants_hints() && self.classes.len() <= MAX_COMPARED {
            let known = self.classes.keys().filter(|key| key.0 == tag);
            label = did_you_mean(name, known.map(|key| key.1.as_str()));
        }
        let message = format!("unknown class: there is no <{tag} name=\"{name}\">");
        let error = Diagnostic::error(message).at(span).label(label);
        report.push(error.help("declare or include the class before its use"));
    }
}

/// Returns the element that declares classes of an instance's element.
pub(super) fn class_tag(instance: &str) -> &'static str {
    match instance {
        "vehicle" | "vehicle:class" => "vehicle:class",
        "block" | "block:class" => "block:class",
        _ => "actor:class",
    }
}

/// Gives a definition its name.
pub(super) fn rename(element: &mut Element, name: &CompactString) {
    let attribute = element.attributes.iter_mut().rfind(|attribute| attribute.name == "name");
    if let Some(attribute) = attribute {
        attribute.text.content = name.clone();
        attribute.text.origin = Origin::Computed;
    }
}
