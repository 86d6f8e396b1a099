//! Writing one file.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_streams::background::Writer;
use simhost_streams::ros::CdrEncoder;
use simhost_streams::{Sample, SinkError, Stamp, Stream, StreamType, Trigger, ros};

use crate::chunk::{Chunk, MAGIC, Put, op};
use crate::error::McapError;
use crate::{description, summary};

/// Bytes before compression after which a chunk ends.
const CHUNK: usize = 1 << 20;

/// Name and version of the program, which each file contains.
const LIBRARY: &str = concat!("simhost ", env!("CARGO_PKG_VERSION"));

/// A file within a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Name.
    pub name: String,
    /// Media type, such as `application/json`.
    pub media_type: String,
    /// Content.
    pub data: Vec<u8>,
}

impl Attachment {
    /// Returns a JSON or XML file of a run, whose ending decides the media type.
    pub fn file(name: &str, data: Vec<u8>) -> Self {
        let is_json = name.ends_with(".json");
        let media_type = if is_json { "application/json" } else { "application/xml" };
        Self { name: name.to_owned(), media_type: media_type.to_owned(), data }
    }
}

/// Writes the samples of streams to a file.
pub struct McapFile {
    path: PathBuf,
    file: File,
    forms: Vec<CdrEncoder>,
    /// Next sequence number of each stream.
    sequences: Vec<u32>,
    /// Time of the last sample of each stream.
    stamps: Vec<Option<Stamp>>,
    last: Stamp,
    chunk: Chunk,
    /// Space for a chunk as it is written.
    content: Vec<u8>,
}

impl McapFile {
    /// Creates or replaces a file, and writes the attachments, and the schemas and channels of the streams.
    ///
    /// # Errors
    /// [`SinkError`] if the file cannot be written, or there are more than 65535 streams.
    pub fn create(
        path: &Path,
        streams: &[Arc<Stream>],
        attachments: &[Attachment],
    ) -> Result<Self, SinkError> {
        let failed = |error: std::io::Error| cannot_write(path, error);
        if streams.len() >= usize::from(u16::MAX) {
            let text = format!(
                "{} streams do not fit into an MCAP file; expected at most {}",
                streams.len(),
                u16::MAX - 1
            );
            return Err(SinkError::new(text));
        }
        let mut file = open(path)?;
        file.write_all(&start(streams, attachments)).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            forms: streams.iter().cloned().map(CdrEncoder::new).collect(),
            sequences: vec![0; streams.len()],
            stamps: vec![None; streams.len()],
            last: Stamp(0),
            chunk: Chunk::new(streams.len()).map_err(failed)?,
            content: Vec::new(),
        })
    }

    fn write_chunk(&mut self) -> Result<(), SinkError> {
        if self.chunk.len() == 0 {
            return Ok(());
        }
        self.content.clear();
        let compressed = self.chunk.write(&mut self.content);
        // in one piece, so that a file of a program that was killed rarely ends inside of a chunk
        let written = compressed.and_then(|()| self.file.write_all(&self.content));
        written.map_err(|error| cannot_write(&self.path, error))
    }
}

impl Writer for McapFile {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let stamp = &mut self.stamps[stream];
        if sample.stamp < self.last || stamp.is_some_and(|stamp| stamp >= sample.stamp) {
            let (name, time, last) = (&self.forms[stream].stream().name, sample.stamp, self.last);
            let text = format!(
                "a sample of '{name}' has the time {time} s after one at {last} s; expected a later time"
            );
            return Err(SinkError::new(text));
        }
        *stamp = Some(sample.stamp);
        self.last = sample.stamp;
        let sequence = self.sequences[stream];
        self.sequences[stream] = sequence.wrapping_add(1);
        self.chunk.push(stream as u16, sequence, &mut self.forms[stream], sample);
        match self.chunk.len() >= CHUNK {
            true => self.write_chunk(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.write_chunk()
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        self.write_chunk()?;
        summary::append(&mut self.file).map_err(|error| cannot_write(&self.path, error))?;
        Ok(vec![self.path.clone()])
    }
}

/// Creates a file, or removes the content of an existing one that no other process writes.
fn open(path: &Path) -> Result<File, SinkError> {
    let failed = |error: std::io::Error| cannot_write(path, error);
    let mut options = File::options();
    // the index is made from what was written
    options.read(true).write(true).create(true).truncate(false);
    let file = simhost_files::open_in_place(path, &options).map_err(failed)?;
    // some file systems have no locks
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(SinkError::new(McapError::InUse { path: path.to_owned() }.to_string()));
    }
    file.set_len(0).map_err(failed)?;
    Ok(file)
}

fn cannot_write(path: &Path, error: std::io::Error) -> SinkError {
    SinkError::new(format!("cannot write {}: {error}", path.display())).because(error)
}

/// Returns the beginning of a file: the header, the attachments, the schemas and the channels.
pub fn start(streams: &[Arc<Stream>], attachments: &[Attachment]) -> Vec<u8> {
    let mut to = MAGIC.to_vec();
    let record = to.begin(op::HEADER);
    to.put_text("ros2");
    to.put_text(LIBRARY);
    to.end(record);
    attachments.iter().for_each(|attachment| put_attachment(attachment, &mut to));
    let mut schemas = Schemas::default();
    for (channel, stream) in streams.iter().enumerate() {
        let id = schemas.claim(&stream.kind, &mut to);
        put_channel(channel as u16, id, stream, &mut to);
    }
    to
}

/// The schemas of a file: by the name of the message, the types with their schemas and numbers.
#[derive(Default)]
struct Schemas<'s> {
    known: HashMap<&'s str, Vec<(&'s StreamType, ros::Schema, u16)>>,
    count: u16,
}

impl<'s> Schemas<'s> {
    /// Returns the number of the schema of a type, which is appended if it is new.
    fn claim(&mut self, kind: &'s StreamType, to: &mut Vec<u8>) -> u16 {
        let of_message = self.known.entry(&kind.message).or_default();
        if let Some((.., id)) = of_message.iter().find(|(known, ..)| *known == kind) {
            return *id;
        }
        let schema = ros::schema(kind);
        let known = of_message.iter().find(|(_, known, _)| *known == schema);
        let id = known.map_or(self.count + 1, |(.., id)| *id);
        if id > self.count {
            // 0 stands for no schema
            self.count = id;
            put_schema(id, &schema, to);
        }
        of_message.push((kind, schema, id));
        id
    }
}

/// Appends an attachment. Its times are the start of simulated time.
fn put_attachment(attachment: &Attachment, to: &mut Vec<u8>) {
    let record = to.begin(op::ATTACHMENT);
    let start = to.len();
    to.put_u64(0);
    to.put_u64(0);
    to.put_text(&attachment.name);
    to.put_text(&attachment.media_type);
    to.put_u64(attachment.data.len() as u64);
    to.extend_from_slice(&attachment.data);
    let crc = crc32fast::hash(&to[start..]);
    to.put_u32(crc);
    to.end(record);
}

fn put_schema(id: u16, schema: &ros::Schema, to: &mut Vec<u8>) {
    let record = to.begin(op::SCHEMA);
    to.put_u16(id);
    to.put_text(&schema.name);
    to.put_text("ros2msg");
    to.put_text(&schema.text);
    to.end(record);
}

/// Returns how a publisher of a stream offers it, as rosbag2 of ROS 2 Jazzy writes it: samples that every later
/// taker needs as well stay available.
fn qos_profile(stream: &Stream) -> String {
    let (depth, durability) = match stream.trigger {
        Trigger::Start => (1, "transient_local"),
        Trigger::Step | Trigger::Event => (10, "volatile"),
    };
    // the longest time stands for an unlimited one
    let unlimited = "\n    sec: 9223372036\n    nsec: 854775807";
    format!(
        "- history: keep_last\n  depth: {depth}\n  reliability: reliable\n  durability: {durability}\n  \
         deadline:{unlimited}\n  lifespan:{unlimited}\n  liveliness: automatic\n  \
         liveliness_lease_duration:{unlimited}\n  avoid_ros_namespace_conventions: false\n"
    )
}

fn put_channel(id: u16, schema: u16, stream: &Stream, to: &mut Vec<u8>) {
    let record = to.begin(op::CHANNEL);
    to.put_u16(id);
    to.put_u16(schema);
    to.put_text(&stream.topic());
    to.put_text("cdr");
    let metadata = to.len();
    to.put_u32(0);
    to.put_text(description::KEY);
    to.put_text(&description::write(stream));
    to.put_text("offered_qos_profiles");
    to.put_text(&qos_profile(stream));
    to.end_list(metadata);
    to.end(record);
}

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
