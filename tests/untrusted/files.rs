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

/// Returns zeros, compressed by zlib.
pub fn packed_zeros(count: u64) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), count), &mut packed).unwrap();
    packed.finish().unwrap()
}

/// Returns some bytes followed by zeros, compressed by gzip.
pub fn gzip(head: &[u8], zeros: u64) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(head).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), zeros), &mut packed).unwrap();
    packed.finish().unwrap()
}

/// Writes a world that contains these elements.
pub fn world(workspace: &Workspace, tags: &str) {
    workspace.write("world.xml", &format!("<mvsim_world version=\"1.0\">\n{tags}\n</mvsim_world>"));
}
