//! The contents of an element, matched to its section.

use std::ops::Range;

use simhost_abi::ParamDesc;
use simhost_model::View;

use super::{ClassValues, Given, unknown};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::value;
use crate::vocabulary::{Default, Effect, Entry, Section, Value, section};

/// Index of a name that is neither in the section nor claimed by a model.
const UNKNOWN: u8 = u8::MAX;

/// The section of an element that holds a text and nothing else.
static LEAF: Section = section("value", "A value.", &[]);

/// An element that is being read.
///
/// Call the getters for every entry of the section, then [`Self::finish`], which reports everything
/// else that the element contains.
pub(crate) struct ElementReader<'r, 'c, 'e> {
    pub context: &'r mut Context<'c>,
    pub element: &'e Element,
    pub section: &'static Section,
    /// Parameters of the model, which belong to this element too.
    pub params: &'static [View<ParamDesc>],
    /// Further names that are known in this element.
    pub names: Vec<&'static str>,
    /// Whether the text of the element is read.
    pub reads_text: bool,
    /// Attributes and children, each with the index of its entry.
    pub(super) given: Vec<(u8, Given<'e>)>,
    /// A bit for each entry that has been read.
    pub(super) read: u64,
    /// Values of the class of the element, for entries that the element does not give.
    pub(super) class: Option<&'r ClassValues>,
    /// Values that the element gives as a class.
    pub(super) kept: Option<ClassValues>,
}

impl<'r, 'c, 'e> ElementReader<'r, 'c, 'e> {
    pub(crate) fn new(
        context: &'r mut Context<'c>,
        element: &'e Element,
        section: &'static Section,
    ) -> Self {
        let attributes = element.attributes.iter().map(Given::Attribute);
        let given = attributes.chain(element.children.iter().map(Given::Child));
        let indexed = |given: Given<'e>| {
            let entry = section.entries.iter().position(|entry| given.matches(entry));
            (entry.map_or(UNKNOWN, |index| index as u8), given)
        };
        let given = given.map(indexed).collect();
        let (params, names): (&[_], _) = (&[], Vec::new());
        let (class, kept) = (None, None);
        Self {
            context,
            element,
            section,
            params,
            names,
            reads_text: section.has_text,
            given,
            read: 0,
            class,
            kept,
        }
    }

    /// Accepts all names that are not in the section: the class that declares them is not known.
    pub(crate) fn accept_unknown(&mut self) {
        self.given.retain(|(entry, _)| *entry != UNKNOWN);
    }

    /// Returns the attribute or child that takes effect for the entry with this index. Warns of duplicates.
    pub(super) fn take_at(&mut self, index: usize) -> Option<Given<'e>> {
        self.read |= 1 << index;
        let is_wanted = |(entry, _): &&(u8, Given<'e>)| usize::from(*entry) == index;
        let mut found = self.given.iter().filter(is_wanted);
        let first = found.next()?.1;
        if found.next().is_none() {
            return Some(first);
        }
        let all: Vec<_> = self.given.iter().filter(is_wanted).map(|(_, given)| *given).collect();
        let last = all.len() - 1;
        let (used, ignored, label) = match self.section.first_wins {
            true => (first, &all[1..], "ignored: the first one is used"),
            false => (all[last], &all[..last], "ignored: the last one is used"),
        };
        for given in ignored {
            let message = format!("duplicate `{}`", given.name());
            self.context.report.warning(given.name_span(), message, label);
        }
        Some(used)
    }

    /// Returns all attributes and children of several entries, in document order.
    pub(crate) fn take_all(&self, place: Range<usize>) -> Vec<(usize, Given<'e>)> {
        let all = self.given.iter().map(|(entry, given)| (usize::from(*entry), *given));
        all.filter(|(entry, _)| place.contains(entry)).collect()
    }

    /// Creates the reader of an instance or a class whose name and base class are read elsewhere.
    pub(crate) fn of_class(
        context: &'r mut Context<'c>,
        element: &'e Element,
        section: &'static Section,
    ) -> Self {
        let mut reader = Self::new(context, element, section);
        reader.take("name");
        if section.has("class") {
            reader.take("class");
        }
        reader
    }

    /// Marks an entry as read and returns its index.
    fn mark_read(&mut self, name: &str) -> u8 {
        let index = self.section.index(name);
        self.read |= 1 << index;
        index as u8
    }

    /// Returns the attribute or child that takes effect for an entry. Warns of duplicates.
    pub(crate) fn take(&mut self, name: &str) -> Option<Given<'e>> {
        self.take_at(self.section.index(name))
    }

    /// Returns the text of an entry.
    pub(crate) fn text_of(&mut self, name: &str) -> Option<&'e Text> {
        let given = self.take(name)?;
        self.given_text_of(given)
    }

    /// Returns the text of an attribute or a child.
    pub(crate) fn given_text_of(&mut self, given: Given<'e>) -> Option<&'e Text> {
        match given {
            Given::Attribute(attribute) => Some(&attribute.text),
            Given::Child(element) => leaf_text(self.context, element),
        }
    }

    /// Returns the position of the text of an entry, or of the element.
    pub(crate) fn span_of(&mut self, name: &str) -> Span {
        match self.take(name) {
            Some(Given::Attribute(attribute)) => attribute.text.span,
            Some(Given::Child(child)) => {
                child.text.as_ref().map_or(child.name_span, |text| text.span)
            }
            None => self.element.name_span,
        }
    }

    /// Returns whether an entry is given, with or without a valid value.
    pub(crate) fn is_given(&mut self, name: &str) -> bool {
        let index = self.mark_read(name);
        self.given.iter().any(|(entry, _)| *entry == index)
    }

    /// Returns a child element that has its own section.
    pub(crate) fn child(&mut self, name: &str) -> Option<&'e Element> {
        match self.take(name)? {
            Given::Child(element) => Some(element),
            Given::Attribute(_) => None,
        }
    }

    /// Returns all children with one of these names, in document order.
    pub(crate) fn children(&mut self, names: &[&str]) -> Vec<&'e Element> {
        let wanted = names.iter().fold(0_u64, |bits, name| bits | 1 << self.mark_read(name));
        let is_wanted = |entry: u8| entry != UNKNOWN && wanted & 1 << entry != 0;
        let picked = self.given.iter().filter(|(entry, _)| is_wanted(*entry));
        let element = |(_, given): &(u8, Given<'e>)| match given {
            Given::Child(element) => Some(*element),
            Given::Attribute(_) => None,
        };
        picked.filter_map(element).collect()
    }

    /// Returns the children of an entry that have an attribute. Everything else of this name counts as unknown to the
    /// section.
    pub(crate) fn children_with(&mut self, name: &str, attribute: &str) -> Vec<&'e Element> {
        let index = self.mark_read(name);
        let mut found = Vec::new();
        for (entry, given) in self.given.iter_mut().filter(|(entry, _)| *entry == index) {
            match given {
                Given::Child(child) if child.attribute(attribute).is_some() => found.push(*child),
                _ => *entry = UNKNOWN,
            }
        }
        found
    }

    /// Takes everything whose name is not in the section but is accepted by `matches`.
    pub(crate) fn claim(&mut self, matches: impl Fn(&str) -> bool) -> Vec<Given<'e>> {
        let mut claimed = Vec::new();
        self.given.retain(|(entry, given)| {
            let is_claimed = *entry == UNKNOWN && matches(given.name());
            if is_claimed {
                claimed.push(*given);
            }
            !is_claimed
        });
        claimed
    }

    /// Returns whether a name is left that is not in the section and has not been claimed.
    pub(crate) fn has_unknown(&self) -> bool {
        self.given.iter().any(|(entry, _)| *entry == UNKNOWN)
    }

    /// Reports everything that has not been read, and returns the context.
    pub(crate) fn finish(mut self) -> &'r mut Context<'c> {
        self.check_ranges();
        self.report_rest();
        for (index, entry) in self.section.entries.iter().enumerate() {
            debug_assert!(
                self.read & 1 << index != 0 || entry.effect != Effect::Used || entry.is_language(),
                "`{}` of `{}` is not read",
                entry.name,
                self.section.name
            );
        }
        self.context
    }

    /// Reports unread contents of an element if only a part of it is of interest.
    pub(crate) fn finish_partly(mut self) {
        self.check_ranges();
        self.report_rest();
    }

    /// Checks all values without using them.
    fn check(mut self) {
        for entry in self.section.entries {
            if entry.default == Default::Required && !self.has(entry) {
                self.report_missing(entry);
            }
        }
        self.read = 0;
        self.report_rest();
    }

    fn has(&self, entry: &Entry) -> bool {
        self.given.iter().any(|(_, given)| given.matches(entry))
    }

    fn report_rest(&mut self) {
        if let Some(text) = self.element.text.as_ref().filter(|_| !self.reads_text) {
            let message = format!("text in `<{}>` has no effect", self.element.name);
            self.context.report.warning(text.span, message, "expected child elements");
        }
        for (index, given) in std::mem::take(&mut self.given) {
            let Some(entry) = self.section.entries.get(usize::from(index)) else {
                self.report_unknown(given);
                continue;
            };
            if self.read & 1 << index != 0 || entry.is_language() {
                continue;
            }
            self.check_value(entry, given);
            if let Effect::Ignored(reason) = entry.effect {
                let warning = Diagnostic::warning(format!("`{}` has no effect", given.name()))
                    .at(given.name_span())
                    .label("ignored")
                    .note(reason);
                self.context.report.push(warning);
            }
        }
    }

    /// Reports an entry that has to be given and is not.
    pub(crate) fn report_missing(&mut self, entry: &'static Entry) {
        let error = unknown::missing(self.element, entry, &self.context.catalogue);
        self.context.report.push(error);
    }

    fn report_unknown(&mut self, given: Given<'_>) {
        unknown::report(self.context, self.element, self.section, self.params, &self.names, given);
    }

    fn check_value(&mut self, entry: &'static Entry, given: Given<'e>) {
        match (entry.value, given) {
            (Value::Presence | Value::ElementByClass(_), _) => {}
            (Value::Element(section), Given::Child(element)) => {
                ElementReader::new(self.context, element, section).check();
            }
            (Value::Element(_), Given::Attribute(_)) => {}
            // an empty text switches the setting off
            (Value::Text | Value::Vehicle, Given::Child(element)) if element.text.is_none() => {}
            _ => {
                if let Some(text) = self.given_text_of(given) {
                    value::check(self.context, entry, text);
                }
            }
        }
    }
}

/// Returns the text of an element that contains nothing else. Reports a missing text and anything
/// else that the element contains.
pub(crate) fn leaf_text<'e>(context: &mut Context<'_>, element: &'e Element) -> Option<&'e Text> {
    if !element.attributes.is_empty() || !element.children.is_empty() {
        let mut reader = ElementReader::new(context, element, &LEAF);
        reader.reads_text = true;
        reader.finish();
    }
    if element.text.is_none() {
        let message = format!("`<{}>` is empty", element.name);
        context.report.error(element.name_span, message, "expected a value");
    }
    element.text.as_ref()
}
