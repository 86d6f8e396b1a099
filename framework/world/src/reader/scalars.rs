//! Types of values that parameters can have.

use std::ops::Range;

use super::Given;
use super::contents::{ElementReader, leaf_text};
use super::field::{Field, FromEntry, each};
use crate::context::Context;
use crate::sources::Span;
use crate::spelling::{list_items, parse_color, parse_number};
use crate::tree::Text;
use crate::value;
use crate::vocabulary::{Default as Fallback, Entry, Value};

/// Returns the text of an attribute or a child.
fn text_of<'e>(context: &mut Context<'_>, given: Given<'e>) -> Option<&'e Text> {
    match given {
        Given::Attribute(attribute) => Some(&attribute.text),
        Given::Child(element) => leaf_text(context, element),
    }
}

/// Implements [`FromEntry`] for types whose values are texts: the value of a text, and of a
/// default.
macro_rules! parse_texts {
    ($(
        $(#[$meta:meta])*
        $type:ty =
            |$context:ident, $entry:ident, $text:ident| $value:expr,
            |$of:ident, $default:ident| $absent:expr;
    )*) => {$(
        $(#[$meta])*
        impl FromEntry for $type {
            fn parse($context: &mut Context<'_>, $entry: &'static Entry, given: Given<'_>) -> Option<Self> {
                let $text = text_of($context, given)?;
                $value
            }

            fn of_default($of: &'static Entry, $default: &str) -> Option<Self> {
                $absent
            }
        }
    )*};
}

parse_texts! {
    /// A number, or an angle in rad.
    f64 =
        |context, entry, text| value::entry_number(context, entry, text),
        |entry, text| {
            let number = if text == "inf" { Self::INFINITY } else { parse_number(text)? };
            Some(if matches!(entry.value, Value::Angle(_)) { number.to_radians() } else { number })
        };
    /// A whole number that is not negative.
    u32 =
        |context, entry, text| value::entry_number(context, entry, text).map(|number| number as Self),
        |entry, text| f64::of_default(entry, text).map(|number| number as Self);
    /// A seed.
    u64 =
        |context, entry, text| value::seed(context, entry, text),
        |_entry, text| text.parse().ok();
    /// Red, green, blue and opacity.
    [u8; 4] =
        |context, entry, text| value::color(context, text, entry.name),
        |_entry, text| parse_color(text);
    /// A text with its position, for values that are looked up later.
    Text =
        |_context, _entry, text| Some(text.clone()),
        |_entry, _text| None;
    /// A text, which may be empty, and its position.
    (String, Span) =
        |_context, _entry, text| Some((text.value()?.to_owned(), text.span)),
        |_entry, _text| None;
    /// A list of words.
    Vec<String> =
        |_context, _entry, text| Some(list_items(text.value()?).map(str::to_owned).collect()),
        |_entry, text| Some(list_items(text).map(str::to_owned).collect());
}

/// A boolean, or whether an element is present.
impl FromEntry for bool {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        if matches!(entry.value, Value::Presence | Value::Element(_)) {
            return Some(true);
        }
        let text = text_of(context, given)?;
        value::boolean(context, text, entry.name)
    }

    fn of_default(_: &'static Entry, text: &str) -> Option<Self> {
        Some(text == "true")
    }
}

/// A text that is not empty, or one of several words. An empty element is an empty text.
impl FromEntry for String {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        if let Value::Choice(words) = entry.value {
            let text = text_of(context, given)?;
            return value::word(context, text, entry.name, words).map(str::to_owned);
        }
        let is_vehicle = matches!(entry.value, Value::Vehicle);
        if matches!(given, Given::Child(element) if element.text.is_none() && !is_vehicle) {
            return None;
        }
        let text = text_of(context, given)?;
        let value = text.value().filter(|value| !value.is_empty())?.to_owned();
        if is_vehicle {
            context.references.vehicles.push((value.clone(), text.span));
        }
        Some(value)
    }

    fn of_default(_: &'static Entry, text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// Reads values that have an entry each.
macro_rules! fields_of_several_entries {
    ($($type:ty),*) => {$(
        impl<const N: usize> Field for [$type; N] {
            const READS_EACH: bool = true;

            fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
                each(|index| reader.field_at(place.start + index))
            }

            fn absent(entries: &'static [Entry]) -> Option<Self> {
                each(|index| Field::absent(&entries[index..]))
            }

            // each entry has been reported
            fn report_absent(_: &mut ElementReader<'_, '_, '_>, _: &'static Entry) {}
        }
    )*};
}

fields_of_several_entries!(u32, String, (String, Span));

/// Numbers that have an entry each, or a row. Omitted numbers at the end of a row are 0.
impl<const N: usize> Field for [f64; N] {
    const READS_EACH: bool = true;

    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        match reader.section.entries[place.start].value {
            Value::Row(_) => reader.row_at(place.start).map(|row| filled(&row)),
            _ => each(|index| reader.field_at(place.start + index)),
        }
    }

    fn absent(entries: &'static [Entry]) -> Option<Self> {
        let entry = entries.first()?;
        match (entry.value, entry.default) {
            (Value::Row(layouts), Fallback::Value(text)) => {
                let mut row: Vec<f64> = text.split_whitespace().filter_map(parse_number).collect();
                value::to_radians(&mut row, layouts);
                Some(filled(&row))
            }
            (Value::Row(_), _) => None,
            _ => each(|index| Field::absent(&entries[index..])),
        }
    }
}

/// Returns the first numbers of a row.
fn filled<const N: usize>(row: &[f64]) -> [f64; N] {
    std::array::from_fn(|index| row.get(index).copied().unwrap_or(0.0))
}

/// Reads the variants of an enum from their words. `Enum::WORDS` lists the words.
macro_rules! words {
    ($Enum:ty { $($word:literal => $variant:ident),* $(,)? }) => {
        impl $crate::reader::Words for $Enum {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl $crate::reader::FromEntry for $Enum {
            fn parse(
                context: &mut $crate::context::Context<'_>,
                entry: &'static $crate::vocabulary::Entry,
                given: $crate::reader::Given<'_>,
            ) -> Option<Self> {
                let word = <String as $crate::reader::FromEntry>::parse(context, entry, given)?;
                <Self as $crate::reader::Words>::of_word(&word)
            }

            fn of_default(_: &'static $crate::vocabulary::Entry, text: &str) -> Option<Self> {
                <Self as $crate::reader::Words>::of_word(text)
            }
        }
    };
}

pub(crate) use words;

/// An enum whose variants have words in world files.
pub(crate) trait Words: Sized {
    /// All words, in the order of the reference.
    const WORDS: &'static [&'static str];

    /// Returns the variant of a word.
    fn of_word(word: &str) -> Option<Self>;
}
