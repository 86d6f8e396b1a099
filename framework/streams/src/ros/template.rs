//! Messages of a stream that differ in numbers and times only.
//!
//! Most of a message is the same in each sample of a stream: names of frames and joints, lengths and zeros. A copy of one
//! message, into which the numbers of a sample are written, takes less time than to write the message.

use super::cdr;
use super::generic;
use super::writer::{Length, Number, PutBytes, Writer};
use crate::sample::{Bulk, Sample};
use crate::stream::{FrameForm, Stream};

/// A message of a stream, and where its numbers are.
#[derive(Clone, Debug)]
pub(super) struct Template {
    message: Vec<u8>,
    /// Position of each number, or of the first one of an array.
    places: Vec<u32>,
    /// Number of numbers of a sample.
    count: usize,
}

impl Template {
    /// Creates the template of messages with as many numbers as a sample, which has no texts and no bulk.
    pub fn new(stream: &Stream, sample: &Sample<'_>, frames: FrameForm) -> Option<Self> {
        if !is_plain(sample) {
            return None;
        }
        let (mut message, mut places) = (Vec::new(), Vec::new());
        cdr::write(stream, sample, &mut message, frames, Some(&mut places));
        Some(Self { message, places, count: sample.numbers.len() })
    }

    /// Appends the message of a sample. Returns whether the template is one of its message.
    #[inline]
    pub fn fill(&self, stream: &Stream, sample: &Sample<'_>, to: &mut Vec<u8>) -> bool {
        if sample.numbers.len() != self.count || !is_plain(sample) {
            return false;
        }
        let start = to.len();
        to.extend_from_slice(&self.message);
        let message = &mut to[start..];
        if let Some(form) = stream.kind.message_form() {
            (form.fill)(stream, sample, message, &self.places);
        } else {
            let filling = &mut Filling::new(message, &self.places);
            generic::write(stream, sample, filling);
            filling.finish();
        }
        true
    }
}

/// Returns whether a sample has numbers only.
#[inline]
fn is_plain(sample: &Sample<'_>) -> bool {
    sample.texts.is_empty() && matches!(sample.bulk, Bulk::None | Bulk::Numbers([]))
}

/// Writes the numbers of a message into a copy of another one.
pub(crate) struct Filling<'a> {
    message: &'a mut [u8],
    /// Places of the numbers that are left.
    places: std::slice::Iter<'a, u32>,
}

impl<'a> Filling<'a> {
    /// Begins with a message and the places of its numbers.
    pub fn new(message: &'a mut [u8], places: &'a [u32]) -> Self {
        Self { message, places: places.iter() }
    }

    /// Ends the message.
    pub fn finish(&mut self) {
        debug_assert!(self.places.next().is_none(), "a place without a number");
    }

    /// Returns the bytes from the next place on.
    #[inline]
    fn at_next_place(&mut self) -> &mut [u8] {
        let place = self.places.next().map_or(usize::MAX, |place| *place as usize);
        debug_assert!(place < self.message.len(), "a number without a place");
        self.message.get_mut(place..).unwrap_or_default()
    }

    #[inline]
    fn put_all(&mut self, values: &[f64]) {
        let places = self.at_next_place().as_chunks_mut().0;
        for (place, value) in places.iter_mut().zip(values) {
            *place = value.to_le_bytes();
        }
    }
}

impl PutBytes for Filling<'_> {
    #[inline]
    fn put_bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(place) = self.at_next_place().first_chunk_mut() {
            *place = bytes;
        }
    }
}

impl Writer for Filling<'_> {
    const HAS_NAMES: bool = false;

    fn open(&mut self, _: &str) {}

    fn close(&mut self) {}

    fn list(&mut self, _: &str, _: usize) {}

    fn end(&mut self) {}

    #[inline]
    fn number(&mut self, _: &str, value: Number) {
        value.put_to(self);
    }

    #[inline]
    fn f64s<const N: usize>(&mut self, _: [&str; N], values: [f64; N]) {
        self.put_all(&values);
    }

    fn text(&mut self, _: &str, _: &str) {}

    fn frame(&mut self, _: &str, _: &str) {}

    fn labels(&mut self, _: &str, _: &Stream) {}

    #[inline]
    fn numbers(&mut self, _: &str, values: &[f64], _: Length) {
        if !values.is_empty() {
            self.put_all(values);
        }
    }

    #[inline]
    fn covariance<const N: usize>(&mut self, _: &str, variances: [f64; N]) {
        // the other numbers are zero in each message
        let places = self.at_next_place().as_chunks_mut().0;
        for (place, variance) in places.iter_mut().step_by(N + 1).zip(variances) {
            *place = variance.to_le_bytes();
        }
    }

    // a sample with a template has neither

    fn floats(&mut self, _: &str, _: impl ExactSizeIterator<Item = f64>) {}

    fn bytes(&mut self, _: &str, _: bool, _: impl FnOnce(&mut Vec<u8>)) {}
}
