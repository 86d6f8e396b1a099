//! Elements of a document: texts, numbers and what is left over.

use std::fmt::Display;
use std::str::FromStr;

use nalgebra::Vector3;
use roxmltree::{Document, Node, ParsingOptions};

use crate::error::{Note, RobotError};
use crate::frame::LinkFrame;

/// Largest number of bytes of a file.
const MOST_BYTES: usize = 16 << 20;
/// Largest number of nodes of a document.
const MOST_NODES: u32 = 500_000;

/// Parses a document. A document type, and with it every entity, is refused.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, RobotError> {
    if text.len() > MOST_BYTES {
        let size = text.len() >> 20;
        return Err(RobotError::of_file(format!("found {size} MiB; expected at most 16 MiB")));
    }
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => {
            RobotError::of_file("found a document type; expected a document without entities")
                .help("expand the file: xmllint --noent --dropdtd FILE")
        }
        error => RobotError::new(error.pos().row, error.to_string()),
    })
}

/// The places at which the lines of a text begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// Returns the line of a place, from 1.
    fn line(&self, place: usize) -> u32 {
        self.0.partition_point(|begin| *begin <= place) as u32
    }
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(crate) struct Element<'d> {
    node: Node<'d, 'd>,
    lines: &'d Lines,
}

impl<'d> Element<'d> {
    /// Returns the outermost element.
    pub fn root(document: &'d Document<'d>, lines: &'d Lines) -> Self {
        Self { node: document.root_element(), lines }
    }

    /// Returns the line at which the element begins.
    pub fn line(self) -> u32 {
        self.lines.line(self.node.range().start)
    }

    /// Returns the name without a prefix.
    pub fn name(self) -> &'d str {
        self.node.tag_name().name()
    }

    /// Returns the elements in this one, in the order of the file.
    pub fn elements(self) -> impl Iterator<Item = Element<'d>> {
        let lines = self.lines;
        self.node.children().filter(Node::is_element).map(move |node| Element { node, lines })
    }

    /// Returns the elements with a name.
    pub fn all(self, name: &'static str) -> impl Iterator<Item = Element<'d>> {
        self.elements().filter(move |one| one.name() == name)
    }

    /// Returns the first element with a name.
    pub fn child(self, name: &'static str) -> Option<Element<'d>> {
        self.all(name).next()
    }

    /// Returns an element at the end of a path of names.
    pub fn path(self, names: &[&'static str]) -> Option<Element<'d>> {
        names.iter().try_fold(self, |at, name| at.child(name))
    }

    /// Returns an attribute.
    pub fn attribute(self, name: &str) -> Option<&'d str> {
        self.node.attribute(name).map(str::trim)
    }

    /// Returns an attribute that has to be there.
    pub fn required(self, name: &str) -> Result<&'d str, RobotError> {
        self.attribute(name).filter(|text| !text.is_empty()).ok_or_else(|| {
            let text = format!("<{}> has no attribute `{name}`", self.name());
            RobotError::new(self.line(), text)
        })
    }

    /// Returns the text in the element.
    pub fn text(self) -> &'d str {
        self.node.text().unwrap_or_default().trim()
    }

    /// Returns the text of a child.
    pub fn text_of(self, name: &'static str) -> Option<&'d str> {
        self.child(name).map(Element::text).filter(|text| !text.is_empty())
    }

    /// Returns the number in a child, or in its attribute `value`.
    pub fn number_of(self, name: &'static str) -> Result<Option<f64>, RobotError> {
        let Some(child) = self.child(name) else { return Ok(None) };
        let text = child.attribute("value").filter(|_| child.text().is_empty());
        child.number(text.unwrap_or(child.text()), name).map(Some)
    }

    /// Returns the number in an attribute.
    pub fn number_in(self, name: &str) -> Result<Option<f64>, RobotError> {
        self.attribute(name).map(|text| self.number(text, name)).transpose()
    }

    /// Reads a finite number.
    pub fn number(self, text: &str, what: impl Display) -> Result<f64, RobotError> {
        let number = f64::from_str(text).ok().filter(|number| number.is_finite());
        number.ok_or_else(|| {
            let text = format!("`{what}` of <{}> is {text:?}; expected a number", self.name());
            RobotError::new(self.line(), text)
        })
    }

    /// Reads finite numbers, separated by spaces.
    pub fn numbers<const N: usize>(self, text: &str, what: &str) -> Result<[f64; N], RobotError> {
        let mut numbers = [0.0; N];
        let mut words = text.split_ascii_whitespace();
        for number in &mut numbers {
            let Some(word) = words.next() else {
                let text =
                    format!("`{what}` of <{}> is {text:?}; expected {N} numbers", self.name());
                return Err(RobotError::new(self.line(), text));
            };
            *number = self.number(word, what)?;
        }
        match words.next() {
            None => Ok(numbers),
            Some(word) => {
                let text =
                    format!("`{what}` of <{}> has more than {N} numbers: {word:?}", self.name());
                Err(RobotError::new(self.line(), text))
            }
        }
    }

    /// Reads an axis, which has a direction.
    pub fn axis(self, text: &str, what: &str) -> Result<Vector3<f64>, RobotError> {
        let axis = Vector3::from(self.numbers::<3>(text, what)?);
        axis.try_normalize(1e-9).ok_or_else(|| {
            let text =
                format!("`{what}` of <{}> is {text:?}; expected an axis, not 0 0 0", self.name());
            RobotError::new(self.line(), text)
        })
    }

    /// Returns a length that has to be greater than 0, m.
    pub fn length(self, text: &str, what: &str) -> Result<f64, RobotError> {
        let length = self.number(text, what)?;
        if length > 0.0 {
            return Ok(length);
        }
        let text = format!("`{what}` of <{}> is {length}; expected a length above 0", self.name());
        Err(RobotError::new(self.line(), text))
    }

    /// Returns the frame of an element `<origin xyz rpy>` in this one, as in URDF.
    pub fn origin(self) -> Result<LinkFrame, RobotError> {
        let Some(origin) = self.child("origin") else { return Ok(LinkFrame::default()) };
        let read = |name| match origin.attribute(name) {
            Some(text) => origin.numbers::<3>(text, name),
            None => Ok([0.0; 3]),
        };
        Ok(LinkFrame::of_pose(read("xyz")?, read("rpy")?))
    }

    /// Notes the elements whose names are not known.
    pub fn note_unknown(self, known: &[&str], notes: &mut Vec<Note>) {
        for child in self.elements().filter(|child| !known.contains(&child.name())) {
            let text = format!("<{}> in <{}> has no effect", child.name(), self.name());
            notes.push(Note { line: child.line(), text });
        }
    }
}
