//! Files larger than a test should hold in memory, and packed ones.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::support::Workspace;

/// Writes `unit` again and again between `head` and `tail`, up to so many MiB.
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

/// Writes bytes.
pub fn bytes(workspace: &Workspace, name: &str, bytes: &[u8]) {
    std::fs::write(workspace.path(name), bytes).unwrap();
}

/// A file of so many bytes of which nothing is on the disk.
pub fn hole(path: &Path, length: u64) {
    File::create(path).unwrap().set_len(length).unwrap();
}

/// So many zeros, packed by zlib.
pub fn packed_zeros(count: u64) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), count), &mut packed).unwrap();
    packed.finish().unwrap()
}

/// The same by gzip, after some bytes.
pub fn gzip(head: &[u8], zeros: u64) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(head).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), zeros), &mut packed).unwrap();
    packed.finish().unwrap()
}

/// A world with these tags in it.
pub fn world(workspace: &Workspace, tags: &str) {
    workspace.write("world.xml", &format!("<mvsim_world version=\"1.0\">\n{tags}\n</mvsim_world>"));
}
