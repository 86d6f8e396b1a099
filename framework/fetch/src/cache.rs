//! The cache of downloads and unpacked archives.
//!
//! `downloads/` contains each file under the checksum of its address, with its extension, next to a
//! file with the checksum of its content. `archives/` contains unpacked archives under the checksum
//! of the archive. Everything is written under a temporary name in the same directory and then
//! renamed.

use std::fs;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempDir};

use crate::FetchError;

/// Maximum length of an extension.
const MAX_EXTENSION: usize = 8;

/// The cache.
pub(crate) struct Cache {
    folder: PathBuf,
}

/// The cache entry of one address.
pub(crate) struct Entry {
    folder: PathBuf,
    name: String,
}

/// Returns a function that adds the path to an input or output error.
pub(crate) fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> FetchError + use<'_> {
    |source| FetchError::Cache { path: path.to_owned(), source }
}

impl Cache {
    /// Opens the cache in a directory, by default the directory of the user.
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self, FetchError> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => default_folder()?,
        };
        Ok(Self { folder })
    }

    /// Returns the entry of an address.
    pub(crate) fn entry(&self, url: &str) -> Entry {
        let key = of_bytes(url.as_bytes());
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

    /// Returns the directory of an unpacked archive, which may not exist yet.
    pub(crate) fn archive(&self, checksum: &str) -> PathBuf {
        self.folder.join("archives").join(checksum)
    }

    /// Creates a temporary directory next to the unpacked archives.
    pub(crate) fn temporary_archive(&self) -> Result<TempDir, FetchError> {
        let folder = self.folder.join("archives");
        fs::create_dir_all(&folder)
            .and_then(|()| tempfile::Builder::new().prefix(".temporary").tempdir_in(&folder))
            .map_err(failed(&folder))
    }
}

/// Returns the cache directory of the user, on Linux `simhost` in `$XDG_CACHE_HOME` or in
/// `$HOME/.cache`.
fn default_folder() -> Result<PathBuf, FetchError> {
    let project = ProjectDirs::from("", "", "simhost").ok_or(FetchError::NoCacheFolder)?;
    Ok(project.cache_dir().to_owned())
}

/// Removes a file or a directory of the cache. If that fails, the next use replaces it.
pub(crate) fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

impl Entry {
    /// Returns the paths of the file and of its checksum.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        vec![self.path(), self.checksum_path()]
    }

    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn checksum_path(&self) -> PathBuf {
        self.folder.join(format!("{}.sha256", self.name))
    }

    /// Returns the path of the file if it exists and matches its checksum.
    pub(crate) fn valid(&self) -> Option<PathBuf> {
        let (path, checksum_path) = (self.path(), self.checksum_path());
        // reading a pipe would block
        if !(path.is_file() && checksum_path.is_file()) {
            return None;
        }
        let expected = fs::read_to_string(checksum_path).ok()?;
        let found = of_file(&path).ok()?;
        (found == expected.trim()).then_some(path)
    }

    /// Creates a temporary file in the directory of the entry.
    #[cfg_attr(not(feature = "https"), allow(dead_code))]
    pub(crate) fn temporary(&self) -> Result<NamedTempFile, FetchError> {
        fs::create_dir_all(&self.folder)
            .and_then(|()| tempfile::Builder::new().prefix(".temporary").tempfile_in(&self.folder))
            .map_err(failed(&self.folder))
    }

    /// Moves a complete download into the cache. If another process does the same at the same time,
    /// the file is complete in either case. If file and checksum then belong to different contents,
    /// the next use downloads the file again.
    #[cfg_attr(not(feature = "https"), allow(dead_code))]
    pub(crate) fn keep(&self, file: NamedTempFile, checksum: &str) -> Result<PathBuf, FetchError> {
        let path = self.path();
        let mut checksum_file = self.temporary()?;
        writeln!(checksum_file, "{checksum}").map_err(failed(checksum_file.path()))?;
        file.persist(&path).map_err(|error| failed(&path)(error.error))?;
        let checksum_path = self.checksum_path();
        checksum_file
            .persist(&checksum_path)
            .map_err(|error| failed(&checksum_path)(error.error))?;
        Ok(path)
    }
}

/// Returns the checksum of some bytes.
fn of_bytes(bytes: &[u8]) -> String {
    text(Sha256::digest(bytes).as_slice())
}

/// Returns the checksum of the content of a file.
pub(super) fn of_file(path: &Path) -> std::io::Result<String> {
    let mut running = Running::default();
    let mut file = File::open(path)?;
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(running.finish()),
            count => running.add(&block[..count]),
        }
    }
}

/// A checksum that is computed incrementally.
#[derive(Default)]
pub(super) struct Running(Sha256);

impl Running {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> String {
        text(self.0.finalize().as_slice())
    }
}

fn text(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_depend_on_the_whole_address() {
        let cache = Cache { folder: "/c".into() };
        let name = |url: &str| cache.entry(url).name;
        assert_ne!(name("http://a/wheel.dae"), name("http://b/wheel.dae"));
        assert!(name("http://a/wheel.DAE?v=1.2/x").ends_with(".dae"));
        assert!(!name("http://a/wheel").contains('.'));
        assert!(!name("http://a/wheel.very-long-ending").contains('.'));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { folder: folder.path().to_owned() };
        let entry = cache.entry("http://a/b.png");
        fs::create_dir_all(entry.path().parent().unwrap()).unwrap();
        fs::write(entry.path(), "").unwrap();
        let made = std::process::Command::new("mkfifo").arg(entry.checksum_path()).status();
        assert!(made.unwrap().success());
        assert_eq!(entry.valid(), None);
    }

    /// Runs [`the_default_directory_is_as_expected`] in a process with another environment.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_directory_follows_the_environment() {
        for (xdg, home, expected) in [
            ("/x", "/h", "/x/simhost"),
            ("", "/h", "/h/.cache/simhost"),
            ("relative", "/h", "/h/.cache/simhost"),
        ] {
            let output = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "cache::tests::the_default_directory_is_as_expected"])
                .env("XDG_CACHE_HOME", xdg)
                .env("HOME", home)
                .env(EXPECTED, expected)
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success() && text.contains("1 passed"), "{expected}: {text}");
        }
    }

    /// Environment variable with the expected directory.
    const EXPECTED: &str = "SIMHOST_TEST_EXPECTED_CACHE";

    #[test]
    fn the_default_directory_is_as_expected() {
        let Some(expected) = std::env::var_os(EXPECTED) else { return };
        assert_eq!(default_folder().unwrap(), PathBuf::from(expected));
    }

    #[test]
    fn a_changed_file_is_not_valid() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Some(folder.path())).unwrap();
        let entry = cache.entry("http://a/b.dae");
        assert_eq!(entry.valid(), None);
        let mut file = entry.temporary().unwrap();
        file.write_all(b"content").unwrap();
        let path = entry.keep(file, &super::of_bytes(b"content")).unwrap();
        assert_eq!(entry.valid(), Some(path.clone()));
        fs::write(&path, b"").unwrap();
        assert_eq!(entry.valid(), None);
    }
}
