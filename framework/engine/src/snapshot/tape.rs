//! Values one after the other, as bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{RestoreError, SnapshotError};

/// Takes values down.
#[derive(Default)]
pub(crate) struct Writer {
    /// What has been written.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Adds a value. Numbers keep every bit, those of -0 and NaN too.
    ///
    /// # Errors
    /// It has no form as bytes.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SnapshotError> {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(value, bytes).map_err(SnapshotError::encoding)?;
        Ok(())
    }
}

/// Gives back in the same order what was taken down.
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    /// At the first value.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next value.
    ///
    /// # Errors
    /// The bytes are no such value.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, RestoreError> {
        let (value, rest) =
            postcard::take_from_bytes(self.rest).map_err(|error| RestoreError::damaged(&error))?;
        self.rest = rest;
        Ok(value)
    }

    /// The next list, which must be as long as the one that it takes the place of.
    ///
    /// # Errors
    /// It has another length, or is no list.
    pub fn fill<T: DeserializeOwned>(&mut self, list: &mut Vec<T>) -> Result<(), RestoreError> {
        let next: Vec<T> = self.take()?;
        if next.len() != list.len() {
            let text = format!("{} values where {} are wanted", next.len(), list.len());
            return Err(RestoreError::damaged(text));
        }
        *list = next;
        Ok(())
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// Something is.
    pub fn finish(self) -> Result<(), RestoreError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(RestoreError::damaged(format!("{} bytes too many", self.rest.len())))
        }
    }
}
