//! Chunks: compressed groups of messages, and the records that find a message in them.

use simhost_streams::ros::CdrEncoder;
use simhost_streams::{Sample, Stamp};

use crate::bytes::{HEAD, Put, op};

/// Level of compression. Higher ones are slower, and make recordings of numbers hardly smaller.
const LEVEL: i32 = 1;
/// Bytes that the search for repetitions skips. Without, compression takes a third more time, and recordings of states are
/// a tenth smaller.
const SKIPPED: u32 = 2;

/// Messages that are not written yet.
pub struct Chunk {
    /// Records of the messages.
    records: Vec<u8>,
    start: Stamp,
    end: Stamp,
    /// Times and positions of the messages of each channel.
    positions: Vec<Vec<(u64, u64)>>,
    /// Channels with messages, in the order of their first one.
    channels: Vec<u16>,
    compressor: zstd::bulk::Compressor<'static>,
    compressed: Vec<u8>,
}

impl Chunk {
    /// Creates an empty chunk for a number of channels.
    pub fn new(channels: usize) -> std::io::Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.set_parameter(zstd::zstd_safe::CParameter::TargetLength(SKIPPED))?;
        Ok(Self {
            records: Vec::new(),
            start: Stamp(0),
            end: Stamp(0),
            positions: vec![Vec::new(); channels],
            channels: Vec::new(),
            compressor,
            compressed: Vec::new(),
        })
    }

    /// Returns the number of bytes before compression.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Adds a message of a channel with a sample.
    pub fn push(
        &mut self,
        channel: u16,
        sequence: u32,
        form: &mut CdrEncoder,
        sample: &Sample<'_>,
    ) {
        if self.records.is_empty() {
            self.start = sample.stamp;
        }
        self.end = sample.stamp;
        let positions = &mut self.positions[usize::from(channel)];
        if positions.is_empty() {
            self.channels.push(channel);
        }
        positions.push((sample.stamp.0, self.records.len() as u64));
        let record = self.records.put_message(channel, sequence, sample.stamp.0);
        form.encode(sample, &mut self.records);
        self.records.end(record);
    }

    /// Appends the chunk and its index to a file's content, and removes the messages.
    ///
    /// # Errors
    /// Fails if the messages cannot be compressed.
    pub fn write(&mut self, to: &mut Vec<u8>) -> std::io::Result<()> {
        self.compressed.clear();
        self.compressed.reserve(zstd::zstd_safe::compress_bound(self.records.len()));
        self.compressor.compress_to_buffer(&self.records, &mut self.compressed)?;
        let record = to.begin(op::CHUNK);
        to.put_u64(self.start.0);
        to.put_u64(self.end.0);
        to.put_u64(self.records.len() as u64);
        to.put_u32(crc32fast::hash(&self.records));
        to.put_text("zstd");
        to.put_u64(self.compressed.len() as u64);
        to.extend_from_slice(&self.compressed);
        to.end(record);
        for channel in self.channels.drain(..) {
            let positions = &mut self.positions[usize::from(channel)];
            put_index(channel, positions, to);
            positions.clear();
        }
        self.records.clear();
        Ok(())
    }
}

/// Appends the index of the messages of one channel in a chunk.
pub fn put_index(channel: u16, positions: &[(u64, u64)], to: &mut Vec<u8>) {
    to.reserve(HEAD + 6 + 16 * positions.len());
    let record = to.begin(op::MESSAGE_INDEX);
    to.put_u16(channel);
    to.put_u32(16 * positions.len() as u32);
    for (time, position) in positions {
        to.put_u64(*time);
        to.put_u64(*position);
    }
    to.end(record);
}
