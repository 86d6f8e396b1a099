//! Values of fields: from an element, from its class, and defaults.

use std::ops::Range;

use super::ClassValues;
use super::contents::ElementReader;
use super::field::{Field, Fields};
use crate::context::Context;
use crate::tree::Element;
use crate::value;
use crate::vocabulary::{Effect, Entry, Section, Value};

impl<'r> ElementReader<'r, '_, '_> {
    /// Lets a class give the values that the element does not give.
    pub(crate) fn of(self, class: Option<&'r ClassValues>) -> Self {
        Self { class, ..self }
    }

    /// Lets the class that the element names, if any, give values. A class that is not known leaves open what is missing.
    pub(crate) fn of_class_if_known(self, class: Option<Option<&'r ClassValues>>) -> Self {
        match class {
            Some(None) => self.into_class(),
            class => self.of(class.flatten()),
        }
    }

    /// Reads the element as a class, which gives values to its instances and need not be complete.
    pub(crate) fn into_class(self) -> Self {
        Self { kept: Some(ClassValues::default()), ..self }
    }

    /// Returns whether the element or its class gives an entry.
    pub(crate) fn is_given_or_of_class(&mut self, name: &str) -> bool {
        let at = self.section.index(name);
        self.is_given(name) || self.class.is_some_and(|class| class.has(at))
    }

    /// Returns the values of a class.
    pub(crate) fn take_values(&mut self) -> ClassValues {
        self.kept.take().unwrap_or_default()
    }

    /// Reads the struct whose entries are the last ones of the section.
    pub(crate) fn fields<T: Fields>(&mut self) -> Option<T> {
        T::read(self, self.section.entries.len() - T::ENTRIES.len())
    }

    /// Returns the value of the entry with this name, or its default.
    pub(crate) fn value<T: Field>(&mut self, name: &str) -> Option<T> {
        self.field_at(self.section.index(name))
    }

    /// Returns the value of a field from the entries `place`: the value of the element, of its
    /// class, or the default. Reports a missing required value.
    pub(crate) fn field<T: Field>(&mut self, place: Range<usize>) -> Option<T> {
        let (at, first) = (place.start, &self.section.entries[place.start]);
        for index in place.clone() {
            let is_used = self.section.entries[index].effect == Effect::Used;
            self.read |= u64::from(is_used) << index;
        }
        let is_given = self.given.iter().any(|(entry, _)| place.contains(&usize::from(*entry)));
        let own = if is_given || T::READS_EACH { T::read(self, place) } else { None };
        if let (Some(kept), Some(own), true) = (&mut self.kept, &own, is_given) {
            kept.insert(at, own.clone());
        }
        let of_class = self.class.and_then(|class| class.get::<T>(at));
        match (own, of_class) {
            (Some(own), None | Some((_, true))) => Some(own),
            (Some(_), Some((of_class, _))) if self.prefers_class(first) => Some(of_class.clone()),
            (Some(own), Some((of_class, _))) => Some(own.with_class(of_class)),
            (None, Some((of_class, _))) => Some(of_class.clone()),
            (None, None) => self.absent(at, is_given),
        }
    }

    /// Returns the default of a field. Reports a required field, unless it belongs to a class or
    /// has been reported.
    fn absent<T: Field>(&mut self, at: usize, is_given: bool) -> Option<T> {
        let entries = &self.section.entries[at..];
        let absent = T::absent(entries);
        let is_known = is_given && self.has_reported();
        match (&mut self.kept, &absent) {
            (Some(kept), Some(absent)) => kept.insert_default(at, absent.clone()),
            (None, None) if !is_known => T::report_absent(self, &entries[0]),
            _ => {}
        }
        // the world is refused anyway
        let goes_on = self.kept.is_none() && self.context.report.has_errors();
        absent.or_else(|| T::placeholder().filter(|_| goes_on))
    }

    /// Returns the value of a field from the entry with this index.
    pub(crate) fn field_at<T: Field>(&mut self, index: usize) -> Option<T> {
        self.field(index..index + 1)
    }

    /// Returns whether an invalid value has been reported. An empty text has not.
    fn has_reported(&self) -> bool {
        self.context.report.has_errors() || self.context.profile.lenient
    }

    /// Returns whether the value of a class takes precedence over the value of its instance.
    fn prefers_class(&self, entry: &Entry) -> bool {
        entry.class_first && self.context.profile.class_overrides_block
    }

    /// Reports upper bounds that are not above the lower ones before them.
    pub(super) fn check_ranges(&mut self) {
        for at in 1..self.section.entries.len() {
            if self.section.entries[at].rises && self.read & 1 << at != 0 {
                let [lower, upper] = [at - 1, at].map(|at| self.field_at::<f64>(at));
                if let (Some(lower), Some(upper)) = (lower, upper) {
                    self.check_range(at - 1, [lower, upper]);
                }
            }
        }
    }

    /// Returns the row of numbers of the entry with this index, if given.
    pub(crate) fn row_at(&mut self, index: usize) -> Option<Vec<f64>> {
        let entry = &self.section.entries[index];
        let given = self.take_at(index)?;
        let Value::Row(layouts) = entry.value else { return None };
        let text = self.given_text_of(given)?;
        value::row(self.context, text, entry.name, layouts)
    }

    /// Reports an upper bound that is not above the lower one, whose entry has the index `at`.
    pub(super) fn check_range(&mut self, at: usize, range: [f64; 2]) {
        let [lower, upper] = [at, at + 1].map(|index| self.section.entries[index].name);
        if range[1] <= range[0] {
            let message = format!("`{upper}` {} is not above `{lower}` {}", range[1], range[0]);
            let label = format!("expected {upper} greater than {lower}");
            self.context.report.error(self.element.name_span, message, &label);
        }
    }

    /// Passes a value on. Reports an entry that is not given; an invalid value has been reported.
    pub(crate) fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        let is_missing = self.take(name).is_none() || !self.has_reported();
        if value.is_none() && is_missing {
            self.report_missing(self.section.entry(name));
        }
        value
    }
}

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
}
