//! The records of a file, without the content of its chunks.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::{BufReader, Read, Seek, SeekFrom};

use crate::chunk::{HEAD, MAGIC, Take, op};

/// Longest record, apart from chunks and attachments, that is read.
const LONGEST: u64 = 1 << 26;

/// Records of a file up to the last whole one.
#[derive(Debug, Default)]
pub struct Scan {
    /// Content of the records of schemas by number, without repetitions.
    pub schemas: BTreeMap<u16, Vec<u8>>,
    /// Content of the records of channels by number, without repetitions.
    pub channels: BTreeMap<u16, Vec<u8>>,
    /// Chunks in their order.
    pub chunks: Vec<ChunkPlace>,
    /// Attachments in their order.
    pub attachments: Vec<AttachmentPlace>,
    /// Position behind the last whole record of the data.
    pub end: u64,
    /// Whether the file has its end: the record after the data, the summary and the final magic bytes.
    pub is_complete: bool,
}

/// Longest piece of messages without a chunk that is read at once.
const PIECE: u64 = 1 << 22;

/// Reads the records of a file. `None` if it does not begin as an MCAP file.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn scan(file: &mut File) -> io::Result<Option<Scan>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut magic = [0; MAGIC.len()];
    if length < magic.len() as u64 {
        return Ok(None);
    }
    reader.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Ok(None);
    }
    let at = magic.len() as u64;
    let scan = Scan { end: at, ..Scan::default() };
    let mut scanner = Scanner { reader, length, at, is_summary: false, scan };
    while scanner.next()? {}
    Ok(Some(scanner.scan))
}

struct Scanner<'a> {
    reader: BufReader<&'a mut File>,
    length: u64,
    at: u64,
    /// Whether the end of the data has been read.
    is_summary: bool,
    scan: Scan,
}

impl Scanner<'_> {
    /// Reads a record. Returns whether there can be another one.
    fn next(&mut self) -> io::Result<bool> {
        let start = self.at;
        if self.length - start < HEAD as u64 {
            return Ok(false);
        }
        let mut head = [0; HEAD];
        self.reader.read_exact(&mut head)?;
        let mut values = Take(&head);
        let (kind, size) = (values.u8().unwrap_or(0), values.u64().unwrap_or(0));
        let end = (start + HEAD as u64).checked_add(size);
        let Some(end) = end.filter(|end| kind != 0 && *end <= self.length) else {
            return Ok(false);
        };
        let is_valid = match kind {
            op::FOOTER => {
                self.scan.is_complete = self.has_final_magic(end)?;
                return Ok(false);
            }
            op::CHUNK => self.chunk(start, size)?,
            op::ATTACHMENT => self.attachment(start, size)?,
            op::MESSAGE => self.message(start, size)?,
            op::SCHEMA | op::CHANNEL | op::MESSAGE_INDEX if size <= LONGEST => {
                let mut content = vec![0; size as usize];
                self.reader.read_exact(&mut content)?;
                self.record(kind, start, content).is_some()
            }
            _ => {
                self.reader.seek_relative(size as i64)?;
                true
            }
        };
        self.is_summary |= kind == op::DATA_END;
        self.at = end;
        if is_valid && !self.is_summary {
            self.scan.end = end;
        }
        Ok(is_valid)
    }

    /// Returns whether the file ends with the magic bytes behind the footer.
    fn has_final_magic(&mut self, end_of_footer: u64) -> io::Result<bool> {
        let mut magic = [0; MAGIC.len()];
        if self.length - end_of_footer != magic.len() as u64 {
            return Ok(false);
        }
        self.reader.seek(SeekFrom::Start(end_of_footer))?;
        self.reader.read_exact(&mut magic)?;
        Ok(magic == *MAGIC)
    }

    /// Reads the head of a chunk, and skips its content. Returns whether it is valid.
    fn chunk(&mut self, start: u64, size: u64) -> io::Result<bool> {
        // the compression is a short word
        let mut head = vec![0; size.min(64) as usize];
        self.reader.read_exact(&mut head)?;
        let mut values = Take(&head);
        let place = (|| {
            let times = [values.u64()?, values.u64()?];
            let (uncompressed, crc) = (values.u64()?, values.u32()?);
            let compression = values.text()?.to_owned();
            let length = values.u64()?;
            let begin = (head.len() - values.0.len()) as u64;
            (begin.checked_add(length)? <= size).then_some(ChunkPlace {
                start,
                length: HEAD as u64 + size,
                times,
                uncompressed,
                crc,
                compression,
                data: (start + HEAD as u64 + begin, length),
                indices: Vec::new(),
                indices_length: 0,
            })
        })();
        self.reader.seek_relative(size as i64 - head.len() as i64)?;
        let is_valid = place.is_some();
        self.scan.chunks.extend(place);
        Ok(is_valid)
    }

    /// Reads the head of a message without a chunk, and skips its content. Returns whether it is valid.
    fn message(&mut self, start: u64, size: u64) -> io::Result<bool> {
        let mut head = vec![0; size.min(14) as usize];
        self.reader.read_exact(&mut head)?;
        self.reader.seek_relative(size as i64 - head.len() as i64)?;
        let mut values = Take(&head);
        let read = (|| Some((values.u16()?, values.u32()?, values.u64()?)))();
        let Some((channel, _, time)) = read else { return Ok(false) };
        let length = HEAD as u64 + size;
        let chunks = &mut self.scan.chunks;
        let follows = |last: &ChunkPlace| {
            last.is_piece() && last.start + last.length == start && last.length + length <= PIECE
        };
        if !chunks.last().is_some_and(follows) {
            chunks.push(ChunkPlace {
                start,
                length: 0,
                times: [time; 2],
                uncompressed: 0,
                crc: 0,
                compression: String::new(),
                data: (start, 0),
                indices: Vec::new(),
                indices_length: 0,
            });
        }
        let Some(piece) = chunks.last_mut() else { return Ok(false) };
        piece.length += length;
        (piece.uncompressed, piece.data.1) = (piece.length, piece.length);
        piece.times = [piece.times[0].min(time), piece.times[1].max(time)];
        match piece.indices.iter_mut().find(|(known, ..)| *known == channel) {
            Some((.., messages)) => *messages += 1,
            None => piece.indices.push((channel, start, 1)),
        }
        Ok(true)
    }

    /// Reads the head of an attachment, and skips its content. Returns whether it is valid.
    fn attachment(&mut self, start: u64, size: u64) -> io::Result<bool> {
        // names are short
        let mut head = vec![0; size.min(1 << 12) as usize];
        self.reader.read_exact(&mut head)?;
        let mut values = Take(&head);
        let place = (|| {
            let times = [values.u64()?, values.u64()?];
            let (name, media_type) = (values.text()?.to_owned(), values.text()?.to_owned());
            let length = values.u64()?;
            let begin = (head.len() - values.0.len()) as u64;
            (begin.checked_add(length)? <= size).then_some(AttachmentPlace {
                record: (start, HEAD as u64 + size),
                times,
                name,
                media_type,
                data: (start + HEAD as u64 + begin, length),
            })
        })();
        self.reader.seek_relative(size as i64 - head.len() as i64)?;
        let is_valid = place.is_some();
        self.scan.attachments.extend(place);
        Ok(is_valid)
    }

    /// Keeps a schema, a channel or the place of an index. `None` if the record is too short.
    fn record(&mut self, kind: u8, start: u64, content: Vec<u8>) -> Option<()> {
        let mut values = Take(&content);
        let number = values.u16()?;
        match kind {
            op::SCHEMA => {
                self.scan.schemas.entry(number).or_insert(content);
            }
            op::CHANNEL => {
                self.scan.channels.entry(number).or_insert(content);
            }
            _ => {
                let messages = u64::from(values.u32()?) / 16;
                if let Some(chunk) = self.scan.chunks.last_mut() {
                    chunk.indices.push((number, start, messages));
                    chunk.indices_length += (HEAD + content.len()) as u64;
                }
            }
        }
        Some(())
    }
}

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
