//! The attributes and children of an element, taken one by one.
//!
//! Every name that is asked for is a name that is known: what is left at the end is unknown, and the
//! nearest of the names asked for is suggested. So there is no second list that could drift.

use crate::reader::{Reader, did_you_mean};
use crate::sources::Span;
use crate::xml::{Attribute, Element, Text};

/// Tags and attributes that matter to a picture only.
pub(crate) const PICTURE_TAGS: &[&str] =
    &["visual", "color", "publish", "log_path", "auto_start_recording", "skip_elevation_adjust"];

#[derive(Clone, Copy)]
pub(crate) enum Given<'e> {
    Attribute(&'e Attribute),
    Child(&'e Element),
}

impl Given<'_> {
    pub(crate) fn name(&self) -> &str {
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
}

/// What is left of an element.
pub(crate) struct Fields<'e> {
    pub element: &'e Element,
    left: Vec<Given<'e>>,
    /// Somebody reads the text, or has said that it is missing.
    text_read: bool,
    twice: Vec<Span>,
    attributes_asked: Vec<String>,
    children_asked: Vec<String>,
}

impl<'e> Fields<'e> {
    pub(crate) fn new(element: &'e Element) -> Self {
        let mut fields = Self::attributes_of(element);
        fields.left.extend(element.children.iter().map(Given::Child));
        fields
    }

    /// The attributes alone, of an element whose children are read elsewhere.
    pub(crate) fn attributes_of(element: &'e Element) -> Self {
        let left = element.attributes.iter().map(Given::Attribute).collect();
        let (text_read, twice, attributes_asked, children_asked) = Default::default();
        Self { element, left, text_read, twice, attributes_asked, children_asked }
    }

    /// The last of the fields that `wanted` picks; the others are reported as given twice.
    fn take(&mut self, wanted: impl Fn(&Given<'e>) -> bool) -> Option<Given<'e>> {
        let (mut found, left): (Vec<_>, Vec<_>) = self.left.iter().copied().partition(wanted);
        self.left = left;
        let last = found.pop();
        self.twice.extend(found.iter().map(Given::name_span));
        last
    }

    pub(crate) fn attribute(&mut self, name: &str) -> Option<&'e Text> {
        self.attributes_asked.push(name.to_owned());
        match self.take(|given| matches!(given, Given::Attribute(a) if a.name == name)) {
            Some(Given::Attribute(attribute)) => Some(&attribute.text),
            _ => None,
        }
    }

    pub(crate) fn child(&mut self, name: &str) -> Option<&'e Element> {
        self.children_asked.push(name.to_owned());
        match self.take(|given| matches!(given, Given::Child(e) if e.name == name)) {
            Some(Given::Child(element)) => Some(element),
            _ => None,
        }
    }

    pub(crate) fn children(&mut self, name: &str) -> Vec<&'e Element> {
        self.children_asked.push(name.to_owned());
        let mut found = Vec::new();
        self.left.retain(|given| match given {
            Given::Child(element) if element.name == name => {
                found.push(*element);
                false
            }
            _ => true,
        });
        found
    }

    /// An attribute or a child that has one of these names; the first name is the proper one.
    pub(crate) fn either(&mut self, names: &[&str]) -> Option<Given<'e>> {
        self.children_asked.extend(names.iter().map(|name| (*name).to_owned()));
        self.take(|given| names.contains(&given.name()))
    }

    /// Takes these attributes and children away with all that they contain.
    pub(crate) fn ignore(&mut self, names: &[&str]) {
        self.left.retain(|given| !names.contains(&given.name()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes away what `wanted` picks.
    pub(crate) fn drain(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<Given<'e>> {
        let (found, left) = self.left.iter().partition(|given| wanted(given.name()));
        self.left = left;
        found
    }
}

impl Reader<'_> {
    /// Reports what nobody asked for.
    pub(crate) fn finish(&mut self, fields: Fields<'_>) {
        for span in &fields.twice {
            self.warning(*span, "given more than once", "the last one holds");
        }
        if let Some(text) = &fields.element.text
            && !fields.text_read
        {
            let message = format!("text in `<{}>` has no effect", fields.element.name);
            self.warning(text.span, message, "expected tags");
        }
        for given in &fields.left {
            self.unknown(given, &fields);
        }
    }

    fn unknown(&mut self, given: &Given<'_>, fields: &Fields<'_>) {
        let (name, owner) = (given.name(), &fields.element.name);
        let (message, same, other) = match given {
            Given::Attribute(_) => (
                format!("unknown attribute `{name}` of `<{owner}>`"),
                &fields.attributes_asked,
                &fields.children_asked,
            ),
            Given::Child(_) => (
                format!("unknown tag `<{name}>` in `<{owner}>`"),
                &fields.children_asked,
                &fields.attributes_asked,
            ),
        };
        let label = match given {
            Given::Attribute(_) if other.iter().any(|asked| asked == name) => {
                format!("write it as a tag: <{name}>…</{name}>")
            }
            Given::Child(_) if other.iter().any(|asked| asked == name) => {
                format!("write it as an attribute: <{owner} {name}=\"…\">")
            }
            _ => did_you_mean(name, same.iter().chain(other).map(String::as_str)),
        };
        let mut known: Vec<_> = same.iter().map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        let notes = match known.is_empty() {
            true => vec!["help: nothing is expected here; remove it".to_owned()],
            false => vec![format!("help: known here: {}", known.join(", "))],
        };
        self.say(self.strictness(), given.name_span(), message, label, notes);
    }

    /// The text of an element that has nothing but text.
    pub(crate) fn leaf<'e>(&mut self, element: &'e Element) -> Option<&'e Text> {
        let mut fields = Fields::new(element);
        fields.text_read = true;
        self.finish(fields);
        if element.text.is_none() {
            let message = format!("`<{}>` is empty", element.name);
            self.error(element.name_span, message, "expected a value", Vec::new());
        }
        element.text.as_ref()
    }

    /// The text of a field.
    pub(crate) fn text_of<'e>(&mut self, given: Given<'e>) -> Option<&'e Text> {
        match given {
            Given::Attribute(attribute) => Some(&attribute.text),
            Given::Child(element) => self.leaf(element),
        }
    }
}
