//! The values that a class gives to its instances.

use std::any::{Any, TypeId};
use std::collections::HashMap;

/// The values of the fields that a class gives, by the index of their first entry and their type.
#[derive(Debug, Default)]
pub(crate) struct ClassValues(HashMap<(usize, TypeId), Box<dyn Any>>);

impl ClassValues {
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
