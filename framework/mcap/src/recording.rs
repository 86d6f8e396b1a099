//! Reading recordings.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::ros::{Layout, Schema};
use simhost_streams::{Stamp, Stream};

use crate::chunk::{Take, op};
use crate::description;
use crate::error::McapError;
use crate::scan::{AttachmentPlace, ChunkPlace, Scan, scan};

/// Largest size of a chunk before compression that is read.
const LARGEST: u64 = 1 << 30;

/// An MCAP file that was written by [`McapSink`](crate::McapSink).
///
/// A file of a program that was killed is read up to its last whole chunk.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: File,
    channels: Vec<Channel>,
    /// Index of each channel by its number.
    indices: HashMap<u16, usize>,
    chunks: Vec<ChunkPlace>,
    attachments: Vec<AttachmentPlace>,
    is_complete: bool,
}

/// A stream of a recording.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Number in the file.
    pub id: u16,
    /// The stream.
    pub stream: Arc<Stream>,
    /// Definition of its messages.
    pub schema: Schema,
    /// Parsed definition.
    pub layout: Layout,
}

/// A message of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Stream of the message.
    pub channel: &'a Channel,
    /// Index of the stream in [`Recording::channels`].
    pub index: usize,
    /// Simulated time.
    pub stamp: Stamp,
    /// Message as CDR.
    pub data: &'a [u8],
}

impl Recording {
    /// Opens a recording.
    ///
    /// # Errors
    /// [`McapError`] if the file cannot be read, or was not written by simhost.
    pub fn open(path: &Path) -> Result<Self, McapError> {
        let failed = |source| McapError::Read { path: path.to_owned(), source };
        let mut file = simhost_files::open(path).map_err(failed)?;
        let scan = scan(&mut file).map_err(failed)?;
        let scan = scan.ok_or_else(|| McapError::NotMcap { path: path.to_owned() })?;
        let channels = channels(path, &scan)?;
        let Scan { chunks, attachments, is_complete, .. } = scan;
        let path = path.to_owned();
        let numbers = channels.iter().enumerate();
        let indices = numbers.map(|(index, channel)| (channel.id, index)).collect();
        Ok(Self { path, file, channels, indices, chunks, attachments, is_complete })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the content of an attachment; `None` if there is none of this name.
    ///
    /// # Errors
    /// [`McapError::Read`] if the file cannot be read.
    pub fn attachment(&mut self, name: &str) -> Result<Option<Vec<u8>>, McapError> {
        let found = self.attachments.iter().find(|attachment| attachment.name == name);
        let Some((start, length)) = found.map(|found| found.data) else { return Ok(None) };
        let mut data = Vec::new();
        let mut read = || {
            self.file.seek(SeekFrom::Start(start))?;
            (&mut self.file).take(length).read_to_end(&mut data)
        };
        read().map_err(|source| McapError::Read { path: self.path.clone(), source })?;
        Ok(Some(data))
    }

    /// Returns the streams in their order.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Returns whether the file has its end. Otherwise the program that wrote it was killed or still runs.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the time of the last message; `None` if there is none.
    pub fn end(&self) -> Option<Stamp> {
        self.chunks.iter().map(|chunk| Stamp(chunk.times[1])).max()
    }

    /// Calls a function with each message from a time on, in the order in which they were written, until it
    /// returns `false`.
    ///
    /// # Errors
    /// [`McapError`] if the file cannot be read, or a chunk before the last one is damaged.
    pub fn for_each(
        &mut self,
        from: Stamp,
        take: &mut dyn FnMut(&Message<'_>) -> bool,
    ) -> Result<(), McapError> {
        let mut content = Vec::new();
        for (number, chunk) in self.chunks.iter().enumerate() {
            if chunk.times[1] < from.0 {
                continue;
            }
            let damaged = |text: String| McapError::Damaged {
                path: self.path.clone(),
                position: chunk.start,
                text,
            };
            let read = read_chunk(&mut self.file, chunk, &mut content)
                .map_err(|source| McapError::Read { path: self.path.clone(), source })?;
            if let Err(text) = read {
                // the last one can be incomplete after a loss of power
                match number + 1 == self.chunks.len() && !self.is_complete {
                    true => return Ok(()),
                    false => return Err(damaged(text)),
                }
            }
            for message in messages(&content) {
                let (id, stamp, _, data) =
                    message.ok_or_else(|| damaged("a message is cut".into()))?;
                if stamp < from {
                    continue;
                }
                let index = *self
                    .indices
                    .get(&id)
                    .ok_or_else(|| damaged(format!("a message of the unknown channel {id}")))?;
                let channel = &self.channels[index];
                if !take(&Message { channel, index, stamp, data }) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Reads the messages of a chunk: channel, time, position in the chunk, and content. `None` for a message
/// that is cut.
pub fn messages(content: &[u8]) -> impl Iterator<Item = Option<(u16, Stamp, u64, &[u8])>> {
    let mut rest = Take(content);
    std::iter::from_fn(move || {
        loop {
            if rest.0.is_empty() {
                return None;
            }
            let position = (content.len() - rest.0.len()) as u64;
            let Some((kind, mut record)) = record(&mut rest) else {
                rest = Take(&[]);
                return Some(None);
            };
            if kind == op::MESSAGE {
                let message = (|| {
                    let (channel, _) = (record.u16()?, record.u32()?);
                    let (stamp, _) = (record.u64()?, record.u64()?);
                    Some((channel, Stamp(stamp), position, record.0))
                })();
                return Some(message);
            }
        }
    })
}

fn record<'a>(rest: &mut Take<'a>) -> Option<(u8, Take<'a>)> {
    let (kind, size) = (rest.u8()?, rest.u64()?);
    Some((kind, Take(rest.bytes(usize::try_from(size).ok()?)?)))
}

/// Reads and decompresses a chunk. The inner error is the reason why it is damaged.
pub fn read_chunk(
    file: &mut File,
    chunk: &ChunkPlace,
    content: &mut Vec<u8>,
) -> std::io::Result<Result<(), String>> {
    let (start, length) = chunk.data;
    let mut compressed = vec![0; length as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut compressed)?;
    if chunk.uncompressed > LARGEST {
        return Ok(Err(format!(
            "a chunk of {} bytes; expected at most {LARGEST}",
            chunk.uncompressed
        )));
    }
    match chunk.compression.as_str() {
        "" => *content = compressed,
        "zstd" => match zstd::bulk::decompress(&compressed, chunk.uncompressed as usize) {
            Ok(decompressed) => *content = decompressed,
            Err(_) => return Ok(Err("a chunk cannot be decompressed".to_owned())),
        },
        other => {
            let text = format!("the compression '{other}' is not supported; expected zstd or none");
            return Ok(Err(text));
        }
    }
    let crc = crc32fast::hash(content);
    Ok(match chunk.crc {
        0 => Ok(()),
        expected if expected == crc => Ok(()),
        expected => Err(format!("the checksum of a chunk is {crc:08x}; expected {expected:08x}")),
    })
}

/// Reads the channels of a file.
fn channels(path: &Path, scan: &Scan) -> Result<Vec<Channel>, McapError> {
    let foreign = |found: String| McapError::Foreign { path: path.to_owned(), found };
    if scan.channels.is_empty() && !scan.chunks.is_empty() {
        return Err(foreign("its channels are not listed before its messages".into()));
    }
    let channel = |(id, content): (&u16, &Vec<u8>)| {
        let channel = channel(*id, content, scan);
        channel
            .ok_or_else(|| foreign(format!("channel {id} has no valid description of its stream")))
    };
    scan.channels.iter().map(channel).collect()
}

fn channel(id: u16, content: &[u8], scan: &Scan) -> Option<Channel> {
    let mut values = Take(content);
    let (_, schema, _, encoding) = (values.u16()?, values.u16()?, values.text()?, values.text()?);
    let mut metadata = Take(values.counted()?);
    let mut stream = None;
    while !metadata.0.is_empty() {
        let (key, value) = (metadata.text()?, metadata.text()?);
        if key == description::KEY {
            stream = description::read(value);
        }
    }
    let mut values = Take(scan.schemas.get(&schema)?);
    let (_, name, _, text) = (values.u16()?, values.text()?, values.text()?, values.text()?);
    let schema = Schema { name: name.to_owned(), text: text.to_owned() };
    let layout = Layout::new(&schema).ok().filter(|_| encoding == "cdr")?;
    Some(Channel { id, stream: Arc::new(stream?), schema, layout })
}
