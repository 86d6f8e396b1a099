//! Copies of libraries in the cache.
//!
//! A file that is mapped must not be overwritten: its code would change under a running process.
//! Each version of a library is copied to a separate folder, under its own name, and the copy is
//! loaded. The folder has links to everything that is in the folder of the library, so that the
//! system loader finds libraries by `$ORIGIN`, debuggers find separate symbols, and models find
//! their data.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::memory::Stamp;

/// Most files in the folder of a library. A library in a larger folder is loaded from where it is.
const MOST: usize = 1024;

/// Returns the copy of a version of a library in a folder of the cache, which is made if it is missing. `None`
/// if there cannot be one.
pub(crate) fn copy_of(library: &Path, stamp: &Stamp, cache: &Path) -> Option<PathBuf> {
    let (own, beside) = (library.file_name()?, neighbours(library)?);
    let start = format!("{:016x}-", number_of(library));
    let folder = cache.join(format!("{start}{:016x}", number_of(stamp)));
    let copy = folder.join(own);
    if copy.metadata().is_ok_and(|about| about.len() == stamp.size()) {
        link(&beside, library, &folder);
        return Some(copy);
    }
    std::fs::create_dir_all(cache).ok()?;
    let fresh = tempfile::tempdir_in(cache).ok()?;
    std::fs::copy(library, fresh.path().join(own)).ok()?;
    link(&beside, library, fresh.path());
    // it was overwritten meanwhile
    if Stamp::of(library).ok().as_ref() != Some(stamp) {
        return None;
    }
    remove(cache, &start);
    // another process can have made it
    if std::fs::rename(fresh.path(), &folder).is_ok() {
        let _ = fresh.keep();
    }
    copy.is_file().then_some(copy)
}

/// Returns a number that identifies a version or a path.
fn number_of(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Returns the names of the other files in the folder of a library, unless there are too many.
fn neighbours(library: &Path) -> Option<BTreeSet<OsString>> {
    let entries = std::fs::read_dir(library.parent()?).ok()?;
    let names = entries.take(MOST + 1).map(|entry| Some(entry.ok()?.file_name()));
    let mut names: BTreeSet<OsString> = names.collect::<Option<_>>()?;
    names.remove(library.file_name()?);
    (names.len() < MOST).then_some(names)
}

/// Links files of the folder of a library into another folder, where they are missing.
fn link(names: &BTreeSet<OsString>, library: &Path, folder: &Path) {
    let Some(home) = library.parent() else { return };
    #[cfg(unix)]
    for name in names {
        // one that exists is the link of an earlier process
        let _ = std::os::unix::fs::symlink(home.join(name), folder.join(name));
    }
    #[cfg(not(unix))]
    let _ = (names, home, folder);
}

/// Removes the copies of older versions. Processes that have loaded one keep it.
fn remove(cache: &Path, start: &str) {
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(start) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
