//! Vehicle files: the description of a vehicle class in JSON.
//!
//! A member of an object is an attribute or a child element of the element that the object stands for,
//! whichever the vocabulary has under its name. An array repeats an element, or is a row of numbers.
//! Everything after that is the same as for a world file, so that unknown names, units and ranges are
//! reported in the same way, at their line and column.
//!
//! `"version": 1` is required. Numbers are taken over as they are written, so that none is rounded.

use std::borrow::Cow;
use std::collections::HashSet;

use compact_str::CompactString;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::diagnostics::{Diagnostic, Report};
use crate::options::Budget;
use crate::sources::Span;
use crate::tree::{Attribute, Element, Origin, Text};
use crate::vocabulary::{Entry, Section, Value};
use crate::xml;

/// Version of the format.
pub(crate) const VERSION: u64 = 1;
/// Member that names the version.
const VERSION_KEY: &str = "version";
/// Member with the address of a schema, for editors.
const SCHEMA_KEY: &str = "$schema";

/// Parses the text of source `file` into the element of a vehicle class. The result is incomplete if an
/// error was reported.
pub(crate) fn parse(
    text: &str,
    file: u32,
    class: &'static Section,
    budget: &mut Budget,
    report: &mut Report,
) -> Option<Element> {
    let mut parser = JsonParser { text, file, budget, report };
    let root: &RawValue = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(error) => {
            let at = offset(text, error.line(), error.column());
            let error = Diagnostic::error(format!("this is not JSON: {error}"));
            parser.push(Span { file, start: at, end: (at + 1).min(text.len() as u32) }, error);
            return None;
        }
    };
    let span = parser.span_of(root.get());
    let Ok(Members(members)) = serde_json::from_str(root.get()) else {
        let error = Diagnostic::error("a vehicle file without an object");
        parser.push(span, error.help("write {\"version\": 1, \"dynamics\": {…}}"));
        return None;
    };
    parser.check_version(&members, Span { end: span.start + 1, ..span });
    let mut element = Element::new(class.name.into(), Span { end: span.start + 1, ..span });
    let is_content = |key: &str| ![VERSION_KEY, SCHEMA_KEY].contains(&key);
    parser.fill(&mut element, Some(class), members, &is_content, 1)?;
    Some(element)
}

/// Returns the offset of a line and a column, both counted from 1, as serde_json reports them.
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = start + column.saturating_sub(1);
    at.min(text.len().saturating_sub(1)) as u32
}

/// The members of an object in the order of the file, as they are written.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: serde::Deserializer<'t>>(from: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'t> Visitor<'t> for Object {
            type Value = Members<'t>;
            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object")
            }
            fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<Members<'t>, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Object)
    }
}

/// The kind of a value, by its first character.
fn first_of(value: &RawValue) -> u8 {
    value.get().as_bytes().first().copied().unwrap_or_default()
}

struct JsonParser<'t, 'r> {
    text: &'t str,
    file: u32,
    budget: &'r mut Budget,
    report: &'r mut Report,
}

/// Where a member stands, and under which name.
struct Place {
    name: CompactString,
    name_span: Span,
    entry: Option<&'static Entry>,
    /// Nesting depth of the element.
    depth: usize,
}

impl JsonParser<'_, '_> {
    /// Returns the position of a part of the text.
    fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span { file: self.file, start: start as u32, end: (start + part.len()) as u32 }
    }

    fn push(&mut self, span: Span, diagnostic: Diagnostic) {
        self.report.push(diagnostic.at(span));
    }

    fn check_version(&mut self, members: &[(&RawValue, &RawValue)], root: Span) {
        let quoted = format!("\"{VERSION_KEY}\"");
        let Some((_, value)) = members.iter().find(|(key, _)| key.get() == quoted) else {
            let error = Diagnostic::error("missing `version` in the vehicle file");
            return self.push(root, error.help(format!("write \"version\": {VERSION}")));
        };
        if serde_json::from_str::<u64>(value.get()).ok() != Some(VERSION) {
            let message = format!("unknown version of the vehicle file: {}", value.get());
            let error = Diagnostic::error(message).label(format!("expected {VERSION}"));
            let span = self.span_of(value.get());
            self.push(span, error);
        }
    }

    /// Adds members to an element. Returns `None` if reading on is pointless.
    fn fill(
        &mut self,
        element: &mut Element,
        section: Option<&'static Section>,
        members: Vec<(&RawValue, &RawValue)>,
        is_content: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Option<()> {
        // before the members, which can be nested without an end
        if let Err(message) = self.budget.depth(depth) {
            self.push(element.name_span, Diagnostic::error(message));
            return None;
        }
        let mut names = HashSet::new();
        for (key, value) in members {
            let name: Cow<'_, str> = serde_json::from_str::<String>(key.get()).ok()?.into();
            let name_span = self.span_of(key.get());
            let name = CompactString::new(name);
            if !names.insert(name.clone()) {
                let error = Diagnostic::error(format!("duplicate `{name}`"));
                self.push(name_span, error.help("remove one of them"));
                continue;
            }
            if !is_content(&name) {
                continue;
            }
            let entries = section.map_or(&[][..], |section| section.entries);
            let entry = entries.iter().find(|entry| entry.names().any(|known| known == name));
            let place = Place { name, name_span, entry, depth: depth + 1 };
            self.member(element, &place, value)?;
        }
        let attributes = element.attributes.len() * size_of::<Attribute>();
        let long =
            |text: &Text| if text.content.is_heap_allocated() { text.content.len() } else { 0 };
        let texts: usize = element.attributes.iter().map(|attribute| long(&attribute.text)).sum();
        element.weight.bytes = (attributes + texts) as u32;
        element.dynamic |=
            element.attributes.iter().any(|attribute| attribute.text.content.contains('$'));
        if let Err(message) = self.budget.parse(element.weight.bytes) {
            self.push(element.name_span, Diagnostic::error(message));
            return None;
        }
        for child in &element.children {
            element.weight.add(child.weight);
            element.dynamic |= child.dynamic;
        }
        Some(())
    }

    /// Adds a member to an element.
    fn member(&mut self, element: &mut Element, place: &Place, value: &RawValue) -> Option<()> {
        match first_of(value) {
            b'{' => {
                let child = self.object(place, value)?;
                element.children.push(child);
            }
            b'[' => self.array(element, place, value)?,
            b'n' => {
                let error = Diagnostic::error(format!("`{}` is null", place.name));
                let span = self.span_of(value.get());
                self.push(span, error.help("remove it for its default"));
            }
            _ => {
                let content = scalar(value)?;
                self.scalar(element, place, content, self.span_of(value.get()))?;
            }
        }
        Some(())
    }

    fn object(&mut self, place: &Place, value: &RawValue) -> Option<Element> {
        let Members(members) = serde_json::from_str(value.get()).ok()?;
        let mut child = Element::new(place.name.clone(), place.name_span);
        let section = place.entry.and_then(|entry| entry.value.sections().first().copied());
        self.fill(&mut child, section, members, &|_| true, place.depth)?;
        Some(child)
    }

    /// Adds an array: one element per item, or a row of numbers.
    fn array(&mut self, element: &mut Element, place: &Place, value: &RawValue) -> Option<()> {
        let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
        let repeats = place.entry.is_some_and(|entry| entry.repeats && entry.is_child());
        let nests = items.iter().any(|item| matches!(first_of(item), b'{' | b'['));
        if nests || repeats {
            for item in items {
                match first_of(item) {
                    b'{' => {
                        let child = self.object(place, item)?;
                        element.children.push(child);
                    }
                    _ => {
                        let (row, span) = (self.row(item)?, self.span_of(item.get()));
                        element.children.push(self.leaf(place, row, span)?);
                    }
                }
            }
            return Some(());
        }
        let (row, span) = (self.row(value)?, self.span_of(value.get()));
        self.scalar(element, place, row, span)
    }

    /// Returns a scalar, or the scalars of an array with spaces between them.
    fn row(&mut self, value: &RawValue) -> Option<CompactString> {
        if first_of(value) != b'[' {
            return scalar(value);
        }
        let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
        let mut row = CompactString::default();
        for item in items {
            if matches!(first_of(item), b'[' | b'{' | b'n') {
                let error = Diagnostic::error("a row with something else than values");
                let span = self.span_of(item.get());
                self.push(span, error.help("write numbers, such as [1, 2]"));
                return None;
            }
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(&scalar(item)?);
        }
        Some(row)
    }

    /// Adds a value as an attribute, unless the vocabulary has an element of that name.
    fn scalar(
        &mut self,
        element: &mut Element,
        place: &Place,
        content: CompactString,
        span: Span,
    ) -> Option<()> {
        match place.entry {
            Some(Entry { value: Value::Presence, .. }) if content == "false" => {}
            Some(Entry { value: Value::Presence, .. }) if content == "true" => {
                element.children.push(Element::new(place.name.clone(), place.name_span));
            }
            Some(entry) if !entry.is_attribute() => {
                let child = self.leaf(place, content, span)?;
                element.children.push(child);
            }
            _ => {
                self.check_characters(&place.name, &content, span);
                let text = Text { content, span, origin: Origin::Written };
                let (name, name_span) = (place.name.clone(), place.name_span);
                element.attributes.push(Attribute { name, name_span, text });
            }
        }
        Some(())
    }

    fn check_characters(&mut self, attribute: &str, content: &str, span: Span) {
        if let Some(letter) = xml::refused(attribute, content) {
            self.push(span, xml::character_error(letter));
        }
    }

    /// Returns an element that holds a text and nothing else.
    fn leaf(&mut self, place: &Place, content: CompactString, span: Span) -> Option<Element> {
        self.check_characters("", &content, span);
        let mut child = Element::new(place.name.clone(), place.name_span);
        child.dynamic |= content.contains('$');
        child.weight.bytes = if content.is_heap_allocated() { content.len() as u32 } else { 0 };
        if let Err(message) = self.budget.parse(child.weight.bytes) {
            self.push(place.name_span, Diagnostic::error(message));
            return None;
        }
        child.text = Some(Text { content, span, origin: Origin::Written });
        Some(child)
    }
}

/// Returns a number or a boolean as it is written, and a string without quotes and escapes.
fn scalar(value: &RawValue) -> Option<CompactString> {
    match first_of(value) {
        b'"' => serde_json::from_str::<String>(value.get()).ok().map(|text| text.trim().into()),
        _ => Some(value.get().into()),
    }
}
