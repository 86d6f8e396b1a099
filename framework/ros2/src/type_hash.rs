//! Hashes of types.

use std::fmt;
use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use sha2::{Digest, Sha256};
use simhost_streams::ros::{Layout, LayoutError, Schema, TypeDescription};

/// Hash of the description of a message or service type, by which ROS 2 nodes recognise equal types (REP 2016).
///
/// It is written as `RIHS01_` and 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeHash(pub [u8; 32]);

impl fmt::Display for TypeHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RIHS01_")?;
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl TypeHash {
    /// Returns the hash of a definition.
    ///
    /// # Errors
    /// [`LayoutError`] if the definition cannot be used.
    pub fn of_definition(schema: &Schema) -> Result<Self, LayoutError> {
        Ok(Self::of_description(&Layout::new(schema)?.description()))
    }

    /// Returns the hash of a description.
    pub fn of_description(description: &TypeDescription) -> Self {
        let mut text = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut text, Spaced);
        // a description has nothing that cannot be written, and a vector takes all bytes
        let written = description.serialize(&mut serializer);
        debug_assert!(written.is_ok());
        Self(Sha256::digest(&text).into())
    }
}

/// Writes JSON with a space behind each comma and colon, as ROS does before it computes a hash.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W>(&mut self, to: &mut W, is_first: bool) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        if is_first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_key<W>(&mut self, to: &mut W, is_first: bool) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        if is_first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_value<W>(&mut self, to: &mut W) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        to.write_all(b": ")
    }
}
