//! The end of a file: the summary, which lists schemas, channels and chunks.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use crate::chunk::{MAGIC, Put, op};
use crate::scan::{AttachmentPlace, ChunkPlace, Scan, scan};

/// Appends the end of a file behind its last chunk.
///
/// # Errors
/// Fails if the file cannot be read or written.
pub fn append(file: &mut File) -> io::Result<()> {
    let scan = scan(file)?.ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(scan.end))?;
    file.write_all(&end(&scan))?;
    file.flush()
}

/// Returns the end of a file with these records.
pub fn end(scan: &Scan) -> Vec<u8> {
    let mut to = Vec::new();
    let record = to.begin(op::DATA_END);
    // no checksum of the data: each chunk has its own
    to.put_u32(0);
    to.end(record);
    let start = to.len();
    let mut offsets = Vec::new();
    let mut group = |kind: u8, to: &mut Vec<u8>, write: &dyn Fn(&mut Vec<u8>)| {
        let before = to.len();
        write(to);
        let (at, length) = (scan.end + before as u64, (to.len() - before) as u64);
        if length > 0 {
            let record = offsets.begin(op::SUMMARY_OFFSET);
            offsets.push(kind);
            offsets.put_u64(at);
            offsets.put_u64(length);
            offsets.end(record);
        }
    };
    group(op::SCHEMA, &mut to, &|to| put_all(op::SCHEMA, &scan.schemas, to));
    group(op::CHANNEL, &mut to, &|to| put_all(op::CHANNEL, &scan.channels, to));
    group(op::STATISTICS, &mut to, &|to| put_statistics(scan, to));
    group(op::CHUNK_INDEX, &mut to, &|to| {
        let chunks = scan.chunks.iter().filter(|chunk| !chunk.is_piece());
        chunks.for_each(|chunk| put_chunk_index(chunk, to));
    });
    group(op::ATTACHMENT_INDEX, &mut to, &|to| {
        scan.attachments.iter().for_each(|attachment| put_attachment_index(attachment, to));
    });
    let offsets_start = scan.end + to.len() as u64;
    to.extend_from_slice(&offsets);
    let record = to.begin(op::FOOTER);
    to.put_u64(scan.end + start as u64);
    to.put_u64(offsets_start);
    // the checksum includes the fields of the footer before it, and the length of the whole footer
    to.put_u32(0);
    to.end(record);
    let before = to.len() - 4;
    let crc = crc32fast::hash(&to[start..before]);
    to[before..].copy_from_slice(&crc.to_le_bytes());
    to.extend_from_slice(MAGIC);
    to
}

fn put_all(kind: u8, contents: &BTreeMap<u16, Vec<u8>>, to: &mut Vec<u8>) {
    for content in contents.values() {
        let record = to.begin(kind);
        to.extend_from_slice(content);
        to.end(record);
    }
}

fn put_statistics(scan: &Scan, to: &mut Vec<u8>) {
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for (channel, _, messages) in scan.chunks.iter().flat_map(|chunk| &chunk.indices) {
        *counts.entry(*channel).or_default() += messages;
    }
    let first = scan.chunks.iter().map(|chunk| chunk.times[0]).min().unwrap_or(0);
    let last = scan.chunks.iter().map(|chunk| chunk.times[1]).max().unwrap_or(0);
    let record = to.begin(op::STATISTICS);
    to.put_u64(counts.values().sum());
    to.put_u16(scan.schemas.len() as u16);
    to.put_u32(scan.channels.len() as u32);
    to.put_u32(scan.attachments.len() as u32);
    // metadata
    to.put_u32(0);
    to.put_u32(scan.chunks.iter().filter(|chunk| !chunk.is_piece()).count() as u32);
    to.put_u64(first);
    to.put_u64(last);
    to.put_u32(10 * counts.len() as u32);
    for (channel, count) in counts {
        to.put_u16(channel);
        to.put_u64(count);
    }
    to.end(record);
}

fn put_attachment_index(attachment: &AttachmentPlace, to: &mut Vec<u8>) {
    let record = to.begin(op::ATTACHMENT_INDEX);
    to.put_u64(attachment.record.0);
    to.put_u64(attachment.record.1);
    to.put_u64(attachment.times[0]);
    to.put_u64(attachment.times[1]);
    to.put_u64(attachment.data.1);
    to.put_text(&attachment.name);
    to.put_text(&attachment.media_type);
    to.end(record);
}

fn put_chunk_index(chunk: &ChunkPlace, to: &mut Vec<u8>) {
    let record = to.begin(op::CHUNK_INDEX);
    to.put_u64(chunk.times[0]);
    to.put_u64(chunk.times[1]);
    to.put_u64(chunk.start);
    to.put_u64(chunk.length);
    to.put_u32(10 * chunk.indices.len() as u32);
    for (channel, start, _) in &chunk.indices {
        to.put_u16(*channel);
        to.put_u64(*start);
    }
    to.put_u64(chunk.indices_length);
    to.put_text(&chunk.compression);
    to.put_u64(chunk.data.1);
    to.put_u64(chunk.uncompressed);
    to.end(record);
}
