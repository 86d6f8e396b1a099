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
        let given = self.name();
        let has_class = |rest: &str| entry.names_class && rest.starts_with(':');
        let is_named =
            |name: &str| given == name || given.strip_prefix(name).is_some_and(has_class);
        form && entry.names().any(is_named)
    }
}
