//! An attribute or a child element as given in a file.

use crate::sources::Span;
use crate::tree::{Attribute, Element};
use crate::vocabulary::Entry;

/// An attribute or a child element.
#[derive(Clone, Copy)]
pub(crate) enum Given<'e> {
    Attribute(&'e Attribute),
    Child(&'e Element),
}

impl<'e> Given<'e> {
    pub(crate) fn name(&self) -> &'e str {
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

    /// Returns whether it has the name and the form of an entry.
    pub(super) fn matches(&self, entry: &Entry) -> bool {
        let form = match self {
            Self::Attribute(_) => entry.is_attribute(),
            Self::Child(_) => entry.is_child(),
        };
        form && entry.names().any(|name| name == self.name())
    }
}
