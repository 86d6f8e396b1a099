//! A persistent record of the libraries that were tried and of the results.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::refusal::Crash;

/// Version of the file format. Files of other versions are ignored.
const FORM: u32 = 2;

/// Properties that identify the version of a file that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Stamp {
    size: u64,
    /// Modification time in nanoseconds since 1970, as text because it exceeds the precision of
    /// JSON numbers.
    modified: String,
    /// Inode number and time of the last status change, on platforms that have them.
    identity: Option<(u64, i64, i64)>,
}

impl Stamp {
    /// Returns the current stamp of a file.
    pub(crate) fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = path.metadata()?;
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.map(|since| since.as_nanos().to_string()).unwrap_or_default();
        Ok(Self { size: metadata.len(), modified, identity: identity(&metadata) })
    }
}

impl Stamp {
    /// Returns the size of the file, bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }
}

#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> Option<(u64, i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.ino(), metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> Option<(u64, i64, i64)> {
    None
}

/// The result of the trial of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    stamp: Stamp,
    /// How the file ended the process, if it did.
    pub crash: Option<Crash>,
    /// Observations while the file was loaded.
    pub noticed: Noticed,
}

/// Side effects of loading a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noticed {
    /// The first part of its output.
    pub printed: String,
    /// Number of threads that it starts.
    pub threads: u32,
    /// Symbols that the loader merges with symbols of other libraries.
    #[serde(default)]
    pub merged: Vec<String>,
}

impl Noticed {
    /// Returns the remarks about the library.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(line) = self.printed.lines().next() {
            let line: String = line.chars().take(200).collect();
            let more = match self.printed.lines().count() {
                1 => String::new(),
                count => format!(", {count} lines in all"),
            };
            remarks.push(format!("it prints while it is loaded: `{line}`{more}"));
        }
        match self.threads {
            0 => {}
            1 => remarks.push("it starts a thread while it is loaded".to_owned()),
            many => remarks.push(format!("it starts {many} threads while it is loaded")),
        }
        if let [first, rest @ ..] = self.merged.as_slice() {
            let more = match rest.len() {
                0 => String::new(),
                1 => " and 1 more symbol".to_owned(),
                count => format!(" and {count} more symbols"),
            };
            remarks.push(format!(
                "it shares `{first}`{more} with every other library that has a symbol of the same name \
                 (STB_GNU_UNIQUE): build it with -fvisibility=hidden -fno-gnu-unique"
            ));
        }
        remarks
    }
}

/// The records of all files.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    form: u32,
    files: BTreeMap<String, Record>,
    #[serde(skip)]
    file: Option<PathBuf>,
    #[serde(skip)]
    changed: bool,
}

impl Memory {
    /// Reads the file. A missing, unreadable or incompatible file counts as empty.
    pub(crate) fn read(file: Option<PathBuf>) -> Self {
        let bytes = file.as_ref().filter(|file| file.is_file());
        let bytes =
            bytes.and_then(|file| simhost_files::read(file, simhost_files::MAX_DATA_BYTES).ok());
        let known = bytes.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        let files = known.filter(|known| known.form == FORM).map(|known| known.files);
        Self { form: FORM, files: files.unwrap_or_default(), file, changed: false }
    }

    /// Removes the record of a file.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.changed |= self.files.remove(&key(path)).is_some();
    }

    /// Returns the record of a file that has not changed since.
    pub(crate) fn of(&self, path: &Path, stamp: &Stamp) -> Option<&Record> {
        self.files.get(&key(path)).filter(|record| record.stamp == *stamp)
    }

    /// Records the result of a trial.
    pub(crate) fn keep(
        &mut self,
        path: &Path,
        stamp: Stamp,
        crash: Option<Crash>,
        noticed: Noticed,
    ) {
        self.files.insert(key(path), Record { stamp, crash, noticed });
        self.changed = true;
    }

    /// Writes the file if something changed. If the folder is not writable, the files are tried
    /// again in the next run.
    pub(crate) fn save(mut self) {
        if !self.changed {
            return;
        }
        self.files.retain(|path, _| Path::new(path).exists());
        if let Some(file) = self.file.clone() {
            let _ = self.write(&file);
        }
    }

    /// Replaces the file atomically, because two programs can write it at the same time.
    fn write(&self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(&serde_json::to_vec(self)?)?;
        new.persist(file).map_err(|error| error.error)?;
        Ok(())
    }
}

fn key(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn remembered(folder: &Path, library: &Path) -> bool {
        let memory = Memory::read(Some(folder.join("deep/plugins.json")));
        memory.of(library, &Stamp::of(library).unwrap()).is_some()
    }

    #[test]
    fn a_file_is_known_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("a.so");
        std::fs::write(&library, "one").unwrap();
        assert!(!remembered(folder.path(), &library));
        let mut memory = Memory::read(Some(folder.path().join("deep/plugins.json")));
        memory.keep(&library, Stamp::of(&library).unwrap(), None, Noticed::default());
        memory.save();
        assert!(remembered(folder.path(), &library));
        std::fs::write(&library, "two!").unwrap();
        assert!(!remembered(folder.path(), &library));
    }

    #[test]
    fn a_spoilt_file_or_a_folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plugins.json");
        std::fs::write(&file, "{\"form\": 1, \"files\": 3}").unwrap();
        assert!(Memory::read(Some(file.clone())).files.is_empty());
        let mut memory = Memory::read(Some(file.join("under/a/file.json")));
        memory.keep(&file, Stamp::of(&file).unwrap(), None, Noticed::default());
        memory.save();
    }
}
