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
///     section = element("wheel");
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
/// A field is followed by its entries. The first one has the name and the description of the field,
/// unless it has others; further ones belong to the same field, or have no effect. A field without
/// entries is a struct with further parameters, which the element also contains. The value of
/// `field: T => f;` is what `f` returns for the reader.
///
/// With a section, the struct is the value of an element, see [`FromElement`](super::FromElement).
/// `section = element("wheel") => f;` passes it through `f` before the element is finished. Without
/// a struct, `const NAME: First { name = entry; … }` declares a list of entries that follows the
/// entries of `First`.
macro_rules! declare {
    (
        $(#[doc = $about:literal])+
        section = $section:expr $(=> $check:expr)?;

        $(#[$meta:meta])*
        $vis:vis struct $Struct:ident { $($body:tt)* }
    ) => {
        $crate::reader::declare! { $(#[$meta])* $vis struct $Struct { $($body)* } }

        impl $Struct {
            /// The vocabulary of the element.
            pub(crate) const SECTION: &'static $crate::vocabulary::Section = {
                const LISTS: &[&[$crate::vocabulary::Entry]] =
                    &[$section.entries, <$Struct as $crate::reader::Fields>::ENTRIES];
                static SECTION: $crate::vocabulary::Section = $crate::vocabulary::Section {
                    doc: concat!($($about),+).trim_ascii(),
                    entries: &$crate::vocabulary::joined::<{ $crate::vocabulary::count(LISTS) }>(LISTS),
                    ..$section
                };
                &SECTION
            };
        }

        impl $crate::reader::FromElement for $Struct {
            const ELEMENT: &'static $crate::vocabulary::Section = Self::SECTION;

            $(
                fn check(
                    self,
                    reader: &mut $crate::reader::ElementReader<'_, '_, '_>,
                ) -> Option<Self> {
                    $check(self, reader)
                }
            )?
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

/// Returns the indices of the entries of each list, starting at `at`.
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

/// Returns a value that is not given by an entry.
pub(crate) fn computed<T>(
    reader: &mut ElementReader<'_, '_, '_>,
    value: impl FnOnce(&mut ElementReader<'_, '_, '_>) -> T,
) -> Option<T> {
    Some(value(reader))
}
