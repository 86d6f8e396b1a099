//! Encoding of state as bytes, one value after the other.

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The state of a simulation cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A model failed to save its memory.
    #[error("{entity}: {class} failed to save its memory: {text}")]
    Memory {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// A value cannot be encoded.
    #[error("failed to encode the state: {0}")]
    Encoding(String),
}

impl SnapshotError {
    /// Wraps an error of the encoder.
    pub(crate) fn encoding(error: impl Display) -> Self {
        Self::Encoding(error.to_string())
    }
}

/// Bytes cannot be read as the state of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// A model rejected its memory.
    Memory {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// The bytes are damaged or were written by other models.
    Damaged(String),
}

impl DecodeError {
    /// Reports damaged bytes.
    pub fn damaged(error: impl Display) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Number of bytes of a short value.
const SHORT: usize = 512;

/// Encodes values.
#[derive(Default)]
pub(crate) struct Writer {
    /// Bytes written up to now.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Appends a value. Numbers keep every bit, including those of −0 and NaN.
    ///
    /// # Errors
    /// [`SnapshotError::Encoding`] if the value cannot be encoded.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SnapshotError> {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(value, bytes).map_err(SnapshotError::encoding)?;
        Ok(())
    }

    /// Appends a value with few bytes as [`Self::put`] does, in one piece.
    ///
    /// # Errors
    /// As for [`Self::put`].
    pub fn put_short<T: Serialize>(&mut self, value: &T) -> Result<(), SnapshotError> {
        let mut buffer = [0; SHORT];
        match postcard::to_slice(value, &mut buffer) {
            Ok(bytes) => self.bytes.extend_from_slice(bytes),
            Err(_) => self.put(value)?,
        }
        Ok(())
    }

    /// Appends a list of numbers as [`Self::put`] does, in one piece.
    ///
    /// # Errors
    /// As for [`Self::put`].
    pub fn put_numbers(&mut self, numbers: &[f64]) -> Result<(), SnapshotError> {
        self.put(&numbers.len())?;
        self.bytes.reserve(size_of_val(numbers));
        for number in numbers {
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
        Ok(())
    }
}

/// Decodes values in the order in which they were written.
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Creates a reader at the first value.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Reads the next value.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if the bytes are not a value of this type.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, DecodeError> {
        let (value, rest) =
            postcard::take_from_bytes(self.rest).map_err(|error| DecodeError::damaged(&error))?;
        self.rest = rest;
        Ok(value)
    }

    /// Reads the next number.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if the bytes end.
    #[inline]
    pub fn take_number(&mut self) -> Result<f64, DecodeError> {
        let Some((bytes, rest)) = self.rest.split_first_chunk() else {
            return Err(DecodeError::damaged("it ends too early"));
        };
        self.rest = rest;
        Ok(f64::from_le_bytes(*bytes))
    }

    /// Reads the next list into `list`, which must have the same length.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if the bytes are not a list of this length.
    pub fn fill<T: DeserializeOwned>(&mut self, list: &mut Vec<T>) -> Result<(), DecodeError> {
        let next: Vec<T> = self.take()?;
        if next.len() != list.len() {
            let text = format!("expected {} values, found {}", list.len(), next.len());
            return Err(DecodeError::damaged(text));
        }
        *list = next;
        Ok(())
    }

    /// Reads the next list of numbers, which must have the length of `numbers`.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if the bytes are not a list of this length.
    pub fn fill_numbers(&mut self, numbers: &mut [f64]) -> Result<(), DecodeError> {
        let (expected, found): (usize, usize) = (numbers.len(), self.take()?);
        if found != expected {
            let text = format!("expected a column of {expected} values, found {found}");
            return Err(DecodeError::damaged(text));
        }
        let Some((own, rest)) = self.rest.split_at_checked(size_of_val(numbers)) else {
            return Err(DecodeError::damaged("it ends too early"));
        };
        let (bytes, _) = own.as_chunks();
        for (number, bytes) in numbers.iter_mut().zip(bytes) {
            *number = f64::from_le_bytes(*bytes);
        }
        self.rest = rest;
        Ok(())
    }

    /// Returns whether all bytes have been read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Checks that all bytes have been read.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if bytes are left.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DecodeError::damaged(format!("{} bytes are left over", self.rest.len())))
        }
    }
}
