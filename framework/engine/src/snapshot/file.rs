//! Snapshots as files.
//!
//! A file consists of [`MAGIC`], the format as four bytes, the header and the faults in the encoding of
//! `postcard`, the state, and the XXH3-128 hash of all preceding bytes. Numbers are little-endian. In
//! format 2, which worlds have that were changed since they were opened, the description of the changes
//! follows the faults.

use std::io::Write;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{SnapshotFileError, SnapshotHeader};

/// The newest format that this program reads.
pub const SNAPSHOT_FORMAT: u32 = 2;

/// The format of worlds as they were opened.
const UNCHANGED: u32 = 1;

/// First bytes of every snapshot.
const MAGIC: &[u8] = b"simhost snapshot\n";
/// Number of bytes of the hash at the end.
const HASH_LENGTH: usize = 16;

/// The state of a simulation after a step.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(super) header: SnapshotHeader,
    /// Evidence of the faults after which the run has continued, as JSON. The faults have no influence
    /// on the simulation.
    pub(super) faults: Vec<String>,
    pub(super) state: Vec<u8>,
    /// Description of the changes of the world since it was opened.
    pub(super) edits: String,
}

/// Returns the state hash of a world with a description of its changes.
pub(super) fn hash_of(state: &[u8], edits: &str) -> u128 {
    let mut hasher = Xxh3::new();
    hasher.update(state);
    hasher.update(edits.as_bytes());
    hasher.digest128()
}

impl Snapshot {
    /// Returns the identification of the simulation.
    pub fn header(&self) -> &SnapshotHeader {
        &self.header
    }

    /// Returns the [state hash](crate::Simulation::state_hash) of the simulation.
    pub fn state_hash(&self) -> u128 {
        hash_of(&self.state, &self.edits)
    }

    /// Returns the description of the changes of the world since it was opened, see
    /// [`Simulation::set_edits`](crate::Simulation::set_edits).
    pub fn edits(&self) -> &str {
        &self.edits
    }

    /// Sets the description of the changes of the world since it was opened, for the state of another simulation that
    /// has been built from the changed world.
    pub fn set_edits(&mut self, edits: String) {
        self.edits = edits;
    }

    /// Encodes the snapshot as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.state.len() + 4096);
        bytes.extend_from_slice(MAGIC);
        let is_changed = !self.edits.is_empty();
        let format = if is_changed { SNAPSHOT_FORMAT } else { UNCHANGED };
        bytes.extend_from_slice(&format.to_le_bytes());
        let head = (&self.header, &self.faults);
        let mut bytes =
            postcard::to_extend(&head, bytes).expect("texts and numbers can be encoded");
        if is_changed {
            bytes = postcard::to_extend(&self.edits, bytes).expect("a text can be encoded");
        }
        bytes.extend_from_slice(&self.state);
        bytes.extend_from_slice(&xxh3_128(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// [`SnapshotFileError`] for all other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotFileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotFileError::NotASnapshot)?;
        let damaged = |text: &str| SnapshotFileError::Damaged(text.to_owned());
        let short = || damaged("it is too short");
        let (format, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let found = u32::from_le_bytes(*format);
        if found > SNAPSHOT_FORMAT {
            return Err(SnapshotFileError::Newer { found, known: SNAPSHOT_FORMAT });
        }
        let (body, hash) = rest.split_last_chunk::<HASH_LENGTH>().ok_or_else(short)?;
        if xxh3_128(&bytes[..bytes.len() - HASH_LENGTH]) != u128::from_le_bytes(*hash) {
            return Err(damaged("its checksum is wrong"));
        }
        let unreadable = |error: postcard::Error| SnapshotFileError::Damaged(error.to_string());
        let ((header, faults), mut state) = postcard::take_from_bytes(body).map_err(unreadable)?;
        let mut edits = String::new();
        if found > UNCHANGED {
            (edits, state) = postcard::take_from_bytes(state).map_err(unreadable)?;
        }
        Ok(Self { header, faults, state: state.to_vec(), edits })
    }

    /// Writes a file atomically: on failure no incomplete file has this name.
    ///
    /// # Errors
    /// [`SnapshotFileError::Write`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), SnapshotFileError> {
        let temporary = temporary_path(path);
        let write = || {
            let mut file = simhost_files::create(&temporary)?;
            file.write_all(&self.to_bytes())?;
            file.sync_all()?;
            std::fs::rename(&temporary, path)
        };
        write().map_err(|source| {
            // an error of the removal would hide the first one
            let _ = std::fs::remove_file(&temporary);
            SnapshotFileError::Write { path: path.to_owned(), source }
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`SnapshotFileError`] if the file cannot be read or is not a snapshot.
    pub fn read(path: &Path) -> Result<Self, SnapshotFileError> {
        let failed = |source| SnapshotFileError::Read { path: path.to_owned(), source };
        match simhost_files::read(path, simhost_files::MAX_DATA_BYTES) {
            Err(error) if simhost_files::is_not_regular(&error) => {
                Err(SnapshotFileError::NotASnapshot)
            }
            bytes => Self::from_bytes(&bytes.map_err(failed)?),
        }
    }
}

impl std::fmt::Debug for Snapshot {
    /// Shows the state hash instead of the state, which can have millions of bytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hash = format!("{:032x}", self.state_hash());
        f.debug_struct("Snapshot").field("header", &self.header).field("state", &hash).finish()
    }
}

/// Returns the path at which a file is written before it is renamed.
fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", std::process::id()));
    name.into()
}
