//! Elements of a document: texts, numbers and what is left over.

use std::fmt;
use std::fmt::Display;
use std::str::FromStr;

use roxmltree::{Document, Node, ParsingOptions};

/// Parses a document of at most `most_bytes` bytes. A document type, and with it every entity, is refused.
///
/// # Errors
/// [`ReadError`] for a document that is too large or not well-formed.
pub fn parse(text: &str, most_bytes: usize) -> Result<Document<'_>, ReadError> {
    if text.len() > most_bytes {
        let (size, most) = (text.len() >> 20, most_bytes >> 20);
        return Err(ReadError::of_file(format!("found {size} MiB; expected at most {most} MiB")));
    }
    // an element takes at least four bytes, and with a line of its own five
    let nodes_limit = u32::try_from(most_bytes / 8).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: false, nodes_limit, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => {
            ReadError::of_file("found a document type; expected a document without entities")
                .help("expand the file: xmllint --noent --dropdtd FILE")
        }
        error => ReadError::new(error.pos().row, error.to_string()),
    })
}

/// The places at which the lines of a text begin.
pub struct Lines(Vec<usize>);

impl Lines {
    /// Finds the lines of a text.
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
pub struct Element<'d> {
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
    pub fn required(self, name: &str) -> Result<&'d str, ReadError> {
        self.attribute(name).filter(|text| !text.is_empty()).ok_or_else(|| {
            let text = format!("<{}> has no attribute `{name}`", self.name());
            ReadError::new(self.line(), text)
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
    pub fn number_of(self, name: &'static str) -> Result<Option<f64>, ReadError> {
        let Some(child) = self.child(name) else { return Ok(None) };
        let text = child.attribute("value").filter(|_| child.text().is_empty());
        child.number(text.unwrap_or(child.text()), name).map(Some)
    }

    /// Returns the number in an attribute.
    pub fn number_in(self, name: &str) -> Result<Option<f64>, ReadError> {
        self.attribute(name).map(|text| self.number(text, name)).transpose()
    }

    /// Returns the number in an attribute that has to be there.
    pub fn required_number(self, name: &str) -> Result<f64, ReadError> {
        self.number(self.required(name)?, name)
    }

    /// Reads a finite number.
    pub fn number(self, text: &str, what: impl Display) -> Result<f64, ReadError> {
        let number = f64::from_str(text).ok().filter(|number| number.is_finite());
        number.ok_or_else(|| {
            let text = format!("`{what}` of <{}> is {text:?}; expected a number", self.name());
            ReadError::new(self.line(), text)
        })
    }

    /// Reads finite numbers, separated by spaces.
    pub fn numbers<const N: usize>(self, text: &str, what: &str) -> Result<[f64; N], ReadError> {
        let mut numbers = [0.0; N];
        let mut words = text.split_ascii_whitespace();
        for number in &mut numbers {
            let Some(word) = words.next() else {
                let text =
                    format!("`{what}` of <{}> is {text:?}; expected {N} numbers", self.name());
                return Err(ReadError::new(self.line(), text));
            };
            *number = self.number(word, what)?;
        }
        match words.next() {
            None => Ok(numbers),
            Some(word) => {
                let text =
                    format!("`{what}` of <{}> has more than {N} numbers: {word:?}", self.name());
                Err(ReadError::new(self.line(), text))
            }
        }
    }

    /// Returns a length that has to be greater than 0, m.
    pub fn length(self, text: &str, what: &str) -> Result<f64, ReadError> {
        let length = self.number(text, what)?;
        if length > 0.0 {
            return Ok(length);
        }
        let text = format!("`{what}` of <{}> is {length}; expected a length above 0", self.name());
        Err(ReadError::new(self.line(), text))
    }

    /// Notes the elements whose names are not known.
    pub fn note_unknown(self, known: &[&str], notes: &mut Vec<Note>) {
        for child in self.elements().filter(|child| !known.contains(&child.name())) {
            let text = format!("<{}> in <{}> has no effect", child.name(), self.name());
            notes.push(Note { line: child.line(), text });
        }
    }
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line in the file, from 1; `None` for the file as a whole.
    pub line: Option<u32>,
    /// What was found, and what was expected.
    pub problem: String,
    /// What to do.
    pub help: Option<String>,
}

impl ReadError {
    /// Creates an error at a line.
    pub fn new(line: u32, problem: impl Into<String>) -> Self {
        Self { line: Some(line), problem: problem.into(), help: None }
    }

    /// Creates an error of the file as a whole.
    pub fn of_file(problem: impl Into<String>) -> Self {
        Self { line: None, problem: problem.into(), help: None }
    }

    /// Adds what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl ReadError {
    /// Returns the message with a file and its line in front.
    pub fn in_file(&self, file: impl fmt::Display) -> String {
        let place = self.line.map_or(String::new(), |line| format!(":{line}"));
        let help = self.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        format!("{file}{place}: {}{help}", self.problem)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem)?,
            None => f.write_str(&self.problem)?,
        }
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadError {}

/// Something in a file that has no effect, or that was simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Line in the file, from 1.
    pub line: u32,
    /// What was found, and why it has no effect or what became of it.
    pub text: String,
}
