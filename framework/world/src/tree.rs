//! The element tree of a file.

use compact_str::CompactString;

use crate::sources::Span;

/// Origin of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The text is as written in the file.
    Written,
    /// The text is the result of a replacement.
    Computed,
    /// A replacement failed, and the error has been reported.
    Failed,
}

/// The text of an element or an attribute without surrounding white space.
///
/// Entities are resolved. In the tree of a file, `$` is not replaced yet; in an expanded tree, the
/// text is a final value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub content: CompactString,
    pub span: Span,
    pub origin: Origin,
}

impl Text {
    /// Returns the value of the text, or `None` if it could not be computed.
    pub(crate) fn value(&self) -> Option<&str> {
        (self.origin != Origin::Failed).then_some(self.content.as_str())
    }
}

/// An attribute of an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub name: CompactString,
    pub name_span: Span,
    pub text: Text,
}

/// The size of a tree, computed while it is parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// Number of elements, including the root.
    pub elements: u32,
    /// Bytes of attributes and long texts.
    pub bytes: u32,
    /// Number of levels, including the root.
    pub height: u32,
}

impl Weight {
    /// Adds the weight of a child.
    pub(crate) fn add(&mut self, child: Self) {
        self.elements = self.elements.saturating_add(child.elements);
        self.bytes = self.bytes.saturating_add(child.bytes);
        self.height = self.height.max(child.height.saturating_add(1));
    }
}

/// An element with its attributes, text and children.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub name: CompactString,
    pub name_span: Span,
    pub attributes: Vec<Attribute>,
    pub text: Option<Text>,
    pub children: Vec<Element>,
    pub weight: Weight,
    /// Whether the tree contains something to replace: a `$` or one of [`LANGUAGE_ELEMENTS`].
    pub dynamic: bool,
}

/// Names of the elements that expansion replaces by other elements.
pub(crate) use simhost_abi::LANGUAGE_KEYS as LANGUAGE_ELEMENTS;

impl Element {
    /// Creates an empty element.
    pub(crate) fn new(name: CompactString, name_span: Span) -> Self {
        let (attributes, children) = (Vec::new(), Vec::new());
        let weight = Weight { elements: 1, bytes: 0, height: 1 };
        let dynamic = LANGUAGE_ELEMENTS.contains(&name.as_str());
        Self { name, name_span, attributes, text: None, children, weight, dynamic }
    }

    /// Returns the text of the last attribute with this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Text> {
        self.attributes.iter().rfind(|attribute| attribute.name == name).map(|a| &a.text)
    }

    /// Returns an empty element with the same name and position.
    pub(crate) fn without_content(&self) -> Self {
        Self::new(self.name.clone(), self.name_span)
    }

    /// Calls `f` with every text of the tree.
    pub(crate) fn for_each_text<'e>(&'e self, f: &mut dyn FnMut(&'e Text)) {
        self.attributes.iter().for_each(|attribute| f(&attribute.text));
        self.text.iter().for_each(&mut *f);
        self.children.iter().for_each(|child| child.for_each_text(f));
    }
}

/// Returns whether an attribute is meant for editors and validators and has no meaning here.
pub(crate) fn is_schema_attribute(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xsi:")
}
