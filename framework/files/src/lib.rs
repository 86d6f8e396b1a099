//! Files whose names come from users: bounded reading of regular files, and creation that follows
//! no link.
//!
//! A pipe can block for ever, a device can be endless, and a symbolic link in the folder of a run
//! can point to any file of the user. All readers and writers of files that a user or a world can
//! name go through this crate.
//!
//! * [`open`], [`read`] and [`read_text`] accept regular files only, and read at most a given
//!   number of bytes.
//! * [`create`], [`append`], [`write()`] and [`create_folder`] do not follow a symbolic link at the
//!   place of the file.
//! * [`named_beside`] finds the files to which a map or a mesh refers.
//! * [`is_below`] says whether a path leads into one of several folders.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::path::{Component, Path, PathBuf};

/// Largest size of a file that is read as a whole, unless its reader has another limit, bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// Largest size of a table, a list of inputs or a snapshot, bytes.
pub const MAX_DATA_BYTES: u64 = 1 << 30;

/// Opens a regular file for reading. Neither opening nor reading it blocks.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if the path is a folder, a pipe or a device; errors of the operating system.
pub fn open(path: &Path) -> Result<File> {
    // asked before opening, which would wait for the other end of a pipe or start a device
    check(std::fs::metadata(path)?.is_file())?;
    let file = open_without_waiting(path)?;
    // another file may have taken its place
    check(file.metadata()?.is_file())?;
    Ok(file)
}

/// Opens a file without waiting for the other end of a pipe that may have taken its place.
///
/// # Errors
/// Errors of the operating system.
pub fn open_without_waiting(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // some system files look regular but block until something happens
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] beyond that size; otherwise as [`open`].
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = || Error::new(ErrorKind::FileTooLarge, too_large(most));
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // the file may grow in the meantime, and system files may report no size
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a regular file with UTF-8 text of at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::InvalidData`] if the text is not UTF-8; otherwise as [`read`].
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    let not_text = |_| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

/// Creates a file, or empties a regular one. Does not follow a symbolic link in place of the file, and does not wait for
/// the other end of a pipe.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if something else than a regular file is there; errors of the operating system.
pub fn create(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    open_in_place(path, &options).and_then(|file| file.set_len(0).map(|()| file))
}

/// Opens a regular file to write at its end, as [`create`] does.
///
/// # Errors
/// As [`create`].
pub fn append(path: &Path) -> Result<File> {
    open_in_place(path, OpenOptions::new().append(true))
}

/// Creates a file with a content, as [`create`] does.
///
/// # Errors
/// As [`create`].
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    create(path)?.write_all(content.as_ref())
}

/// Creates a folder and those above it. The folder itself must not be a symbolic link, through which files in it would be
/// written elsewhere.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if it is a link; errors of the operating system.
pub fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)?;
    if std::fs::symlink_metadata(path)?.is_symlink() { Err(occupied(true)) } else { Ok(()) }
}

/// Opens a regular file for writing, with options that may create it, without following a symbolic link in its place
/// and without waiting for the other end of a pipe.
///
/// # Errors
/// As [`create`].
pub fn open_in_place(path: &Path, options: &OpenOptions) -> Result<File> {
    if let Ok(found) = std::fs::symlink_metadata(path)
        && !found.is_file()
    {
        return Err(occupied(found.is_symlink()));
    }
    let mut options = options.clone();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NOFOLLOW | libc::O_NONBLOCK,
    );
    let file = options.open(path)?;
    // another file may have taken its place
    check(file.metadata()?.is_file())?;
    Ok(file)
}

/// Returns the files next to a map or a mesh whose names are in its text, such as the image of a map or the materials of
/// a mesh, in order.
pub fn named_beside(path: &Path, content: &[u8]) -> Vec<PathBuf> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !["yaml", "yml", "obj", "mtl", "gltf", "dae"].contains(&&*ending) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(content);
    let folder = std::fs::read_dir(path.parent().unwrap_or(Path::new("/")));
    let beside = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_named = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.is_file() && *file != path && text.contains(&*name)
    };
    let mut named: Vec<PathBuf> = beside.filter(is_named).collect();
    named.sort();
    named
}

/// Returns whether a file is in one of some folders or below, also after symbolic links have been followed. A file that
/// does not exist is where its path says.
pub fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    let found = path.canonicalize().or_else(|_| lexical(path));
    let Ok(found) = found else { return false };
    folders.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| found.starts_with(folder)))
}

/// Returns the absolute path of a file that does not exist: its folder without links, if there is one.
fn lexical(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let is_up = path.components().any(|part| part == Component::ParentDir);
    let existing = path.ancestors().find(|ancestor| ancestor.exists());
    let existing = existing.filter(|_| !is_up).ok_or(ErrorKind::NotFound)?;
    let rest = path.strip_prefix(existing).map_err(Error::other)?;
    Ok(existing.canonicalize()?.join(rest))
}

fn occupied(is_link: bool) -> Error {
    if is_link {
        let what = "it is a symbolic link, which is not followed";
        return Error::new(ErrorKind::InvalidInput, what);
    }
    Error::new(ErrorKind::InvalidInput, NotRegular)
}

fn check(is_regular: bool) -> Result<()> {
    if is_regular { Ok(()) } else { Err(occupied(false)) }
}

fn too_large(most: u64) -> String {
    match most >> 20 {
        0 => format!("it has more than {most} bytes"),
        mebibytes => format!("it has more than {mebibytes} MiB"),
    }
}

/// Returns whether an error of this crate says that the path does not lead to a regular file.
pub fn is_not_regular(error: &Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<NotRegular>())
}

/// Error of a path that leads to a folder, a pipe or a device.
#[derive(Debug)]
struct NotRegular;

impl std::fmt::Display for NotRegular {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is not a regular file")
    }
}

impl std::error::Error for NotRegular {}

#[cfg(test)]
mod tests;
