//! Large files, and compressed ones.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::support::Workspace;

/// Writes `head`, repetitions of `unit` up to a size in MiB, and `tail`.
pub fn repeat(workspace: &Workspace, name: &str, head: &str, unit: &str, tail: &str, mib: usize) {
    let mut file = BufWriter::new(File::create(workspace.path(name)).unwrap());
    let block = unit.repeat((1 << 16) / unit.len() + 1);
    file.write_all(head.as_bytes()).unwrap();
    let room = (mib << 20).saturating_sub(head.len() + tail.len());
    for _ in 0..room / block.len() {
        file.write_all(block.as_bytes()).unwrap();
    }
    file.write_all(tail.as_bytes()).unwrap();
}

/// Writes a file.
pub fn bytes(workspace: &Workspace, name: &str, bytes: &[u8]) {
    std::fs::write(workspace.path(name), bytes).unwrap();
}

/// Creates a sparse file of some size.
pub fn hole(path: &Path, length: u64) {
    File::create(path).unwrap().set_len(length).unwrap();
}

/// Length of the zeros that are compressed at once.
const BLOCK: usize = 1 << 20;

/// Returns a part of a deflate stream that refers to no other part.
fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() + 1024);
    let mut deflate = flate2::Compress::new(flate2::Compression::fast(), false);
    deflate.compress_vec(bytes, &mut packed, flate2::FlushCompress::Full).unwrap();
    packed
}

/// Returns some bytes followed by zeros as a deflate stream, whose blocks of zeros are compressed once.
fn deflate_zeros(head: &[u8], zeros: u64) -> Vec<u8> {
    let (blocks, rest) = (zeros / BLOCK as u64, zeros % BLOCK as u64);
    let blocks = deflate(&vec![0; BLOCK]).repeat(blocks as usize);
    // an empty block ends the stream
    [deflate(head), blocks, deflate(&vec![0; rest as usize]), vec![3, 0]].concat()
}

/// Returns zeros, compressed by zlib.
pub fn packed_zeros(count: u64) -> Vec<u8> {
    // Adler-32: the sum of the bytes is 1, and is added once per byte
    let checksum = ((count % 65521) as u32) << 16 | 1;
    [&[0x78, 0x01], &deflate_zeros(&[], count)[..], &checksum.to_be_bytes()].concat()
}

/// Returns some bytes followed by zeros, compressed by gzip.
pub fn gzip(head: &[u8], zeros: u64) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc
    };
    let (mut checksum, block) = (crc(head), crc(&vec![0; BLOCK]));
    (0..zeros / BLOCK as u64).for_each(|_| checksum.combine(&block));
    checksum.combine(&crc(&vec![0; (zeros % BLOCK as u64) as usize]));
    let head = deflate_zeros(head, zeros);
    let tail = [checksum.sum().to_le_bytes(), checksum.amount().to_le_bytes()].concat();
    [&b"\x1f\x8b\x08\0\0\0\0\0\0\xff"[..], &head, &tail].concat()
}

/// Writes a world that contains these elements.
pub fn world(workspace: &Workspace, tags: &str) {
    workspace.write("world.xml", &format!("<mvsim_world version=\"1.0\">\n{tags}\n</mvsim_world>"));
}
