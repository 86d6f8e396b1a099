//! Chunks: compressed groups of messages, and the records that find a message in them.

use simhost_streams::ros::CdrEncoder;
use simhost_streams::{Sample, Stamp};

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

/// Bytes at the beginning and the end of each file.
pub(super) const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// Bytes of a record before its content: the kind and the length.
pub(super) const HEAD: usize = 9;

/// Kinds of records.
pub mod op {
    pub const HEADER: u8 = 0x01;
    pub const FOOTER: u8 = 0x02;
    pub const SCHEMA: u8 = 0x03;
    pub const CHANNEL: u8 = 0x04;
    pub const MESSAGE: u8 = 0x05;
    pub const CHUNK: u8 = 0x06;
    pub const MESSAGE_INDEX: u8 = 0x07;
    pub const CHUNK_INDEX: u8 = 0x08;
    pub const ATTACHMENT: u8 = 0x09;
    pub const ATTACHMENT_INDEX: u8 = 0x0a;
    pub const STATISTICS: u8 = 0x0b;
    pub const SUMMARY_OFFSET: u8 = 0x0e;
    pub const DATA_END: u8 = 0x0f;
}

/// Appends values to a record.
///
/// Specification: <https://mcap.dev/spec>, version 0.
pub(super) trait Put {
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    /// Appends a text with its length.
    fn put_text(&mut self, text: &str);
    /// Begins a record, and returns its position for [`Self::end`].
    fn begin(&mut self, kind: u8) -> usize;
    /// Writes the length of the record at a position.
    fn end(&mut self, record: usize);
    /// Begins the record of a message with its channel, sequence number, and time of logging and publishing, as
    /// [`Self::begin`].
    fn put_message(&mut self, channel: u16, sequence: u32, stamp: u64) -> usize;
    /// Writes the length in bytes of everything behind a `u32` at a position.
    fn end_list(&mut self, list: usize);
}

impl Put for Vec<u8> {
    #[inline]
    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_text(&mut self, text: &str) {
        self.put_u32(text.len() as u32);
        self.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn begin(&mut self, kind: u8) -> usize {
        let record = self.len();
        self.push(kind);
        self.put_u64(0);
        record
    }

    #[inline]
    fn end(&mut self, record: usize) {
        let length = (self.len() - record - HEAD) as u64;
        self[record + 1..record + HEAD].copy_from_slice(&length.to_le_bytes());
    }

    #[inline]
    fn put_message(&mut self, channel: u16, sequence: u32, stamp: u64) -> usize {
        let record = self.begin(op::MESSAGE);
        self.put_u16(channel);
        self.put_u32(sequence);
        self.put_u64(stamp);
        self.put_u64(stamp);
        record
    }

    fn end_list(&mut self, list: usize) {
        let length = (self.len() - list - 4) as u32;
        self[list..list + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// Reads the values of a record one after the other. `None` if the record ends early.
#[derive(Clone, Copy)]
pub(super) struct Take<'a>(pub &'a [u8]);

impl<'a> Take<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        self.0.split_off(..count)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N).and_then(|bytes| bytes.try_into().ok())
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads bytes with their length in 32 bits.
    pub fn counted(&mut self) -> Option<&'a [u8]> {
        let count = self.u32()?;
        self.bytes(count as usize)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.counted()?).ok()
    }
}
