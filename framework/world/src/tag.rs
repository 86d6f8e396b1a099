//! One tag being read: what of its section is given.

mod unknown;
mod values;

pub(crate) use unknown::{MAX_KNOWN, did_you_mean};

use simhost_abi::ParamDesc;
use simhost_model::View;

use crate::reader::Reader;
use crate::sources::Span;
use crate::vocabulary::{Default as Fallback, Effect, Entry, Section, Value};
use crate::xml::{Attribute, Element, Text};

/// A name that stands in no section, and has not been taken by a model.
const UNKNOWN: u8 = u8::MAX;

#[derive(Clone, Copy)]
pub(crate) enum Given<'e> {
    Attribute(&'e Attribute),
    Child(&'e Element),
}

impl<'e> Given<'e> {
    pub(crate) fn name(&self) -> &'e str {
        match self {
            Self::Attribute(attribute) => &attribute.name,
            Self::Child(element) => &element.name,
        }
    }

    pub(crate) fn name_span(&self) -> Span {
        match self {
            Self::Attribute(attribute) => attribute.name_span,
            Self::Child(element) => element.name_span,
        }
    }

    fn fits(&self, entry: &Entry) -> bool {
        let form = match self {
            Self::Attribute(_) => entry.is_attribute(),
            Self::Child(_) => entry.is_child(),
        };
        form && entry.names().any(|name| name == self.name())
    }
}

/// A tag and what of its section is given in it.
pub(crate) struct Tag<'r, 'c, 'e> {
    pub reader: &'r mut Reader<'c>,
    pub element: &'e Element,
    pub section: &'static Section,
    /// Parameters of the model that belong here too.
    pub params: &'static [View<ParamDesc>],
    /// Further names that are known here.
    pub names: Vec<&'static str>,
    /// Index of the entry, and what is given.
    given: Vec<(u8, Given<'e>)>,
    /// A bit for each entry that has been asked for.
    asked: u64,
    /// Somebody reads the text.
    pub text_read: bool,
}

impl<'r, 'c, 'e> Tag<'r, 'c, 'e> {
    pub(crate) fn new(
        reader: &'r mut Reader<'c>,
        element: &'e Element,
        section: &'static Section,
    ) -> Self {
        let attributes = element.attributes.iter().filter(|attribute| !is_markup(&attribute.name));
        let given =
            attributes.map(Given::Attribute).chain(element.children.iter().map(Given::Child));
        let place = |given: Given<'e>| {
            let entry = section.entries.iter().position(|entry| given.fits(entry));
            (entry.map_or(UNKNOWN, |index| index as u8), given)
        };
        let given = given.map(place).collect();
        let (params, names): (&[_], _) = (&[], Vec::new());
        Self { reader, element, section, params, names, given, asked: 0, text_read: false }
    }

    fn ask(&mut self, name: &str) -> (u8, &'static Entry) {
        let index = self.section.entries.iter().position(|entry| entry.name == name);
        debug_assert!(index.is_some(), "`{name}` is not in the section of `{}`", self.section.name);
        let index = index.expect("the reader asks for what its section lists");
        self.asked |= 1 << index;
        (index as u8, &self.section.entries[index])
    }

    /// The one that holds; others of the name are reported.
    pub(crate) fn take(&mut self, name: &str) -> Option<Given<'e>> {
        let (index, _) = self.ask(name);
        self.holding(index)
    }

    fn holding(&mut self, index: u8) -> Option<Given<'e>> {
        let mut found = self.given.iter().filter(|(entry, _)| *entry == index);
        let first = found.next()?.1;
        let Some((_, mut last)) = found.next().copied() else { return Some(first) };
        let rest = self.given.iter().filter(|(entry, _)| *entry == index);
        let all: Vec<_> = rest.map(|(_, given)| *given).collect();
        last = *all.last().unwrap_or(&last);
        let first_holds = self.section.first_holds;
        let (unread, label) = match first_holds {
            true => (&all[1..], "the first one holds"),
            false => (&all[..all.len() - 1], "the last one holds"),
        };
        for given in unread {
            self.reader.warning(given.name_span(), "given more than once", label);
        }
        Some(if first_holds { first } else { last })
    }

    /// The text of a field.
    pub(crate) fn text_of(&mut self, name: &str) -> Option<&'e Text> {
        let given = self.take(name)?;
        self.reader.text_of(given)
    }

    pub(crate) fn is_given(&mut self, name: &str) -> bool {
        self.take(name).is_some()
    }

    /// A child that is a tag of its own.
    pub(crate) fn child(&mut self, name: &str) -> Option<&'e Element> {
        match self.take(name)? {
            Given::Child(element) => Some(element),
            Given::Attribute(_) => None,
        }
    }

    /// Children that may stand several times, of all these names, in order.
    pub(crate) fn children(&mut self, names: &[&str]) -> Vec<&'e Element> {
        let wanted: Vec<u8> = names.iter().map(|name| self.ask(name).0).collect();
        let picked = self.given.iter().filter(|(entry, _)| wanted.contains(entry));
        let element = |(_, given): &(u8, Given<'e>)| match given {
            Given::Child(element) => Some(*element),
            Given::Attribute(_) => None,
        };
        picked.filter_map(element).collect()
    }

    /// What no section lists and one of these names fits, which is known from now on.
    pub(crate) fn claim(&mut self, fits: impl Fn(&str) -> bool) -> Vec<Given<'e>> {
        let mut claimed = Vec::new();
        self.given.retain(|(entry, given)| {
            let is_claimed = *entry == UNKNOWN && fits(given.name());
            if is_claimed {
                claimed.push(*given);
            }
            !is_claimed
        });
        claimed
    }

    /// Whether something is left that nobody knows.
    pub(crate) fn has_unknown(&self) -> bool {
        self.given.iter().any(|(entry, _)| *entry == UNKNOWN)
    }

    /// Reports what has no effect and what is not known.
    pub(crate) fn finish(mut self) {
        self.rest();
        for (index, entry) in self.section.entries.iter().enumerate() {
            let read = self.asked & 1 << index != 0;
            debug_assert!(
                read || entry.effect != Effect::Used || is_expanded(entry),
                "`{}` of `{}` is not read",
                entry.name,
                self.section.name
            );
        }
    }

    /// Reports what is left of the attributes alone.
    pub(crate) fn finish_attributes(mut self) {
        self.rest();
    }

    /// Checks everything and keeps nothing.
    pub(crate) fn check(mut self) {
        for (index, entry) in self.section.entries.iter().enumerate() {
            self.required(entry, index as u8);
            self.asked &= !(1 << index);
        }
        self.rest();
    }

    fn rest(&mut self) {
        if let Some(text) = self.element.text.as_ref().filter(|_| !self.text_read) {
            let message = format!("text in `<{}>` has no effect", self.element.name);
            self.reader.warning(text.span, message, "expected tags");
        }
        for (index, given) in std::mem::take(&mut self.given) {
            let Some(entry) = self.section.entries.get(usize::from(index)) else {
                self.unknown(given);
                continue;
            };
            if self.asked & 1 << index != 0 || is_expanded(entry) {
                continue;
            }
            self.check_value(entry, given);
            if let Effect::Lost(reason) = entry.effect {
                let message = format!("`{}` has no effect", given.name());
                let help = vec![format!("note: {reason}")];
                let severity = crate::diagnostics::Severity::Warning;
                self.reader.say(severity, given.name_span(), message, "ignored", help);
            }
        }
    }

    fn required(&mut self, entry: &'static Entry, index: u8) {
        let given = self.given.iter().any(|(given, _)| *given == index);
        if entry.default == Fallback::Required && !given {
            self.missing(entry);
        }
    }

    fn check_value(&mut self, entry: &'static Entry, given: Given<'e>) {
        match (entry.value, given) {
            (Value::Presence | Value::Classes(_), _) => {}
            (Value::Tag(section), Given::Child(element)) => {
                Tag::new(self.reader, element, section).check();
            }
            (Value::Tag(_), Given::Attribute(_)) => {}
            // empty switches it off
            (Value::Text, Given::Child(element)) if element.text.is_none() => {}
            _ => {
                if let Some(text) = self.reader.text_of(given) {
                    self.reader.check_value(entry, text);
                }
            }
        }
    }
}

/// What an editor needs.
fn is_markup(name: &str) -> bool {
    name.starts_with("xmlns") || name.starts_with("xsi:")
}

/// Gone before anything is read.
fn is_expanded(entry: &Entry) -> bool {
    matches!(entry.name, "include" | "if" | "for" | "variable")
}

impl Reader<'_> {
    /// The text of an element that has nothing but text.
    pub(crate) fn leaf<'e>(&mut self, element: &'e Element) -> Option<&'e Text> {
        if !element.attributes.is_empty() || !element.children.is_empty() {
            static LEAF: Section = crate::vocabulary::section("value", "A value.", &[]);
            let mut tag = Tag::new(self, element, &LEAF);
            tag.text_read = true;
            tag.finish();
        }
        if element.text.is_none() {
            let message = format!("`<{}>` is empty", element.name);
            self.error(element.name_span, message, "expected a value", Vec::new());
        }
        element.text.as_ref()
    }

    pub(crate) fn text_of<'e>(&mut self, given: Given<'e>) -> Option<&'e Text> {
        match given {
            Given::Attribute(attribute) => Some(&attribute.text),
            Given::Child(element) => self.leaf(element),
        }
    }
}
