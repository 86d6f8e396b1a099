//! Messages as CDR.

use super::generic;
use super::writer::{Length, Number, PutBytes, Writer};
use crate::sample::Sample;
use crate::stream::{FrameForm, NumberPlaces, Stream, frame_id};

/// Encapsulation header: plain CDR, little endian, no options.
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Appends a sample as CDR, and the positions of its numbers as [`Cdr::new`] does.
pub(super) fn write(
    stream: &Stream,
    sample: &Sample<'_>,
    to: &mut Vec<u8>,
    frames: FrameForm,
    places: NumberPlaces<'_>,
) {
    match stream.kind.message_form() {
        Some(form) => (form.cdr)(stream, sample, to, frames, places),
        None => generic::write(stream, sample, &mut Cdr::new(to, frames, places)),
    }
}

/// Appends a message to bytes.
pub(crate) struct Cdr<'a> {
    to: &'a mut Vec<u8>,
    /// Position from which numbers are aligned.
    origin: usize,
    frames: FrameForm,
    /// Receives the positions of the numbers.
    places: NumberPlaces<'a>,
}

impl<'a> Cdr<'a> {
    /// Begins a message. The position of each number in it, or of the first one of an array, is appended to `places`.
    pub fn new(to: &'a mut Vec<u8>, frames: FrameForm, places: NumberPlaces<'a>) -> Self {
        to.extend_from_slice(&HEADER);
        let origin = to.len();
        Self { to, origin, frames, places }
    }

    /// Notes that a number of this size, or an array of such numbers, comes next.
    #[inline]
    fn note(&mut self, size: usize) {
        self.align(size);
        if let Some(places) = &mut self.places {
            places.push((self.to.len() - self.origin + HEADER.len()) as u32);
        }
    }

    /// Appends a number of `N` bytes at a multiple of `N`.
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.align(N);
        self.to.extend_from_slice(&bytes);
    }

    /// Appends zeros up to the next multiple of a size, which is at most 8 and a power of two.
    #[inline]
    fn align(&mut self, size: usize) {
        let missing = (self.to.len() - self.origin).wrapping_neg() & (size - 1);
        self.to.extend_from_slice(&[0; 8][..missing]);
    }

    /// Appends numbers of 8 bytes.
    #[inline]
    fn put_all(&mut self, values: &[f64]) {
        self.note(8);
        self.to.reserve(8 * values.len());
        let (blocks, rest) = values.as_chunks::<8>();
        for block in blocks {
            let mut bytes = [0; 64];
            let (places, _) = bytes.as_chunks_mut();
            for (place, value) in places.iter_mut().zip(block) {
                *place = value.to_le_bytes();
            }
            self.to.extend_from_slice(&bytes);
        }
        rest.iter().for_each(|value| self.to.extend_from_slice(&value.to_le_bytes()));
    }

    pub(super) fn len(&mut self, len: usize) {
        self.put(as_len(len).to_le_bytes());
    }
}

/// Returns a length; a sequence of more elements does not fit into a message.
fn as_len(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl PutBytes for Cdr<'_> {
    #[inline]
    fn put_bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.note(N);
        self.put(bytes);
    }
}

impl Writer for Cdr<'_> {
    const HAS_NAMES: bool = false;

    fn open(&mut self, _: &str) {}

    fn close(&mut self) {}

    fn list(&mut self, _: &str, len: usize) {
        self.len(len);
    }

    fn end(&mut self) {}

    #[inline]
    fn number(&mut self, _: &str, value: Number) {
        value.put_to(self);
    }

    fn f64s<const N: usize>(&mut self, _: [&str; N], values: [f64; N]) {
        self.put_all(&values);
    }

    fn frame(&mut self, name: &str, frame: &str) {
        match self.frames {
            FrameForm::Any => self.text(name, &frame_id(frame)),
            FrameForm::AsInMessages => self.text(name, frame),
        }
    }

    fn text(&mut self, _: &str, value: &str) {
        self.len(value.len() + 1);
        self.to.reserve(value.len() + 1);
        self.to.extend_from_slice(value.as_bytes());
        self.to.push(0);
    }

    fn numbers(&mut self, _: &str, values: &[f64], length: Length) {
        if length == Length::Variable {
            self.len(values.len());
        }
        // an empty sequence ends after its length
        if !values.is_empty() {
            self.put_all(values);
        }
    }

    fn floats(&mut self, _: &str, values: impl ExactSizeIterator<Item = f64>) {
        self.len(values.len());
        self.to.extend(values.flat_map(|value| (value as f32).to_le_bytes()));
    }

    fn bytes(&mut self, _: &str, _: bool, append: impl FnOnce(&mut Vec<u8>)) {
        self.len(0);
        let start = self.to.len();
        append(self.to);
        let len = as_len(self.to.len() - start).to_le_bytes();
        self.to[start - len.len()..start].copy_from_slice(&len);
    }
}
