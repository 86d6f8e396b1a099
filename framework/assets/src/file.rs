//! Bounded reading of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::{Limits, Problem};

/// Opens a regular file and returns it with its length in bytes. Reading it never blocks.
///
/// # Errors
/// The path is a directory, a pipe or a device, or the file cannot be opened.
pub fn open_regular(path: &Path) -> Result<(File, u64), Problem> {
    let file = simhost_files::open(path).map_err(|error| {
        if simhost_files::is_not_regular(&error) { Problem::NotAFile } else { error.into() }
    })?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

/// Opens a regular file within the size limit.
pub(crate) fn open(path: &Path, limits: &Limits) -> Result<impl Read + use<>, Problem> {
    let (file, length) = open_regular(path)?;
    limits.bound_bytes("bytes in the file", length)?;
    // the file may grow in the meantime
    Ok(file.take(limits.max_file_bytes))
}

/// Reads a regular file within the size limit.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    open(path, limits)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the extension in lower case without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_and_large_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits { max_file_bytes: 3, ..Limits::default() };
        assert!(matches!(read(folder.path(), &limits), Err(Problem::NotAFile)));
        let path = folder.path().join("a.STL");
        std::fs::write(&path, b"1234").unwrap();
        assert!(matches!(read(&path, &limits), Err(Problem::TooMuch { count: 4, limit: 3, .. })));
        std::fs::write(&path, b"123").unwrap();
        assert_eq!(read(&path, &limits).unwrap(), b"123");
        assert_eq!(extension(&path), "stl");
        assert!(matches!(read(&folder.path().join("none"), &limits), Err(Problem::Io(_))));
    }
}
