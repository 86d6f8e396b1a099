//! SHA-256 checksums as hexadecimal text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Returns the checksum of some bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    text(Sha256::digest(bytes).as_slice())
}

/// Returns the checksum of the content of a file.
pub(crate) fn of_file(path: &Path) -> std::io::Result<String> {
    let mut running = Running::default();
    let mut file = File::open(path)?;
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(running.finish()),
            count => running.add(&block[..count]),
        }
    }
}

/// A checksum that is computed incrementally.
#[derive(Default)]
pub(crate) struct Running(Sha256);

impl Running {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> String {
        text(self.0.finalize().as_slice())
    }
}

fn text(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
