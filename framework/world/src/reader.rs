//! Reading of one element according to its section.
//!
//! An [`ElementReader`] matches the attributes and children of an element to the entries of its
//! section and reports everything that is unknown, duplicate, missing or without effect.

mod contents;
mod declare;
mod field;
mod scalars;
mod unknown;
mod values;

pub(crate) use contents::{ElementReader, leaf_text};
pub(crate) use declare::{computed, declare, places};
pub(crate) use field::{Field, Fields, FromElement, FromEntry};
pub(crate) use scalars::{Words, words};
pub(crate) use unknown::{known_classes, place_of, report_without_effect};

use std::any::{Any, TypeId};
use std::collections::HashMap;

use foldhash::fast::FixedState;

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
    fn matches(&self, entry: &Entry) -> bool {
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

/// The values of the fields of a class, by the index of their first entry and their type: those that it gives, and
/// defaults.
#[derive(Debug, Default)]
pub(crate) struct ClassValues(HashMap<(usize, TypeId), ClassValue, FixedState>);

#[derive(Debug)]
struct ClassValue {
    is_default: bool,
    value: Box<dyn Any>,
}

impl ClassValues {
    /// Adds the value of a field.
    pub(crate) fn insert<T: 'static>(&mut self, at: usize, value: T) {
        let value = ClassValue { is_default: false, value: Box::new(value) };
        self.0.insert((at, TypeId::of::<T>()), value);
    }

    /// Adds the value of a field that the class does not give.
    fn insert_default<T: 'static>(&mut self, at: usize, value: T) {
        let value = ClassValue { is_default: true, value: Box::new(value) };
        self.0.insert((at, TypeId::of::<T>()), value);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the class gives the field whose first entry has this index.
    fn has(&self, at: usize) -> bool {
        self.0.iter().any(|((place, _), value)| *place == at && !value.is_default)
    }

    /// Returns the value of a field, if the class has it, and whether it is the default.
    fn get<T: 'static>(&self, at: usize) -> Option<(&T, bool)> {
        let ClassValue { is_default, value } = self.0.get(&(at, TypeId::of::<T>()))?;
        Some((value.downcast_ref()?, *is_default))
    }
}
