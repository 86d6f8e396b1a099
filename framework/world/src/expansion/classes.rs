//! Classes of vehicles, blocks and actors.
//!
//! A class without language is a definition that all its instances share. Another one is evaluated for
//! every instance, with its name and its own draws, and becomes a definition of its own, such as
//! `robot#3`, right before the instance. Where it comes out the same, the last definition serves again.

use std::borrow::Cow;
use std::rc::Rc;

use compact_str::{CompactString, format_compact};

use super::variables::{Dependence, Table};
use super::{Context, Expansion, Scope, settled};
use crate::expression::Key;
use crate::sources::Span;
use crate::tag::{MAX_KNOWN, did_you_mean};
use crate::xml::{Element, Origin, Text};

/// A class with language in it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    element: Rc<Element>,
    scope: Rc<Scope>,
    /// Variables where it is declared.
    declared: Rc<Table>,
    /// They hold for all of it.
    declared_first: bool,
    /// The last definition made of it, and what that depended on.
    last: Option<(CompactString, Dependence)>,
    count: usize,
}

/// The instance for which a class is evaluated.
pub(super) struct Instance<'a> {
    pub tag: &'static str,
    pub name: &'a CompactString,
    pub path: Key,
}

/// The tag of the classes of an instance's tag.
pub(super) fn class_tag(instance: &str) -> &'static str {
    match instance {
        "vehicle" | "vehicle:class" => "vehicle:class",
        "block" | "block:class" => "block:class",
        _ => "actor:class",
    }
}

impl Expansion {
    /// Takes a declaration in: appends one that all instances share, keeps another for later.
    #[inline(never)]
    pub(super) fn class(
        &mut self,
        element: Cow<'_, Element>,
        context: &Context,
        out: &mut Vec<Element>,
    ) {
        let tag = class_tag(&element.name);
        // a missing name is reported where the declaration is read
        let name = element.attribute("name").and_then(|name| self.value(name, context));
        let text = element.text.as_ref().is_some_and(|text| text.content.contains('$'));
        let shared = !text && !element.children.iter().any(|child| child.dynamic);
        if shared || name.is_none() {
            if let Some(name) = name {
                self.classes.insert((tag, name.clone()), None);
                self.class_names.insert((tag, name));
            }
            out.extend(self.plain(element, context));
            return;
        }
        let class = Class {
            element: Rc::new(element.into_owned()),
            scope: Rc::clone(&context.scope),
            declared: self.variables.snapshot(),
            declared_first: context.in_loop,
            last: None,
            count: 0,
        };
        if let Some(name) = name {
            self.classes.insert((tag, name), Some(class));
        }
    }

    /// The name of the definition that an instance uses; appends it where it is new.
    pub(super) fn class_of(
        &mut self,
        class: &Text,
        instance: &Instance<'_>,
        context: &Context,
        out: &mut Vec<Element>,
    ) -> Option<CompactString> {
        let name = self.value(class, context)?;
        let key = (class_tag(instance.tag), name);
        let Some(known) = self.classes.get(&key) else {
            self.unknown_class(key.0, &key.1, class.span);
            return None;
        };
        let Some(class) = known else { return Some(key.1) };
        if let Some((made, dependence)) = &class.last
            && self.variables.unchanged(dependence)
        {
            return Some(made.clone());
        }
        let class = class.clone();
        let (made, dependence) = self.specialised(&class, &key, instance, out)?;
        if let Some(Some(class)) = self.classes.get_mut(&key) {
            class.last = Some((made.clone(), dependence));
            class.count += 1;
        }
        Some(made)
    }

    /// Evaluates a class for an instance.
    fn specialised(
        &mut self,
        class: &Class,
        key: &(&'static str, CompactString),
        instance: &Instance<'_>,
        out: &mut Vec<Element>,
    ) -> Option<(CompactString, Dependence)> {
        let context = Context {
            scope: Rc::clone(&class.scope),
            in_world: false,
            own: Some(instance.name.clone()),
            parent: Some(instance.name.clone()),
            declared: Some(Rc::clone(&class.declared)),
            declared_first: class.declared_first,
            path: instance.path.named("class"),
            origin: Some(class.element.name_span),
            in_loop: false,
        };
        self.variables.watch();
        let evaluated = self.evaluated(&class.element, &context);
        let dependence = self.variables.watched();
        self.variables.leave();
        let mut element = settled(evaluated?);
        let made = self.free_name(key, class.count, dependence.instance);
        let name = element.attributes.iter_mut().rfind(|attribute| attribute.name == "name");
        if let Some(attribute) = name {
            attribute.text.content = made.clone();
            attribute.text.origin = Origin::Computed;
        }
        self.class_names.insert((key.0, made.clone()));
        out.push(element);
        Some((made, dependence))
    }

    /// The class's own name for a definition that may serve all instances, else one with a number.
    fn free_name(
        &self,
        (tag, name): &(&'static str, CompactString),
        count: usize,
        of_instance: bool,
    ) -> CompactString {
        let is_free = |name: &CompactString| !self.class_names.contains(&(*tag, name.clone()));
        if !of_instance && count == 0 {
            return name.clone();
        }
        let numbered = (count + 1..).map(|number| format_compact!("{name}#{number}"));
        numbered.into_iter().find(is_free).unwrap_or_else(|| name.clone())
    }

    fn unknown_class(&mut self, tag: &str, name: &str, span: Span) {
        let mut label = String::new();
        // in no order: either all of them are looked at or none
        if self.report.wants_hints() && self.classes.len() <= MAX_KNOWN {
            let known = self.classes.keys().filter(|key| key.0 == tag);
            label = did_you_mean(name, known.map(|key| key.1.as_str()));
        }
        let message = format!("there is no <{tag} name=\"{name}\">");
        let notes = vec!["help: a class is declared or included before its use".to_owned()];
        self.report.say(crate::diagnostics::Severity::Error, Some(span), message, label, notes);
    }
}
