//! Snapshots as files.
//!
//! A file is [`MAGIC`], the format as four bytes, the header and what was told of faults in the form of
//! `postcard`, the state, and the XXH3 hash of all that as sixteen bytes. Numbers are little-endian.

use std::io::Write;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::Snapshot;
use super::error::SnapshotFileError;

/// The newest format that this program reads, and the one that it writes.
pub const SNAPSHOT_FORMAT: u32 = 1;

/// What every snapshot begins with.
const MAGIC: &[u8] = b"simhost snapshot\n";
/// Bytes of the hash at the end.
const CHECK: usize = 16;

impl Snapshot {
    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.state.len() + 4096);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&SNAPSHOT_FORMAT.to_le_bytes());
        let mut bytes = postcard::to_extend(&(&self.header, &self.faults), bytes)
            .expect("texts and numbers have a form as bytes");
        bytes.extend_from_slice(&self.state);
        bytes.extend_from_slice(&xxh3_128(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Self::to_bytes`] gave; anything else is refused.
    ///
    /// # Errors
    /// [`SnapshotFileError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotFileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotFileError::Foreign)?;
        let damaged = |text: &str| SnapshotFileError::Damaged(text.to_owned());
        let short = || damaged("it ends too early");
        let (format, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let found = u32::from_le_bytes(*format);
        if found > SNAPSHOT_FORMAT {
            return Err(SnapshotFileError::Newer { found, known: SNAPSHOT_FORMAT });
        }
        let (body, check) = rest.split_last_chunk::<CHECK>().ok_or_else(short)?;
        if xxh3_128(&bytes[..bytes.len() - CHECK]) != u128::from_le_bytes(*check) {
            return Err(damaged("its bytes are not those that were written"));
        }
        let ((header, faults), state) = postcard::take_from_bytes(body)
            .map_err(|error| SnapshotFileError::Damaged(error.to_string()))?;
        Ok(Self { header, faults, state: state.to_vec() })
    }

    /// Writes a file: it is there as a whole or not at all.
    ///
    /// # Errors
    /// [`SnapshotFileError::Write`].
    pub fn write(&self, path: &Path) -> Result<(), SnapshotFileError> {
        let beside = beside(path);
        let write = || {
            let mut file = std::fs::File::create(&beside)?;
            file.write_all(&self.to_bytes())?;
            file.sync_all()?;
            std::fs::rename(&beside, path)
        };
        write().map_err(|source| {
            // what is half done helps nobody; that it cannot be removed neither
            let _ = std::fs::remove_file(&beside);
            SnapshotFileError::Write { path: path.to_owned(), source }
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`SnapshotFileError`].
    pub fn read(path: &Path) -> Result<Self, SnapshotFileError> {
        let failed = |source| SnapshotFileError::Read { path: path.to_owned(), source };
        // a device or a pipe may have no end
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(SnapshotFileError::Foreign);
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        Self::from_bytes(&bytes)
    }
}

/// Where a file is made before it gets its name.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", std::process::id()));
    name.into()
}
