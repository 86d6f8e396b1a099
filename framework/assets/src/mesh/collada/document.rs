//! An XML document as a tree, parsed with bounds on its size.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesRef, Event};

use crate::Problem;

/// Maximum number of elements.
const MAX_ELEMENTS: usize = 2_000_000;
/// Maximum number of attributes of one element.
const MAX_ATTRIBUTES: usize = 1000;
/// Maximum number of attributes of all elements together.
const MAX_ALL_ATTRIBUTES: usize = 4_000_000;

/// A parsed document.
pub(super) struct Document<'t> {
    /// Elements in document order, the root first.
    elements: Vec<Element<'t>>,
    /// Names and values of all attributes, element by element.
    attributes: Vec<(&'t str, Cow<'t, str>)>,
}

struct Element<'t> {
    /// Name without its namespace prefix.
    name: &'t str,
    attributes: Range<u32>,
    /// Text before the first child.
    text: Cow<'t, str>,
    first_child: Option<u32>,
    next_sibling: Option<u32>,
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(super) struct Node<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'d> Node<'d> {
    fn at(self, index: u32) -> Self {
        Self { index, ..self }
    }

    fn element(self) -> &'d Element<'d> {
        &self.document.elements[self.index as usize]
    }

    /// Returns the position of the element in document order.
    pub(super) fn index(self) -> u32 {
        self.index
    }

    /// Returns the name without its namespace prefix.
    pub(super) fn name(self) -> &'d str {
        self.element().name
    }

    /// Returns the text before the first child.
    pub(super) fn text(self) -> &'d str {
        &self.element().text
    }

    /// Returns the value of an attribute.
    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let Range { start, end } = self.element().attributes;
        let attributes = &self.document.attributes[start as usize..end as usize];
        attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    /// Returns the child elements.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.element().first_child, move |child| {
            self.at(*child).element().next_sibling
        })
        .map(move |child| self.at(child))
    }

    /// Returns the child elements with a name.
    pub(super) fn children_named(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Returns the first child element with a name.
    pub(super) fn child(self, name: &'static str) -> Option<Self> {
        self.children_named(name).next()
    }
}

impl<'t> Document<'t> {
    /// Parses a document.
    ///
    /// # Errors
    /// The text is not well formed, contains a document type declaration, or is too large.
    pub(super) fn parse(text: &'t str) -> Result<Self, Problem> {
        let mut reader = Reader::from_str(text);
        let mut parser = Parser {
            document: Document { elements: Vec::new(), attributes: Vec::new() },
            open: Vec::new(),
        };
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(defective)?;
            match event {
                Event::Start(tag) => {
                    let content = text.get(start + 1..start + 1 + tag.len()).unwrap_or_default();
                    parser.start(content, tag.name().0.len())?;
                }
                Event::Empty(tag) => {
                    let content = text.get(start + 1..start + 1 + tag.len()).unwrap_or_default();
                    parser.start(content, tag.name().0.len())?;
                    parser.open.pop();
                }
                Event::End(_) => {
                    parser.open.pop();
                }
                Event::Text(_) => {
                    let end = reader.buffer_position() as usize;
                    parser.text(Cow::Borrowed(text.get(start..end).unwrap_or_default()))?;
                }
                Event::CData(content) => parser.text(Cow::Owned(content.to_string()))?,
                Event::GeneralRef(reference) => parser.text(Cow::Owned(resolved(&reference)?))?,
                Event::DocType(_) => {
                    return Err(defective("document type declarations are not supported"));
                }
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => {}
                Event::Eof => return parser.finish(),
            }
        }
    }

    /// Returns the root element.
    pub(super) fn root(&'t self) -> Node<'t> {
        Node { document: self, index: 0 }
    }

    /// Returns all elements in document order.
    pub(super) fn all(&'t self) -> impl Iterator<Item = Node<'t>> {
        (0..self.elements.len() as u32).map(|index| Node { document: self, index })
    }
}

fn resolved(reference: &BytesRef<'_>) -> Result<String, Problem> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character.to_string());
    }
    let unknown = || defective(format!("unknown entity &{};", &**reference));
    resolve_xml_entity(reference).map(str::to_owned).ok_or_else(unknown)
}

/// A document that is being parsed.
struct Parser<'t> {
    document: Document<'t>,
    /// Open elements, each with its last child.
    open: Vec<(u32, Option<u32>)>,
}

impl<'t> Parser<'t> {
    /// Opens an element. `content` is the inside of its start tag.
    fn start(&mut self, content: &'t str, name_length: usize) -> Result<(), Problem> {
        let Document { elements, attributes } = &mut self.document;
        if self.open.is_empty() && !elements.is_empty() {
            return Err(defective("expected a single root element"));
        }
        let first = attributes.len();
        for attribute in Attributes::new(content, name_length).with_checks(false) {
            let attribute = attribute.map_err(defective)?;
            let value = match attribute.value {
                Cow::Borrowed(value) => unescape(value).map_err(defective)?,
                Cow::Owned(value) => Cow::Owned(unescape(&value).map_err(defective)?.into_owned()),
            };
            attributes.push((attribute.key.0, value));
            if attributes.len() - first > MAX_ATTRIBUTES {
                let message = format!("an element has more than {MAX_ATTRIBUTES} attributes");
                return Err(defective(message));
            }
        }
        Problem::bounded("attributes", attributes.len() as u64, MAX_ALL_ATTRIBUTES as u64)?;
        Problem::bounded("elements", elements.len() as u64 + 1, MAX_ELEMENTS as u64)?;
        let index = elements.len() as u32;
        if let Some((parent, last_child)) = self.open.last_mut() {
            match last_child.replace(index) {
                Some(sibling) => elements[sibling as usize].next_sibling = Some(index),
                None => elements[*parent as usize].first_child = Some(index),
            }
        }
        let name = &content[..name_length];
        elements.push(Element {
            name: name.rsplit(':').next().unwrap_or(name),
            attributes: first as u32..attributes.len() as u32,
            text: Cow::Borrowed(""),
            first_child: None,
            next_sibling: None,
        });
        self.open.push((index, None));
        Ok(())
    }

    /// Adds a text to the open element, unless a child precedes it.
    fn text(&mut self, text: Cow<'t, str>) -> Result<(), Problem> {
        match self.open.last() {
            Some((_, Some(_))) => {}
            Some((index, None)) => {
                let known = &mut self.document.elements[*index as usize].text;
                if known.is_empty() {
                    *known = text;
                } else {
                    known.to_mut().push_str(&text);
                }
            }
            None if text.trim().is_empty() => {}
            None => return Err(defective("text outside of the root element")),
        }
        Ok(())
    }

    fn finish(self) -> Result<Document<'t>, Problem> {
        if let Some((index, _)) = self.open.last() {
            let name = self.document.elements[*index as usize].name;
            return Err(defective(format!("<{name}> is never closed")));
        }
        if self.document.elements.is_empty() {
            return Err(defective("expected a root element"));
        }
        Ok(self.document)
    }
}

/// Elements by their `id`.
pub(super) type ById<'d> = BTreeMap<&'d str, Node<'d>>;

pub(super) fn defective(detail: impl ToString) -> Problem {
    Problem::syntax("Collada", detail)
}

/// Parses the numbers in the text of an element.
pub(super) fn floats(node: Node) -> Result<Vec<f64>, Problem> {
    let words = node.text().split_ascii_whitespace();
    words.map(float).collect()
}

pub(super) fn float(word: &str) -> Result<f64, Problem> {
    word.parse().map_err(|_| {
        let shown: String = word.chars().take(40).collect();
        defective(format!("expected a number, found `{shown}`"))
    })
}
