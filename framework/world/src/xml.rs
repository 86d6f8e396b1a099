//! From the text of a file to a tree of elements that know their place.
//!
//! A colon is part of a name. The peer's parser does not check much, so some files that people have
//! are not well formed: those load with a warning at the place.

mod tree;

pub(crate) use tree::{Attribute, Element, Text};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::diagnostics::{Diagnostic, Report, Severity};
use crate::sources::Span;

/// Most attributes of a tag.
const MAX_ATTRIBUTES: usize = 256;
/// Deepest nesting of tags.
const MAX_DEPTH: usize = 128;

/// Parses the text of source `file`. Elements carry `scope`, which tells them what names mean.
pub(crate) fn parse(text: &str, file: u32, scope: u32, report: &mut Report) -> Vec<Element> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut parser =
        Parser { text, file, scope, report, stack: Vec::new(), roots: Vec::new(), run: None };
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event();
        let end = reader.buffer_position() as usize;
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if parser.event(event, start, end).is_none() {
                    return parser.roots;
                }
            }
            Err(error) => {
                let place = (reader.error_position() as usize).min(text.len());
                parser.broken(place, &error);
                return parser.roots;
            }
        }
    }
    parser.end_of_file();
    parser.roots
}

struct Parser<'a> {
    text: &'a str,
    file: u32,
    scope: u32,
    report: &'a mut Report,
    stack: Vec<Element>,
    roots: Vec<Element>,
    /// Text since the last tag: its range in the file and its content.
    run: Option<(usize, usize, String)>,
}

impl Parser<'_> {
    /// Takes one event in; none when reading further makes no sense.
    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Option<()> {
        match event {
            Event::Text(text) => self.add_text(start, end, &text),
            Event::CData(text) => self.add_text(start, end, &text),
            Event::GeneralRef(reference) => {
                let resolved = match reference.resolve_char_ref() {
                    Ok(Some(character)) => Some(character.to_string()),
                    _ => quick_xml::escape::resolve_xml_entity(&reference).map(str::to_owned),
                };
                match resolved {
                    Some(text) => self.add_text(start, end, &text),
                    None => {
                        let help = "help: write &amp; for a plain &";
                        self.say(Severity::Error, start, end, "unknown entity", help);
                    }
                }
            }
            Event::Start(tag) => {
                self.flush_text();
                self.open(&tag, start, end)?;
            }
            Event::Empty(tag) => {
                self.flush_text();
                self.open(&tag, start, end)?;
                self.close();
            }
            Event::End(tag) => {
                self.flush_text();
                self.end_tag(tag.name().0, start, end)?;
            }
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {
                self.flush_text();
            }
            Event::Eof => {}
        }
        Some(())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn say(&mut self, severity: Severity, start: usize, end: usize, message: &str, note: &str) {
        self.report.push(Diagnostic {
            severity,
            message: message.to_owned(),
            span: Some(self.span(start, end)),
            label: String::new(),
            notes: if note.is_empty() { Vec::new() } else { vec![note.to_owned()] },
        });
    }

    fn add_text(&mut self, start: usize, end: usize, content: &str) {
        match &mut self.run {
            Some((_, run_end, text)) => {
                *run_end = end;
                text.push_str(content);
            }
            None => self.run = Some((start, end, content.to_owned())),
        }
    }

    /// The value of an element is its first text that is not blank.
    fn flush_text(&mut self) {
        let Some((start, end, content)) = self.run.take() else { return };
        let content = content.trim();
        if content.is_empty() {
            return;
        }
        let raw = self.text.get(start..end).unwrap_or_default();
        let start = start + (raw.len() - raw.trim_start().len());
        let end = start + raw.trim().len();
        let span = self.span(start, end);
        match self.stack.last_mut() {
            Some(element) if element.text.is_none() => {
                element.text = Some(Text { raw: content.to_owned(), span, scope: self.scope });
            }
            Some(_) => {
                let note = "note: the value of a tag is the text before its first child";
                self.say(Severity::Warning, start, end, "this text has no effect", note);
            }
            None => self.say(Severity::Error, start, end, "text outside of any tag", ""),
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Option<()> {
        let name = tag.name().0.to_owned();
        let name_span = self.span(start + 1, start + 1 + name.len());
        if name.is_empty() || name.contains(['<', '&', '"', '\'']) {
            self.say(Severity::Error, start, end, "this is not a tag", "");
            return None;
        }
        if self.stack.len() >= MAX_DEPTH {
            let message = format!("tags are nested more than {MAX_DEPTH} deep");
            self.say(Severity::Error, start, end, &message, "");
            return None;
        }
        if self.stack.is_empty() && !self.roots.is_empty() {
            let note = "note: a well-formed file has one tag around everything";
            self.say(Severity::Warning, start, start + 1 + name.len(), "a second root tag", note);
        }
        let attributes = self.attributes(tag, start);
        let scope = self.scope;
        let children = Vec::new();
        self.stack.push(Element { name, name_span, attributes, text: None, children, scope });
        Some(())
    }

    fn attributes(&mut self, tag: &BytesStart<'_>, start: usize) -> Vec<Attribute> {
        let mut attributes: Vec<Attribute> = Vec::new();
        // one byte for the opening bracket
        let inside = self.text.get(start + 1..start + 1 + tag.len()).unwrap_or_default();
        if !inside.starts_with(tag.name().0) {
            return attributes;
        }
        let offset = start + 1;
        let parsed = BytesStart::from_content(inside, tag.name().0.len());
        let mut iterator = parsed.attributes();
        for attribute in iterator.with_checks(false) {
            if attributes.len() >= MAX_ATTRIBUTES {
                let message = format!("more than {MAX_ATTRIBUTES} attributes");
                self.say(Severity::Error, start, offset + inside.len(), &message, "");
                break;
            }
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    let message = format!("malformed attribute: {error}");
                    let help = "help: write name=\"value\"";
                    self.say(Severity::Error, start, offset + inside.len(), &message, help);
                    break;
                }
            };
            let place = |part: &str| offset + (part.as_ptr() as usize - inside.as_ptr() as usize);
            let (name, value) = (attribute.key.0, attribute.value.as_ref());
            let (name_at, value_at) = (place(name), place(value));
            let name_span = self.span(name_at, name_at + name.len());
            if attributes.iter().any(|known| known.name == name) {
                let message = format!("attribute `{name}` is given twice");
                self.say(Severity::Warning, name_at, name_at + name.len(), &message, "");
            }
            let text = self.attribute_text(value, value_at);
            attributes.push(Attribute { name: name.to_owned(), name_span, text });
        }
        attributes
    }

    fn attribute_text(&mut self, value: &str, at: usize) -> Text {
        let end = at + value.len();
        if value.contains('<') {
            let message = "a raw `<` in an attribute";
            self.say(Severity::Warning, at, end, message, "help: write &lt;");
        }
        let raw = match quick_xml::escape::unescape(value) {
            Ok(text) => text.trim().to_owned(),
            Err(_) => {
                let message = "an `&` that begins no entity";
                self.say(Severity::Warning, at, end, message, "help: write &amp;");
                value.trim().to_owned()
            }
        };
        Text { raw, span: self.span(at, end), scope: self.scope }
    }

    fn end_tag(&mut self, name: &str, start: usize, end: usize) -> Option<()> {
        let Some(open) = self.stack.last() else {
            let message = format!("`</{name}>` closes nothing");
            self.say(Severity::Error, start, end, &message, "help: remove it");
            return None;
        };
        if open.name != name {
            let message = format!("`</{name}>` closes `<{}>`", open.name);
            let help = format!("help: write </{}>", open.name);
            self.say(Severity::Warning, start, end, &message, &help);
        }
        self.close();
        Some(())
    }

    fn close(&mut self) {
        let Some(element) = self.stack.pop() else { return };
        match self.stack.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.roots.push(element),
        }
    }

    fn broken(&mut self, place: usize, error: &quick_xml::Error) {
        let message = format!("this is not XML: {error}");
        self.say(Severity::Error, place, place + 1, &message, "");
        self.never_closed();
    }

    fn end_of_file(&mut self) {
        self.flush_text();
        self.never_closed();
    }

    fn never_closed(&mut self) {
        if let Some(open) = self.stack.last() {
            let message = format!("`<{}>` is never closed", open.name);
            let (start, end) = (open.name_span.start as usize, open.name_span.end as usize);
            let help = format!("help: write </{}> where it ends", open.name);
            self.say(Severity::Error, start, end, &message, &help);
        }
    }
}
