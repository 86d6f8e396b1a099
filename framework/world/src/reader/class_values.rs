//! The values that a class gives to its instances.

use std::any::{Any, TypeId};
use std::collections::HashMap;

use super::contents::ElementReader;
use super::field::Fields;
use crate::context::Context;
use crate::tree::Element;
use crate::vocabulary::Section;

/// The values of the fields that a class gives, by the index of their first entry and their type.
#[derive(Debug, Default)]
pub(crate) struct ClassValues(HashMap<(usize, TypeId), Box<dyn Any>>);

impl ClassValues {
    /// Reads the values that the element of a class gives.
    pub(crate) fn read<T: Fields>(
        context: &mut Context<'_>,
        element: &Element,
        section: &'static Section,
    ) -> Self {
        let mut reader = ElementReader::of_class(context, element, section).into_class();
        T::read(&mut reader, 0);
        let values = reader.take_values();
        reader.finish();
        values
    }

    /// Keeps the value of a field.
    pub(crate) fn keep<T: 'static>(&mut self, at: usize, value: T) {
        self.0.insert((at, TypeId::of::<T>()), Box::new(value));
    }

    /// Returns whether the class gives the field whose first entry has this index.
    pub(super) fn has(&self, at: usize) -> bool {
        self.0.keys().any(|(place, _)| *place == at)
    }

    /// Returns the value of a field, if the class gives it.
    pub(super) fn get<T: 'static>(&self, at: usize) -> Option<&T> {
        self.0.get(&(at, TypeId::of::<T>()))?.downcast_ref()
    }
}
