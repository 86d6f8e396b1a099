//! Files in memory.

use std::sync::Arc;

use simhost_streams::{Stamp, Stream};

use crate::bytes::{MAGIC, Put, op};
use crate::file::start;

/// Writes messages that are encoded already to memory, without compression and index, so that any reader can take
/// the file from its start to its end.
pub struct PlainMcap {
    bytes: Vec<u8>,
    sequences: Vec<u32>,
}

impl PlainMcap {
    /// Begins with the schemas and channels of the streams.
    pub fn new(streams: &[Arc<Stream>]) -> Self {
        Self { bytes: start(streams, &[]), sequences: vec![0; streams.len()] }
    }

    /// Appends a message of a stream in CDR.
    pub fn push(&mut self, stream: usize, stamp: Stamp, message: &[u8]) {
        let to = &mut self.bytes;
        let record = to.put_message(stream as u16, self.sequences[stream], stamp.0);
        to.extend_from_slice(message);
        to.end(record);
        self.sequences[stream] = self.sequences[stream].wrapping_add(1);
    }

    /// Returns the file.
    pub fn finish(mut self) -> Vec<u8> {
        let to = &mut self.bytes;
        let record = to.begin(op::DATA_END);
        to.put_u32(0);
        to.end(record);
        let record = to.begin(op::FOOTER);
        to.put_u64(0);
        to.put_u64(0);
        to.put_u32(0);
        to.end(record);
        to.extend_from_slice(MAGIC);
        self.bytes
    }
}
