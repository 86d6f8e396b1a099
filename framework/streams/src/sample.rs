//! Samples of streams.

use crate::stamp::Stamp;

/// One sample of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Time at which it was taken.
    pub stamp: Stamp,
    /// Values of the numeric fields of the [`StreamType`](crate::StreamType), one field after the
    /// other, in their units.
    pub numbers: &'a [f64],
    /// Values of the fields of text, in their order.
    pub texts: &'a [String],
    /// Content of a field of bytes, such as an image.
    pub bytes: &'a [u8],
}

impl<'a> Sample<'a> {
    /// Creates a sample of numbers.
    pub const fn new(stamp: Stamp, numbers: &'a [f64]) -> Self {
        Self { stamp, numbers, texts: &[], bytes: &[] }
    }
}
