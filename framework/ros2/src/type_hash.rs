//! Hashes of message types.

use std::fmt;

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
