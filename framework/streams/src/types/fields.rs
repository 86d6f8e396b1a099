//! Values of the fields of stream types.

use std::borrow::Cow;
use std::ops::Deref;

use crate::sample::{Bulk, Sample};
use crate::stream::{Count, Stream};

/// Type of the value of a field.
pub(crate) trait FieldValue<'a>: Sized {
    /// Number of values in a sample.
    const COUNT: Count;

    /// Reads the value from a sample. Numbers that are missing are not numbers.
    fn read(from: &mut Cursor<'_, 'a>) -> Self;
}

/// The part of a sample whose fields have not been read.
pub(crate) struct Cursor<'s, 'a> {
    stream: &'s Stream,
    numbers: &'a [f64],
    texts: &'a [String],
    bulk: Bulk<'a>,
}

impl<'s, 'a> Cursor<'s, 'a> {
    /// Begins with the first field.
    pub fn new(stream: &'s Stream, sample: &Sample<'a>) -> Self {
        let Sample { numbers, texts, bulk, .. } = *sample;
        Self { stream, numbers, texts, bulk }
    }

    /// Returns a constant of the stream; 0 if it is not set.
    pub fn constant(&self, name: &str) -> f64 {
        self.stream.constant(name).unwrap_or(0.0)
    }

    fn one(&mut self) -> f64 {
        self.numbers.split_off_first().copied().unwrap_or(f64::NAN)
    }

    fn labelled(&mut self, count: usize) -> &'a [f64] {
        self.numbers.split_off(..count * self.stream.labels.len()).unwrap_or_default()
    }
}

macro_rules! numbers {
    ($($kind:ty)*) => {
        $(impl FieldValue<'_> for $kind {
            const COUNT: Count = Count::One;

            fn read(from: &mut Cursor<'_, '_>) -> Self {
                from.one() as Self
            }
        })*
    };
}

numbers! { f64 f32 u64 u32 u8 i8 }

impl FieldValue<'_> for bool {
    const COUNT: Count = Count::One;

    fn read(from: &mut Cursor<'_, '_>) -> Self {
        from.one() != 0.0
    }
}

impl<const N: usize> FieldValue<'_> for [f64; N] {
    const COUNT: Count = Count::Fixed(N);

    fn read(from: &mut Cursor<'_, '_>) -> Self {
        match from.numbers.split_first_chunk() {
            Some((own, rest)) => {
                from.numbers = rest;
                *own
            }
            None => std::array::from_fn(|_| from.one()),
        }
    }
}

/// Values of the labels of a stream, such as wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct PerLabel<'a, T: Clone>(Cow<'a, [T]>);

impl<T: Clone> Deref for PerLabel<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a> FieldValue<'a> for PerLabel<'a, f64> {
    const COUNT: Count = Count::PerLabel(1);

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        Self(from.labelled(1).into())
    }
}

impl<'a, const N: usize> FieldValue<'a> for PerLabel<'a, [f64; N]> {
    const COUNT: Count = Count::PerLabel(N);

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        Self(from.labelled(N).as_chunks().0.into())
    }
}

/// Any number of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<'a>(pub(crate) Bulk<'a>);

impl<'a> FieldValue<'a> for Numbers<'a> {
    const COUNT: Count = Count::Rest;

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        Self(from.bulk)
    }
}

impl Numbers<'_> {
    /// Returns the numbers.
    pub fn to_vec(&self) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(self.0.len());
        self.0.append_numbers(&mut numbers);
        numbers
    }
}

/// Bytes, for example of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Bytes<'a>(pub(crate) Bulk<'a>);

impl<'a> FieldValue<'a> for Bytes<'a> {
    const COUNT: Count = Count::Bytes;

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        Self(from.bulk)
    }
}

impl<'a> FieldValue<'a> for &'a str {
    const COUNT: Count = Count::Text;

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        from.texts.split_off_first().map_or("", String::as_str)
    }
}

/// The rest of the texts of a sample: as many for each number of its bulk, and one more per label.
#[derive(Clone, Debug, PartialEq)]
pub struct Texts<'a, const N: usize>(pub(crate) &'a [String]);

impl<'a, const N: usize> FieldValue<'a> for Texts<'a, N> {
    const COUNT: Count = Count::Texts(N);

    fn read(from: &mut Cursor<'_, 'a>) -> Self {
        Self(std::mem::take(&mut from.texts))
    }
}
