//! Where downloads are kept.
//!
//! `downloads/` holds each one under the checksum of its whole address, with its extension, beside a
//! file with the checksum of its content. `archives/` holds unpacked archives under the checksum of
//! theirs. Everything is written under a passing name in the same folder and then renamed.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use crate::{FetchError, checksum};

/// Names of extensions longer than this are no extensions.
const MAX_EXTENSION: usize = 8;

pub(crate) struct Cache {
    folder: PathBuf,
}

/// The place of one download.
pub(crate) struct Entry {
    folder: PathBuf,
    name: String,
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> FetchError + use<'_> {
    |source| FetchError::Cache { path: path.to_owned(), source }
}

impl Cache {
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self, FetchError> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => default_folder(|name| std::env::var_os(name))?,
        };
        Ok(Self { folder })
    }

    pub(crate) fn entry(&self, url: &str) -> Entry {
        let key = checksum::of_bytes(url.as_bytes());
        let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
        let file = path.rsplit('/').next().unwrap_or_default();
        let extension = file.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
        let plain = |end: &String| {
            end.len() <= MAX_EXTENSION && end.chars().all(|c| c.is_ascii_alphanumeric())
        };
        let name = match extension.filter(plain) {
            Some(extension) => format!("{key}.{extension}"),
            None => key,
        };
        Entry { folder: self.folder.join("downloads"), name }
    }

    /// The folder of an unpacked archive, which may not exist yet.
    pub(crate) fn archive(&self, checksum: &str) -> PathBuf {
        self.folder.join("archives").join(checksum)
    }

    /// A passing folder beside unpacked archives.
    pub(crate) fn passing_archive(&self) -> Result<TempDir, FetchError> {
        let folder = self.folder.join("archives");
        fs::create_dir_all(&folder)
            .and_then(|()| tempfile::Builder::new().prefix(".passing").tempdir_in(&folder))
            .map_err(failed(&folder))
    }
}

/// `simhost` in the folder for caches that the environment names.
fn default_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, FetchError> {
    let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    path("XDG_CACHE_HOME")
        .or_else(|| path("HOME").map(|home| home.join(".cache")))
        .map(|folder| folder.join("simhost"))
        .ok_or(FetchError::NoCacheFolder)
}

impl Entry {
    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn checksum_path(&self) -> PathBuf {
        self.folder.join(format!("{}.sha256", self.name))
    }

    /// The file, if it is there and as it was when it arrived.
    pub(crate) fn valid(&self) -> Option<PathBuf> {
        let expected = fs::read_to_string(self.checksum_path()).ok()?;
        let path = self.path();
        let found = checksum::of_file(&path).ok()?;
        (found == expected.trim()).then_some(path)
    }

    /// A passing file beside this place.
    #[cfg_attr(not(feature = "https"), allow(dead_code))]
    pub(crate) fn passing(&self) -> Result<NamedTempFile, FetchError> {
        fs::create_dir_all(&self.folder)
            .and_then(|()| tempfile::Builder::new().prefix(".passing").tempfile_in(&self.folder))
            .map_err(failed(&self.folder))
    }

    /// Puts a complete download to its place. Another process may do the same meanwhile: the file is
    /// whole in any case, and should checksum and file come from two different contents, the next use
    /// downloads again.
    #[cfg_attr(not(feature = "https"), allow(dead_code))]
    pub(crate) fn keep(&self, file: NamedTempFile, checksum: &str) -> Result<PathBuf, FetchError> {
        let path = self.path();
        let mut beside = self.passing()?;
        writeln!(beside, "{checksum}").map_err(failed(beside.path()))?;
        file.persist(&path).map_err(|error| failed(&path)(error.error))?;
        let checksum_path = self.checksum_path();
        beside.persist(&checksum_path).map_err(|error| failed(&checksum_path)(error.error))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_differ_in_more_than_their_last_part() {
        let cache = Cache { folder: "/c".into() };
        let name = |url: &str| cache.entry(url).name;
        assert_ne!(name("http://a/wheel.dae"), name("http://b/wheel.dae"));
        assert!(name("http://a/wheel.DAE?v=1.2/x").ends_with(".dae"));
        assert!(!name("http://a/wheel").contains('.'));
        assert!(!name("http://a/wheel.very-long-ending").contains('.'));
    }

    #[test]
    fn the_folder_follows_the_environment() {
        let folder = |xdg: &str, home: &str| {
            let (xdg, home) = (OsString::from(xdg), OsString::from(home));
            default_folder(|name| Some(if name == "HOME" { home.clone() } else { xdg.clone() }))
        };
        assert_eq!(folder("/x", "/h").unwrap(), PathBuf::from("/x/simhost"));
        assert_eq!(folder("", "/h").unwrap(), PathBuf::from("/h/.cache/simhost"));
        assert!(folder("relative", "").is_err());
    }

    #[test]
    fn what_was_changed_is_not_valid() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path())).unwrap();
        let entry = cache.entry("http://a/b.dae");
        assert_eq!(entry.valid(), None);
        let mut file = entry.passing().unwrap();
        file.write_all(b"content").unwrap();
        let path = entry.keep(file, &checksum::of_bytes(b"content")).unwrap();
        assert_eq!(entry.valid(), Some(path.clone()));
        fs::write(&path, b"").unwrap();
        assert_eq!(entry.valid(), None);
    }
}
