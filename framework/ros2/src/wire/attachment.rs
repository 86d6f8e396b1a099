//! Attachments of samples, requests and replies.

use std::time::{SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_128;

/// Identity of a publisher, a client or a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gid(pub [u8; 16]);

impl Gid {
    /// Returns the identity of the owner of a liveliness token, which other nodes compute as well.
    pub fn of_token(token: &str) -> Self {
        Self(xxh3_128(token.as_bytes()).to_le_bytes())
    }
}

/// Attachment of a message: its number, its time and where it comes from. Nodes drop samples without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Number of the message at its sender, from 1 on.
    pub sequence: i64,
    /// Time of sending, ns since 1970.
    pub time: i64,
    /// Sender; in replies, the client.
    pub gid: Gid,
}

impl Attachment {
    /// Number of bytes.
    pub const SIZE: usize = 33;

    /// Returns the bytes in the serialisation of zenoh-ext: two little-endian numbers, and a sequence of
    /// bytes behind its length.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.time.to_le_bytes());
        bytes[16] = self.gid.0.len() as u8;
        bytes[17..].copy_from_slice(&self.gid.0);
        bytes
    }

    /// Reads an attachment; `None` if the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (sequence, rest) = bytes.split_first_chunk()?;
        let (time, rest) = rest.split_first_chunk()?;
        let (len, gid) = rest.split_first()?;
        let gid = Gid(gid.try_into().ok()?);
        (usize::from(*len) == gid.0.len()).then_some(Self {
            sequence: i64::from_le_bytes(*sequence),
            time: i64::from_le_bytes(*time),
            gid,
        })
    }
}

/// Returns the time of the clock of the computer, ns since 1970, which samples have as the time of sending.
pub fn wall_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_have_33_bytes_with_the_length_of_the_identity() {
        let gid = Gid(std::array::from_fn(|index| index as u8 + 0x10));
        let attachment = Attachment { sequence: 2, time: 0x0102_0304, gid };
        let bytes = attachment.to_bytes();
        // rmw_zenoh_cpp, attachment_helpers.cpp: int64, int64, std::array of 16 bytes
        let expected = [
            2, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 16, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
            0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(Attachment::from_bytes(&bytes), Some(attachment));
        assert_eq!(Attachment::from_bytes(&bytes[..32]), None);
        let mut wrong = bytes;
        wrong[16] = 15;
        assert_eq!(Attachment::from_bytes(&wrong), None);
    }

    #[test]
    fn identities_are_the_hashes_of_tokens() {
        // XXH3-128 of the empty text, low half first, from the test vectors of xxHash
        let expected = 0x99aa_06d3_0147_98d8_6001_c324_468d_497f_u128;
        assert_eq!(Gid::of_token("").0, expected.to_le_bytes());
    }
}
