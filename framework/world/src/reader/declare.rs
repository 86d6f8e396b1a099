//! Declaration of the parameters of an element.
//!
//! [`declare`] makes a struct, its defaults, its part of the vocabulary and its reader from one line for each
//! parameter.

use std::ops::Range;

use super::contents::ElementReader;
use crate::vocabulary::Entry;

/// Declares the parameters of an element, each once.
///
/// ```ignore
/// declare! {
///     /// A wheel.
///     pub(super) static WHEEL = section("wheel");
///
///     /// A wheel of a vehicle.
///     pub struct Wheel {
///         /// Mass.
///         pub mass: f64 = attribute(positive("kg")).or("2");
///         /// Position.
///         pub place: Place;
///     }
/// }
/// ```
///
/// A field is followed by its entries. The first one has the name and the description of the field, unless it has
/// others; further ones belong to the same field, or have no effect. A field without entries is a struct with
/// parameters of its own, which the element contains too. The value of `field: T => f;` is what `f` returns for the
/// reader.
///
/// With a section, the struct is also the value of a child element. `static WHEEL = section("wheel") => f;` passes it
/// through `f` before the element is finished. Without a struct, `const NAME: First { name = entry; … }` declares a list of entries
/// that follows those of `First`.
macro_rules! declare {
    (
        $(#[doc = $about:literal])+
        $section_vis:vis static $SECTION:ident = $section:expr $(=> $check:expr)?;

        $(#[$meta:meta])*
        $vis:vis struct $Struct:ident { $($body:tt)* }
    ) => {
        $crate::reader::declare! { $(#[$meta])* $vis struct $Struct { $($body)* } }

        $(#[doc = $about])+
        $section_vis static $SECTION: $crate::vocabulary::Section = $crate::vocabulary::Section {
            doc: concat!($($about),+).trim_ascii(),
            entries: {
                const LISTS: &[&[$crate::vocabulary::Entry]] =
                    &[$section.entries, <$Struct as $crate::reader::Fields>::ENTRIES];
                &$crate::vocabulary::joined::<{ $crate::vocabulary::count(LISTS) }>(LISTS)
            },
            ..$section
        };

        impl $crate::reader::Parse for $Struct {
            fn parse(
                context: &mut $crate::context::Context<'_>,
                _entry: &'static $crate::vocabulary::Entry,
                given: $crate::reader::Given<'_>,
            ) -> Option<Self> {
                let $crate::reader::Given::Child(element) = given else { return None };
                Self::read_element(context, element)
            }

            fn of_default(
                _entry: &'static $crate::vocabulary::Entry,
                _text: &str,
            ) -> Option<Self> {
                <Self as $crate::reader::Fields>::absent()
            }
        }

        impl $Struct {
            /// Reads the element.
            $section_vis fn read_element(
                context: &mut $crate::context::Context<'_>,
                element: &$crate::tree::Element,
            ) -> Option<Self> {
                Self::read_from($crate::reader::ElementReader::new(context, element, &$SECTION))
            }

            /// Reads the rest of the element.
            $section_vis fn read_from(
                mut reader: $crate::reader::ElementReader<'_, '_, '_>,
            ) -> Option<Self> {
                let value = reader.fields::<Self>();
                $(let value = $crate::reader::checked(&mut reader, value, $check);)?
                match value {
                    Some(_) => {
                        reader.finish();
                    }
                    None => reader.finish_partly(),
                }
                value
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $Struct:ident {
            $(
                $(#[doc = $doc:literal])+
                $field_vis:vis $field:ident: $type:ty $(= $($entry:expr),+)? $(=> $value:expr)?;
            )*
        }
    ) => {
        $(#[$meta])*
        $vis struct $Struct {
            $(
                $(#[doc = $doc])+
                $(#[doc = concat!("\n\n", $("`", stringify!($entry), "` ",)+)])?
                $field_vis $field: $type,
            )*
        }

        impl $crate::reader::Fields for $Struct {
            const LISTS: &'static [&'static [$crate::vocabulary::Entry]] = &[$(
                $crate::reader::declare!(
                    @entries $field, $type, [$($doc),+] [$($($entry),+)?] [$($value)?]
                )
            ),*];
            const ENTRIES: &'static [$crate::vocabulary::Entry] =
                &$crate::vocabulary::joined::<
                    { $crate::vocabulary::count(<$Struct as $crate::reader::Fields>::LISTS) },
                >(<$Struct as $crate::reader::Fields>::LISTS);

            fn read(
                reader: &mut $crate::reader::ElementReader<'_, '_, '_>,
                at: usize,
            ) -> Option<Self> {
                let mut places = $crate::reader::places(Self::LISTS, at);
                $(
                    let place = places.next().unwrap_or_default();
                    let $field = $crate::reader::declare!(
                        @read reader, place, $type, [$($($entry),+)?] [$($value)?]
                    );
                )*
                Some(Self { $($field: $field?),* })
            }

            fn absent() -> Option<Self> {
                let mut lists = Self::LISTS.iter();
                $(
                    let list = lists.next().copied().unwrap_or_default();
                    let $field = $crate::reader::declare!(
                        @absent list, $type, [$($($entry),+)?] [$($value)?]
                    );
                )*
                Some(Self { $($field: $field?),* })
            }
        }
    };
    (
        $vis:vis const $NAME:ident $(: $Base:ty)? {
            $( $(#[doc = $doc:literal])+ $field:ident = $entry:expr; )*
        }
    ) => {
        $vis const $NAME: &[$crate::vocabulary::Entry] = {
            const LISTS: &[&[$crate::vocabulary::Entry]] = &[
                $(<$Base as $crate::reader::Fields>::ENTRIES,)?
                &[$( $entry.declared(stringify!($field), concat!($($doc),+)) ),*],
            ];
            &$crate::vocabulary::joined::<{ $crate::vocabulary::count(LISTS) }>(LISTS)
        };
    };
    (@entries $field:ident, $type:ty, [$($doc:literal),+] [] []) => {
        <$type as $crate::reader::Fields>::ENTRIES
    };
    (@entries $field:ident, $type:ty, [$($doc:literal),+] [$first:expr $(, $entry:expr)*] []) => {
        &[$first.declared(stringify!($field), concat!($($doc),+)) $(, $entry)*]
    };
    (@entries $field:ident, $type:ty, [$($doc:literal),+] [] [$value:expr]) => { &[] };
    (@read $reader:ident, $place:ident, $type:ty, [] []) => {
        <$type as $crate::reader::Fields>::read($reader, $place.start)
    };
    (@read $reader:ident, $place:ident, $type:ty, [$($entry:expr),+] []) => {
        $reader.field::<$type>($place)
    };
    (@read $reader:ident, $place:ident, $type:ty, [] [$value:expr]) => {{
        let _: std::ops::Range<usize> = $place;
        $crate::reader::computed::<$type>($reader, $value)
    }};
    (@absent $list:ident, $type:ty, [] []) => {{
        let _: &[$crate::vocabulary::Entry] = $list;
        <$type as $crate::reader::Fields>::absent()
    }};
    (@absent $list:ident, $type:ty, [$($entry:expr),+] []) => {
        <$type as $crate::reader::Field>::absent($list)
    };
    (@absent $list:ident, $type:ty, [] [$value:expr]) => {{
        let _: &[$crate::vocabulary::Entry] = $list;
        None
    }};
}

pub(crate) use declare;

/// Returns the places of the entries of each list, the first of which is `at`.
pub(crate) fn places(
    lists: &'static [&'static [Entry]],
    at: usize,
) -> impl Iterator<Item = Range<usize>> {
    lists.iter().scan(at, |next, list| {
        let start = *next;
        *next += list.len();
        Some(start..*next)
    })
}

/// Passes a value through `check`, which may report errors and reject it.
pub(crate) fn checked<T>(
    reader: &mut ElementReader<'_, '_, '_>,
    value: Option<T>,
    check: impl FnOnce(T, &mut ElementReader<'_, '_, '_>) -> Option<T>,
) -> Option<T> {
    check(value?, reader)
}

/// Returns a value that is not given by an entry.
pub(crate) fn computed<T>(
    reader: &mut ElementReader<'_, '_, '_>,
    value: impl FnOnce(&mut ElementReader<'_, '_, '_>) -> T,
) -> Option<T> {
    Some(value(reader))
}
