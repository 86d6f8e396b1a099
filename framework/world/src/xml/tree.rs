//! The tree of a file.

use compact_str::CompactString;

use crate::sources::Span;

/// How a text came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// As the file has it.
    Written,
    /// Replacements made it.
    Computed,
    /// A replacement failed, and the error has been reported.
    Failed,
}

/// The text of an element or of an attribute, outer white space removed. In a parsed file entities
/// are resolved and variables are not; in an expanded tree it is a final value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub content: CompactString,
    pub span: Span,
    pub origin: Origin,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub name: CompactString,
    pub name_span: Span,
    pub text: Text,
}

/// What a tree costs, counted while it is parsed so that nobody has to walk it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// Elements, this one included.
    pub elements: u32,
    /// Bytes of attributes and long texts.
    pub bytes: u32,
    /// Levels, this one included.
    pub height: u32,
}

impl Weight {
    /// Adds a child's weight.
    pub(crate) fn add(&mut self, child: Self) {
        self.elements = self.elements.saturating_add(child.elements);
        self.bytes = self.bytes.saturating_add(child.bytes);
        self.height = self.height.max(child.height.saturating_add(1));
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub name: CompactString,
    pub name_span: Span,
    pub attributes: Vec<Attribute>,
    pub text: Option<Text>,
    pub children: Vec<Element>,
    pub weight: Weight,
    /// Something in the tree has to be replaced: `$`, or one of [`LANGUAGE_TAGS`].
    pub dynamic: bool,
}

/// Tags that are replaced by something else.
pub(crate) const LANGUAGE_TAGS: &[&str] = &["include", "variable", "for", "if"];

impl Element {
    /// An element with nothing in it.
    pub(crate) fn new(name: CompactString, name_span: Span) -> Self {
        let (attributes, children) = (Vec::new(), Vec::new());
        let weight = Weight { elements: 1, bytes: 0, height: 1 };
        let dynamic = LANGUAGE_TAGS.contains(&name.as_str());
        Self { name, name_span, attributes, text: None, children, weight, dynamic }
    }

    /// The last attribute of this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Text> {
        self.attributes.iter().rfind(|attribute| attribute.name == name).map(|a| &a.text)
    }

    /// An element in the same place with nothing in it.
    pub(crate) fn without_content(&self) -> Self {
        Self::new(self.name.clone(), self.name_span)
    }

    /// Calls `f` with every text in the tree.
    pub(crate) fn each_text<'e>(&'e self, f: &mut dyn FnMut(&'e Text)) {
        self.attributes.iter().for_each(|attribute| f(&attribute.text));
        self.text.iter().for_each(&mut *f);
        self.children.iter().for_each(|child| child.each_text(f));
    }
}
