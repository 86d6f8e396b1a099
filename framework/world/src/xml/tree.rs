//! The tree of a file.

use crate::sources::Span;

/// A text as it is written: variables are not resolved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// Entities resolved, outer white space removed.
    pub raw: String,
    pub span: Span,
    /// What names mean here.
    pub scope: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub name: String,
    pub name_span: Span,
    pub text: Text,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub name: String,
    pub name_span: Span,
    pub attributes: Vec<Attribute>,
    pub text: Option<Text>,
    pub children: Vec<Element>,
    pub scope: u32,
}

impl Element {
    /// The last attribute of this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Text> {
        self.attributes.iter().rfind(|attribute| attribute.name == name).map(|a| &a.text)
    }

    /// An element in the same place with nothing in it.
    pub(crate) fn without_content(&self) -> Self {
        let (name, name_span, scope) = (self.name.clone(), self.name_span, self.scope);
        let (attributes, children) = (Vec::new(), Vec::new());
        Self { name, name_span, attributes, text: None, children, scope }
    }

    /// Whether a text anywhere in the tree satisfies `test`.
    pub(crate) fn any_text(&self, test: &dyn Fn(&str) -> bool) -> bool {
        self.text.as_ref().is_some_and(|text| test(&text.raw))
            || self.attributes.iter().any(|attribute| test(&attribute.text.raw))
            || self.children.iter().any(|child| child.any_text(test))
    }
}
