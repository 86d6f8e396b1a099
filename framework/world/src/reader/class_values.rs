//! The values that a class gives to its instances.

use std::any::{Any, TypeId};
use std::collections::HashMap;

use foldhash::fast::FixedState;

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
    pub(super) fn insert_default<T: 'static>(&mut self, at: usize, value: T) {
        let value = ClassValue { is_default: true, value: Box::new(value) };
        self.0.insert((at, TypeId::of::<T>()), value);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the class gives the field whose first entry has this index.
    pub(super) fn has(&self, at: usize) -> bool {
        self.0.iter().any(|((place, _), value)| *place == at && !value.is_default)
    }

    /// Returns the value of a field, if the class has it, and whether it is the default.
    pub(super) fn get<T: 'static>(&self, at: usize) -> Option<(&T, bool)> {
        let ClassValue { is_default, value } = self.0.get(&(at, TypeId::of::<T>()))?;
        Some((value.downcast_ref()?, *is_default))
    }
}
