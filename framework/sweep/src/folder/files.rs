//! Files that one process has at a time.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use crate::error::StudyError;

/// Name of the file that is locked while a process works on the study.
const LOCK: &str = "study.lock";
/// Creates a file for rows that no process has.
pub fn new_rows(folder: &Path) -> Result<(PathBuf, File), StudyError> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = folder.join(format!("rows-{process}-{number}.jsonl"));
        match OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(source) => return Err(StudyError::Write { path, source }),
        }
    }
}

/// Returns whether a folder has no files.
pub fn is_empty(path: &Path) -> Result<bool, StudyError> {
    let mut entries = std::fs::read_dir(path).map_err(StudyError::read(path))?;
    Ok(entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK)))
}

/// Locks a folder for this process, until the file is closed.
pub fn locked(path: &Path) -> Result<File, StudyError> {
    lock(path, &path.join(LOCK))
}

/// Locks a chunk of a study for this process, until the file is closed or the process ends.
pub fn lease(path: &Path, chunk: u64) -> Result<File, StudyError> {
    let folder = path.join("chunks");
    simhost_files::create_folder(&folder).map_err(StudyError::write(&folder))?;
    lock(path, &folder.join(format!("{chunk}.lease")))
}

fn lock(path: &Path, file: &Path) -> Result<File, StudyError> {
    let lock = simhost_files::open_in_place(
        file,
        OpenOptions::new().write(true).create(true).truncate(false),
    );
    let lock = lock.map_err(StudyError::write(file))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => Err(StudyError::Busy { folder: path.to_owned() }),
        Err(std::fs::TryLockError::Error(source)) => {
            Err(StudyError::Write { path: file.to_owned(), source })
        }
    }
}
