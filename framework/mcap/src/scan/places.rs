//! Places of records in a file.

/// Position of an attachment, and its head.
#[derive(Clone, Debug)]
pub struct AttachmentPlace {
    /// Position of the record in the file, and its length.
    pub record: (u64, u64),
    /// Times, ns.
    pub times: [u64; 2],
    /// Name.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Position and length of the content.
    pub data: (u64, u64),
}

/// Position of a chunk, and its head. Messages without a chunk are in pieces that contain the bytes
/// of the file, as in an uncompressed chunk.
#[derive(Clone, Debug)]
pub struct ChunkPlace {
    /// Position of the record in the file.
    pub start: u64,
    /// Length of the record.
    pub length: u64,
    /// Time of the first and the last message, ns.
    pub times: [u64; 2],
    /// Number of bytes before compression.
    pub uncompressed: u64,
    /// Checksum of the bytes before compression; 0 if there is none.
    pub crc: u32,
    /// Name of the compression; empty for none.
    pub compression: String,
    /// Position and length of the compressed bytes.
    pub data: (u64, u64),
    /// For each channel the position of its index, and the number of messages.
    pub indices: Vec<(u16, u64, u64)>,
    /// Number of bytes of the indices.
    pub indices_length: u64,
}

impl ChunkPlace {
    /// Returns whether this is a piece of messages without a chunk.
    pub fn is_piece(&self) -> bool {
        self.data.0 == self.start
    }
}
