//! Names that nobody knows, and names that are missing.

use crate::diagnostics::Severity;
use crate::reader::Reader;
use crate::vocabulary::{Entry, Value};
use simhost_model::nearest;

use super::{Given, Tag};

impl Tag<'_, '_, '_> {
    pub(crate) fn unknown(&mut self, given: Given<'_>) {
        let (name, owner) = (given.name(), &self.element.name);
        let (word, is_tag) = match given {
            Given::Attribute(_) => ("attribute", false),
            Given::Child(_) => ("tag", true),
        };
        let message = match is_tag {
            true => format!("unknown tag `<{name}>` in `<{owner}>`"),
            false => format!("unknown {word} `{name}` of `<{owner}>`"),
        };
        // loops repeat it
        if self.reader.report.has_said(given.name_span(), &message) {
            return;
        }
        let (same, other) = self.known(is_tag);
        let label = match (other.contains(&name), is_tag) {
            (true, false) => format!("write it as a tag: <{name}>…</{name}>"),
            (true, true) => format!("write it as an attribute: <{owner} {name}=\"…\">"),
            _ => self.reader.hint(name, same.iter().chain(&other).copied()),
        };
        let mut notes = vec![match same.is_empty() {
            true => "help: nothing is expected here; remove it".to_owned(),
            false => format!("help: known here: {}", same.join(", ")),
        }];
        notes.push(self.reference());
        let severity = self.reader.strictness();
        self.reader.say(severity, given.name_span(), message, label, notes);
    }

    /// Where to read on.
    fn reference(&self) -> String {
        match self.section.model.filter(|_| !self.params.is_empty()) {
            Some(_) => {
                let class =
                    self.element.attribute("class").map_or("CLASS", |text| text.content.as_str());
                format!("help: `simhost plugin doc {class}` explains its parameters")
            }
            None => "help: `simhost schema --markdown` lists what may stand where".to_owned(),
        }
    }

    /// Names of this form and of the other one, sorted.
    fn known(&self, is_tag: bool) -> (Vec<&'static str>, Vec<&'static str>) {
        let of = |wanted: bool| {
            let entries = self.section.entries.iter();
            let fits =
                |entry: &&Entry| if wanted { entry.is_child() } else { entry.is_attribute() };
            let mut names: Vec<_> = entries.filter(fits).map(|entry| entry.name).collect();
            names.extend(self.names.iter());
            // a parameter may be written either way
            names.extend(self.params.iter().map(|desc| desc.key()));
            names.sort_unstable();
            names.dedup();
            names
        };
        (of(is_tag), of(!is_tag))
    }

    /// Reports an entry that has to be given and is not.
    pub(crate) fn missing(&mut self, entry: &'static Entry) {
        let owner = &self.element.name;
        // `<element>` alone would not say which
        let class = self.element.attribute("class").filter(|_| entry.name != "class");
        let of = class.map_or(String::new(), |text| format!(" class=\"{}\"", text.content));
        let message = format!("`<{owner}{of}>` needs `{}`", entry.name);
        let written = match entry.is_child() {
            true => format!("<{0}>…</{0}>", entry.name),
            false => format!("<{owner} {}=\"…\">", entry.name),
        };
        let mut notes = vec![format!("help: write {written}: {}", entry.doc)];
        if let Value::Class(kind) = entry.value {
            notes.push(self.reader.known_classes(kind));
        }
        let label = entry.value.expected(entry.name);
        self.reader.error(self.element.name_span, message, label, notes);
    }
}

impl Reader<'_> {
    /// One warning about all that a tag gives without effect.
    pub(crate) fn unread(&mut self, given: &[Given<'_>], where_: &str, note: &str) {
        let Some(first) = given.first() else { return };
        let mut names: Vec<String> = Vec::new();
        for given in given {
            let name = format!("`{}`", given.name());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (verb, word) = match (names.len(), first) {
            (1, Given::Attribute(_)) => ("has", "this attribute is not read"),
            (1, Given::Child(_)) => ("has", "this tag is not read"),
            _ => ("have", "the first of them"),
        };
        let message = format!("{} {verb} no effect {where_}", names.join(", "));
        let notes = if note.is_empty() { Vec::new() } else { vec![note.to_owned()] };
        self.say(Severity::Warning, first.name_span(), message, word, notes);
    }

    /// A hint at the nearest name, as long as hints are read.
    pub(crate) fn hint<'a>(&self, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        match self.report.wants_hints() {
            true => did_you_mean(name, known),
            false => String::new(),
        }
    }
}

/// Most names that one is compared with.
pub(crate) const MAX_KNOWN: usize = 10_000;

/// A hint at the nearest name, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known.into_iter().take(MAX_KNOWN))
        .map_or(String::new(), |known| format!("did you mean `{known}`?"))
}
