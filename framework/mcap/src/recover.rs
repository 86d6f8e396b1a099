//! Completing files of programs that were killed.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use crate::chunk::put_index;
use crate::error::McapError;
use crate::recording::{messages, read_chunk};
use crate::scan::{Scan, scan};
use crate::summary;

/// Outcome of a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Whether the file was complete, and was left as it is.
    pub was_complete: bool,
    /// Number of messages in the file.
    pub messages: u64,
    /// Time of the last message, ns; `None` without messages.
    pub last: Option<u64>,
    /// Bytes behind the last whole chunk, which were removed.
    pub removed: u64,
}

/// Completes a file: removes what is behind its last whole chunk, and writes the index and the footer. A
/// complete file does not change.
///
/// # Errors
/// [`McapError`] if the file cannot be read or written, or is not an MCAP file.
pub fn recover(path: &Path) -> Result<Recovered, McapError> {
    let failed = |source| McapError::Read { path: path.to_owned(), source };
    let mut file = simhost_files::open(path).map_err(failed)?;
    if matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return Err(McapError::InUse { path: path.to_owned() });
    }
    let scan = scan(&mut file).map_err(failed)?;
    let mut scan = scan.ok_or_else(|| McapError::NotMcap { path: path.to_owned() })?;
    if scan.is_complete {
        return Ok(outcome(&scan, true, 0));
    }
    let length = file.metadata().map_err(failed)?.len();
    let index = last_index(&mut file, &mut scan).map_err(failed)?;
    let end = scan.end - index.len() as u64;
    let mut content = index;
    content.extend_from_slice(&summary::end(&scan));
    let unwritable = |source| McapError::Write { path: path.to_owned(), source };
    let mut file =
        simhost_files::open_in_place(path, File::options().write(true)).map_err(unwritable)?;
    let written = file
        .set_len(end)
        .and_then(|()| file.seek(SeekFrom::Start(end)))
        .and_then(|_| file.write_all(&content))
        .and_then(|()| file.sync_all());
    written.map_err(unwritable)?;
    Ok(outcome(&scan, false, length - end.min(length)))
}

/// Removes damaged chunks at the end, and returns a new index of the last whole one, whose old index can be
/// incomplete.
fn last_index(file: &mut File, scan: &mut Scan) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let mut index = Vec::new();
    while let Some(chunk) = scan.chunks.last_mut() {
        let end = chunk.start + chunk.length;
        let mut positions: BTreeMap<u16, Vec<(u64, u64)>> = BTreeMap::new();
        let mut is_whole = read_chunk(file, chunk, &mut content)?.is_ok();
        for message in messages(&content).take_while(|_| is_whole) {
            let Some((channel, stamp, position, _)) = message else {
                is_whole = false;
                break;
            };
            positions.entry(channel).or_default().push((stamp.0, position));
        }
        if !is_whole {
            scan.end = chunk.start;
            scan.chunks.pop();
            continue;
        }
        if chunk.is_piece() {
            break;
        }
        chunk.indices.clear();
        for (channel, positions) in positions {
            chunk.indices.push((channel, end + index.len() as u64, positions.len() as u64));
            put_index(channel, &positions, &mut index);
        }
        chunk.indices_length = index.len() as u64;
        scan.end = end + index.len() as u64;
        break;
    }
    Ok(index)
}

fn outcome(scan: &Scan, was_complete: bool, removed: u64) -> Recovered {
    let indices = scan.chunks.iter().flat_map(|chunk| &chunk.indices);
    Recovered {
        was_complete,
        messages: indices.map(|(_, _, messages)| messages).sum(),
        last: scan.chunks.iter().map(|chunk| chunk.times[1]).max(),
        removed,
    }
}
