//! Parsing of a file into a tree of elements with positions.
//!
//! A colon is part of a name. MVSim's parser accepts files that are not well formed, so existing
//! world files contain mistakes such as mismatched end tags. Such files load with a warning at the
//! position.

use std::borrow::Cow;

use compact_str::CompactString;
use quick_xml::Reader;
use quick_xml::escape::{EscapeError, ParseCharRefError};
use quick_xml::events::{BytesStart, Event};
use simhost_abi::is_direction_mark;

use crate::diagnostics::{Diagnostic, Report};
use crate::options::Budget;
use crate::sources::Span;
use crate::tree::{Attribute, Element, Origin, Text, is_schema_attribute};

/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 256;
/// Cost of an attribute in bytes, not counting its texts.
const ATTRIBUTE_BYTES: usize = size_of::<Attribute>();

/// Parses the text of source `file` into its root elements. The result is incomplete if an error
/// was reported.
pub(crate) fn parse(
    text: &str,
    file: u32,
    budget: &mut Budget,
    report: &mut Report,
) -> Vec<Element> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut parser = XmlParser {
        text,
        file,
        budget,
        report,
        stack: Vec::new(),
        closed: Vec::new(),
        attributes: Vec::new(),
        run: None,
    };
    if let Some((at, control)) = text.char_indices().find(|(_, letter)| is_refused(*letter)) {
        parser.refuse(at, at + control.len_utf8(), control);
        return Vec::new();
    }
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event();
        let end = reader.buffer_position() as usize;
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if parser.event(event, start, end).is_none() || parser.report.is_full() {
                    return Vec::new();
                }
            }
            Err(error) => {
                let place = (reader.error_position() as usize).min(text.len());
                parser.broken(place, &error);
                return Vec::new();
            }
        }
    }
    parser.end_of_file();
    parser.closed
}

struct XmlParser<'a> {
    text: &'a str,
    file: u32,
    budget: &'a mut Budget,
    report: &'a mut Report,
    stack: Vec<Open>,
    /// Closed elements whose parents are still open. A parent takes its children from here when it
    /// is closed, so that every list of children is allocated once.
    closed: Vec<Element>,
    /// Attributes of the current start tag.
    attributes: Vec<Attribute>,
    run: Option<Run>,
}

/// Returns whether an entity is the character NUL, which the parser refuses by itself.
fn is_nul(error: &EscapeError) -> bool {
    matches!(error, EscapeError::InvalidCharRef(ParseCharRefError::IllegalCharacter(0)))
}

/// An element whose end tag has not been read.
struct Open {
    element: Element,
    /// Index of its first child in the list of closed elements.
    first_child: usize,
}

/// The text since the last tag: its range in the file, and its content where that differs.
struct Run {
    start: usize,
    end: usize,
    content: Option<String>,
}

impl XmlParser<'_> {
    /// Processes one event. Returns `None` if reading on is pointless.
    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Option<()> {
        match event {
            Event::Text(text) => self.add_text(start, end, &text),
            Event::CData(text) => self.add_text(start, end, &text),
            Event::GeneralRef(reference) => {
                let resolved = match reference.resolve_char_ref() {
                    Ok(Some(character)) => Some(character.to_string()),
                    Err(quick_xml::Error::Escape(error)) if is_nul(&error) => Some("\0".to_owned()),
                    _ => quick_xml::escape::resolve_xml_entity(&reference).map(str::to_owned),
                };
                match resolved {
                    Some(text) => {
                        let text = self.without_controls(start, end, &text).into_owned();
                        self.add_text(start, end, &text);
                    }
                    None => {
                        let message = format!("unknown entity `&{};`", &*reference);
                        let error = Diagnostic::error(message).help("write &amp; for a literal &");
                        self.push(start, end, error);
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

    fn push(&mut self, start: usize, end: usize, diagnostic: Diagnostic) {
        self.report.push(diagnostic.at(self.span(start, end)));
    }

    fn add_text(&mut self, start: usize, end: usize, content: &str) {
        let source = self.text;
        match &mut self.run {
            Some(run) => {
                let before = || source.get(run.start..run.end).unwrap_or_default().to_owned();
                run.content.get_or_insert_with(before).push_str(content);
                run.end = end;
            }
            // leading white space is trimmed later
            None if content.bytes().all(|byte| byte.is_ascii_whitespace()) => {}
            None => {
                let as_written = source.get(start..end) == Some(content);
                let content = (!as_written).then(|| content.to_owned());
                self.run = Some(Run { start, end, content });
            }
        }
    }

    /// Ends a text. The first text of an element that is not blank becomes its value.
    fn flush_text(&mut self) {
        let Some(run) = self.run.take() else { return };
        let raw = self.text.get(run.start..run.end).unwrap_or_default();
        let content = run.content.as_deref().unwrap_or(raw).trim();
        if content.is_empty() {
            return;
        }
        let start = run.start + (raw.len() - raw.trim_start().len());
        let end = run.start + raw.trim_end().len();
        let span = self.span(start, end);
        match self.stack.last_mut().map(|open| &mut open.element) {
            Some(element) if element.text.is_none() => {
                let text = Text { content: content.into(), span, origin: Origin::Written };
                element.dynamic |= text.content.as_bytes().contains(&b'$');
                element.weight.bytes += long(&text.content);
                element.text = Some(text);
            }
            Some(_) => {
                let note = "the value of an element is the text before its first child";
                self.push(start, end, Diagnostic::warning("this text has no effect").note(note));
            }
            None => self.push(start, end, Diagnostic::error("text outside of any element")),
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Option<()> {
        let name = CompactString::new(tag.name().0);
        let name_end = start + 1 + name.len();
        if name.is_empty() || name.bytes().any(|byte| matches!(byte, b'<' | b'&' | b'"' | b'\'')) {
            let error = Diagnostic::error("expected a tag").help("write &lt; for a literal <");
            self.push(start, end, error);
            return None;
        }
        if self.stack.is_empty() && !self.closed.is_empty() {
            let note = "a well-formed file has a single root element";
            self.push(start, name_end, Diagnostic::warning("a second root element").note(note));
        }
        let mut element = Element::new(name, self.span(start + 1, name_end));
        self.read_attributes(tag, start);
        element.attributes = self.attributes.drain(..).collect();
        for attribute in &element.attributes {
            element.weight.bytes += ATTRIBUTE_BYTES as u32 + long(&attribute.text.content);
            element.dynamic |= attribute.text.content.as_bytes().contains(&b'$');
        }
        let depth = self.budget.depth(self.stack.len() + 1);
        if let Err(message) = depth.and_then(|()| self.budget.parse(element.weight.bytes)) {
            self.push(start, name_end, Diagnostic::error(message));
            return None;
        }
        self.stack.push(Open { element, first_child: self.closed.len() });
        Some(())
    }

    fn read_attributes(&mut self, tag: &BytesStart<'_>, start: usize) {
        // one byte for the opening bracket
        let inside = self.text.get(start + 1..start + 1 + tag.len()).unwrap_or_default();
        if !inside.starts_with(tag.name().0) {
            return;
        }
        let offset = start + 1;
        let parsed = BytesStart::from_content(inside, tag.name().0.len());
        let mut iterator = parsed.attributes();
        for (number, attribute) in iterator.with_checks(false).enumerate() {
            if number >= MAX_ATTRIBUTES {
                let message = format!("more than {MAX_ATTRIBUTES} attributes");
                self.push(start, offset + inside.len(), Diagnostic::error(message));
                break;
            }
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    let message = format!("malformed attribute: {error}");
                    let error = Diagnostic::error(message).help("write name=\"value\"");
                    self.push(start, offset + inside.len(), error);
                    break;
                }
            };
            let place = |part: &str| offset + (part.as_ptr() as usize - inside.as_ptr() as usize);
            let (name, value) = (attribute.key.0, attribute.value.as_ref());
            let (name_at, value_at) = (place(name), place(value));
            let name_span = self.span(name_at, name_at + name.len());
            if is_schema_attribute(name) {
                continue;
            }
            if let Some(place) = self.attributes.iter().position(|known| known.name == name) {
                self.attributes.remove(place);
                let message = format!("duplicate attribute `{name}`");
                let warning = Diagnostic::warning(message).note("the last one is used");
                self.push(name_at, name_at + name.len(), warning);
            }
            let text = self.attribute_text(value, value_at);
            // others have been found in the file or its entities
            if let Some(letter) = refused(name, &text.content) {
                self.refuse(value_at, value_at + value.len(), letter);
            }
            self.attributes.push(Attribute { name: name.into(), name_span, text });
        }
    }

    fn attribute_text(&mut self, value: &str, at: usize) -> Text {
        let end = at + value.len();
        if value.as_bytes().contains(&b'<') {
            let warning = Diagnostic::warning("a raw `<` in an attribute").help("write &lt;");
            self.push(at, end, warning);
        }
        let has_entities = value.as_bytes().contains(&b'&');
        let resolved = has_entities.then(|| quick_xml::escape::unescape(value));
        let content = match resolved {
            None => CompactString::new(value.trim()),
            Some(Ok(text)) => CompactString::new(self.without_controls(at, end, &text).trim()),
            Some(Err(error)) if is_nul(&error) => {
                self.refuse(at, end, '\0');
                CompactString::new(value.trim())
            }
            Some(Err(_)) => {
                let message = "an `&` that does not start an entity";
                self.push(at, end, Diagnostic::warning(message).help("write &amp;"));
                CompactString::new(value.trim())
            }
        };
        Text { content, span: self.span(at, end), origin: Origin::Written }
    }

    fn refuse(&mut self, start: usize, end: usize, control: char) {
        self.push(start, end, character_error(control));
    }

    /// Reports a control character of an entity, and returns the text with replacements.
    fn without_controls<'t>(&mut self, start: usize, end: usize, text: &'t str) -> Cow<'t, str> {
        match text.chars().find(|letter| is_refused(*letter)) {
            None => Cow::Borrowed(text),
            Some(control) => {
                self.refuse(start, end, control);
                text.replace(is_refused, "\u{fffd}").into()
            }
        }
    }

    fn end_tag(&mut self, name: &str, start: usize, end: usize) -> Option<()> {
        let Some(open) = self.stack.last() else {
            let message = format!("`</{name}>` without a start tag");
            self.push(start, end, Diagnostic::error(message).help("remove it"));
            return None;
        };
        let open = &open.element.name;
        if open != name {
            let message = format!("`</{name}>` closes `<{open}>`");
            let help = format!("write </{open}>");
            self.push(start, end, Diagnostic::warning(message).help(help));
        }
        self.close();
        Some(())
    }

    fn close(&mut self) {
        let Some(Open { mut element, first_child }) = self.stack.pop() else { return };
        element.children = self.closed.drain(first_child..).collect();
        for child in &element.children {
            element.weight.add(child.weight);
            element.dynamic |= child.dynamic;
        }
        self.closed.push(element);
    }

    fn broken(&mut self, place: usize, error: &quick_xml::Error) {
        let message = format!("this is not XML: {error}");
        self.push(place, place + 1, Diagnostic::error(message));
        self.never_closed();
    }

    fn end_of_file(&mut self) {
        self.flush_text();
        self.never_closed();
    }

    fn never_closed(&mut self) {
        if let Some(Open { element: open, .. }) = self.stack.last() {
            let message = format!("`<{}>` is never closed", open.name);
            let (start, end) = (open.name_span.start as usize, open.name_span.end as usize);
            let help = format!("write </{}> where it ends", open.name);
            self.push(start, end, Diagnostic::error(message).help(help));
        }
    }
}

/// Returns the number of bytes that a text occupies outside of the tree.
fn long(text: &CompactString) -> u32 {
    if text.is_heap_allocated() { text.len() as u32 } else { 0 }
}

/// Attribute whose value messages and file names repeat.
const NAME: &str = "name";

/// Returns the first character that the value of an attribute or an element cannot have.
pub(super) fn refused(attribute: &str, value: &str) -> Option<char> {
    let is_refused = if attribute == NAME { is_refused_in_name } else { is_refused };
    value.chars().find(|letter| is_refused(*letter))
}

/// Returns whether no text can have a character: control characters other than tabs and line breaks, and those that
/// change the direction of text.
pub(super) fn is_refused(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\t' | '\n' | '\r' | '\u{85}')
        || is_direction_mark(letter)
}

/// Returns whether names cannot have a character. A name is one line.
fn is_refused_in_name(letter: char) -> bool {
    letter.is_control()
        || is_refused(letter)
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Returns the error for a character.
pub(super) fn character_error(letter: char) -> Diagnostic {
    let expected = match is_refused(letter) {
        true => "expected text, a tab or a line break",
        false => "expected a name in one line",
    };
    let message = format!("control character U+{:04X}", u32::from(letter));
    Diagnostic::error(message).label(expected).help("remove it")
}
