//! Values of the fields of a declaration, and how they are read.

use std::ops::Range;
use std::sync::Arc;

use super::Given;
use super::contents::ElementReader;
use crate::context::Context;
use crate::tree::Element;
use crate::vocabulary::{Default as Fallback, Entry, Section};

/// A value that one attribute or child element gives.
pub(crate) trait FromEntry: Clone + 'static {
    /// Returns the value. Reports one that is not valid.
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self>;

    /// Returns the value of an entry that is not given, from its default text, which is empty if it has none.
    fn of_default(_entry: &'static Entry, _text: &str) -> Option<Self> {
        None
    }
}

/// A struct that [`declare`] has made.
pub(crate) trait Fields: Sized {
    /// The entries of each field.
    const LISTS: &'static [&'static [Entry]];
    /// The entries of all fields.
    const ENTRIES: &'static [Entry];

    /// Reads all fields from the entries of an element that begin at index `at`. Returns `None` if a value is
    /// missing or invalid and has no default.
    fn read(reader: &mut ElementReader<'_, '_, '_>, at: usize) -> Option<Self>;

    /// Returns the struct of an element that gives none of the entries. `None` if one of them is required.
    fn absent() -> Option<Self>;
}

/// A struct of [`declare`] with a section, which is the value of an element.
pub(crate) trait FromElement: Fields + Clone + 'static {
    /// The section, which may begin with entries that are read by hand.
    const ELEMENT: &'static Section;

    /// Completes the value before the element is finished. May report errors and reject it.
    fn check(self, _reader: &mut ElementReader<'_, '_, '_>) -> Option<Self> {
        Some(self)
    }

    /// Reads an element.
    fn read_element(context: &mut Context<'_>, element: &Element) -> Option<Self> {
        Self::read_from(ElementReader::new(context, element, Self::ELEMENT))
    }

    /// Reads the rest of an element.
    fn read_from(mut reader: ElementReader<'_, '_, '_>) -> Option<Self> {
        let value = reader.fields::<Self>().and_then(|value| value.check(&mut reader));
        match &value {
            Some(_) => {
                reader.finish();
            }
            None => reader.finish_partly(),
        }
        value
    }
}

impl<T: FromElement> FromEntry for T {
    fn parse(context: &mut Context<'_>, _: &'static Entry, given: Given<'_>) -> Option<Self> {
        match given {
            Given::Child(element) => Self::read_element(context, element),
            Given::Attribute(_) => None,
        }
    }

    fn of_default(_: &'static Entry, _: &str) -> Option<Self> {
        Self::absent()
    }
}

/// The value of a field, from one or several entries.
pub(crate) trait Field: Clone + 'static {
    /// Whether each entry is read on its own, even if none is given.
    const READS_EACH: bool = false;

    /// Reads the value from the entries `place`, if at least one is given.
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self>;

    /// Returns the value if none of the entries is given. `None` if it is required.
    fn absent(entries: &'static [Entry]) -> Option<Self>;

    /// Reports a required value that the element does not give.
    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, entry: &'static Entry) {
        match entry.default {
            Fallback::Required => reader.report_missing(entry),
            Fallback::OfModel => {
                let element = reader.element;
                let message = format!("missing `{}` in `<{}>`", entry.name, element.name);
                let label = "the dynamics class has no default";
                reader.context.report.error(element.name_span, message, label);
            }
            _ => {}
        }
    }

    /// Returns a placeholder for a required value that is missing or invalid, so that later errors
    /// are reported in the same pass.
    fn placeholder() -> Option<Self> {
        None
    }

    /// Returns the value of an instance that gives `self`, and whose class gives `of_class`.
    fn with_class(self, _of_class: &Self) -> Self {
        self
    }
}

impl<T: FromEntry> Field for T {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let given = reader.take_at(place.start)?;
        T::parse(reader.context, &reader.section.entries[place.start], given)
    }

    fn absent(entries: &'static [Entry]) -> Option<Self> {
        let entry = entries.first()?;
        match entry.default {
            Fallback::Required | Fallback::OneOfTwo | Fallback::OfModel => None,
            Fallback::Value(text) | Fallback::Described(text, _) => T::of_default(entry, text),
            Fallback::None | Fallback::Words(_) => T::of_default(entry, ""),
        }
    }
}

impl<T: FromEntry> Field for Option<T> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        T::read(reader, place).map(Some)
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some(None)
    }
}

impl<T: FromEntry, const N: usize> Field for [Option<T>; N] {
    const READS_EACH: bool = true;

    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        each(|index| reader.field_at(place.start + index))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some([const { None }; N])
    }
}

/// All occurrences of repeated entries, in document order, entries of an instance before entries of
/// its class.
impl<T: FromEntry> Field for Arc<[T]> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let entries = reader.section.entries;
        let given = reader.take_all(place).into_iter();
        let values =
            given.filter_map(|(index, one)| T::parse(reader.context, &entries[index], one));
        Some(values.collect())
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        Some(Arc::default())
    }

    fn with_class(self, of_class: &Self) -> Self {
        self.iter().chain(&**of_class).cloned().collect()
    }
}

/// Returns `N` values, or `None` if one of them is missing.
pub(super) fn each<T, const N: usize>(mut value: impl FnMut(usize) -> Option<T>) -> Option<[T; N]> {
    let values: [Option<T>; N] = std::array::from_fn(&mut value);
    let values: Vec<T> = values.into_iter().flatten().collect();
    values.try_into().ok()
}

/// A value that several objects share.
impl<T: FromEntry> FromEntry for Arc<T> {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        T::parse(context, entry, given).map(Self::new)
    }

    fn of_default(entry: &'static Entry, text: &str) -> Option<Self> {
        T::of_default(entry, text).map(Self::new)
    }
}
