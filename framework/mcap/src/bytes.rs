//! Little-endian values and records of MCAP.
//!
//! Specification: <https://mcap.dev/spec>, version 0.

/// Bytes at the beginning and the end of each file.
pub const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// Bytes of a record before its content: the kind and the length.
pub const HEAD: usize = 9;

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
pub trait Put {
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
pub struct Take<'a>(pub &'a [u8]);

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
