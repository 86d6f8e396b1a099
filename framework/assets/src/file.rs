//! Bytes of a file, as many as are allowed.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

use crate::{Limits, Problem};

/// Opens a regular file, and tells its length in bytes. Reading it never waits for anybody.
///
/// # Errors
/// It is a folder, a pipe or a device, or it cannot be opened.
pub fn open_regular(path: &Path) -> Result<(File, u64), Problem> {
    // asked before opening, which would wait for the other end of a pipe, or start a device
    if !std::fs::metadata(path)?.is_file() {
        return Err(Problem::NotAFile);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // some files of the system look regular, but wait for something to happen
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    // another file may have taken its place
    match file.metadata()? {
        metadata if metadata.is_file() => Ok((file, metadata.len())),
        _ => Err(Problem::NotAFile),
    }
}

/// An open file that is regular and not too large.
pub(crate) fn open(path: &Path, limits: &Limits) -> Result<impl Read + use<>, Problem> {
    let (file, length) = open_regular(path)?;
    limits.bound_bytes("bytes in the file", length)?;
    // it may grow meanwhile
    Ok(file.take(limits.max_file_bytes))
}

/// All bytes of a file that is regular and not too large.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    open(path, limits)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The extension in lower case, without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_large_files_are_refused() {
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
