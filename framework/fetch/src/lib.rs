//! Resolution of the addresses in a world file to local files.
//!
//! | Address | Source of the file |
//! |---|---|
//! | `models/a.dae`, `file://models/a.dae` | local file, relative to the directory of the world file |
//! | `models/all.zip/a.dae` | member of a local archive |
//! | `http(s)://host/a.dae` | mirror, otherwise the cache, otherwise a download |
//! | `http(s)://host/all.zip/a.dae` | member of such an archive |
//!
//! World files are untrusted, so nothing is downloaded without permission. A mirror is a local
//! directory and does not need permission. Downloads are cached by their whole address with a
//! checksum, which is verified at each use. They are written to a temporary file that is renamed
//! when complete, so that neither a failure nor a concurrent process leaves a partial file.
//! Archives are unpacked as a whole, because a mesh can refer to other files of the archive.
//!
//! The feature `https` (off by default) adds downloads over HTTPS and HTTP. It uses `rustls` with
//! the provider `graviola`, which does not need a C compiler, but an x86-64 or AArch64 processor
//! with AES and vector instructions (2013 or newer).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
mod archive;
mod cache;
mod error;
mod mirror;
#[cfg(feature = "https")]
mod net;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use address::Address;
use cache::Cache;
use mirror::Mirrors;

pub use error::FetchError;

/// Progress of a download.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct FetchProgress<'a> {
    /// Address of the file.
    pub url: &'a str,
    /// Number of bytes received so far.
    pub received: u64,
    /// Total number of bytes, if the server reports it.
    pub total: Option<u64>,
    /// Progress of the download.
    pub stage: Stage,
}

/// Progress of a download.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Stage {
    /// The server has not responded yet. Reported once, first.
    Connecting,
    /// The server responds.
    Receiving,
    /// The file is complete and in the cache. This is the last report.
    Complete,
    /// The download failed or was stopped. This is the last report.
    Failed,
}

/// Function that receives progress reports. It is called at least every 64 KiB on the thread that
/// resolves the address.
pub type FetchObserver = Box<dyn Fn(FetchProgress) + Send + Sync>;

/// Permissions and directories of a fetcher.
pub struct FetchOptions {
    /// Whether files may be downloaded.
    pub allow_net: bool,
    /// Address prefixes and the local directories that replace them. The longest prefix wins.
    pub mirrors: Vec<(String, PathBuf)>,
    /// Directory of the cache. The default is the directory of the user, on Linux `simhost` in
    /// `$XDG_CACHE_HOME` or in `$HOME/.cache`.
    pub cache_dir: Option<PathBuf>,
    /// Maximum size of one file in bytes. An archive may unpack to four times this size.
    pub max_bytes: u64,
    /// Receiver of progress reports.
    pub progress: Option<FetchObserver>,
    /// Time limit for connecting to a server, for its response, and for each wait for data.
    pub timeout: Duration,
    /// Set by another thread to stop downloads and the unpacking of archives.
    pub stop: Arc<AtomicBool>,
}

impl Default for FetchOptions {
    /// Returns options without downloads and mirrors, with limits of 64 MiB and 10 s.
    fn default() -> Self {
        Self {
            allow_net: false,
            mirrors: Vec::new(),
            cache_dir: None,
            max_bytes: 64 << 20,
            progress: None,
            timeout: Duration::from_secs(10),
            stop: Arc::default(),
        }
    }
}

/// Resolves addresses to local files.
pub struct Fetcher {
    options: FetchOptions,
    mirrors: Mirrors,
    /// The parts of the cache that a resolved path was downloaded to.
    downloaded: Mutex<HashMap<PathBuf, Vec<PathBuf>>>,
}

impl Fetcher {
    /// Creates a fetcher. It does not access files before the first address is resolved.
    pub fn new(mut options: FetchOptions) -> Self {
        let mirrors = Mirrors::new(std::mem::take(&mut options.mirrors));
        Self { options, mirrors, downloaded: Mutex::default() }
    }

    /// Returns the local file that `uri` refers to. Paths are relative to `base_dir`.
    ///
    /// # Errors
    /// The address is invalid, or the file does not exist or must not be downloaded.
    pub fn resolve(&self, uri: &str, base_dir: &Path) -> Result<PathBuf, FetchError> {
        match Address::parse(uri, base_dir)? {
            Address::File(path) => existing(path),
            Address::Member { archive, member } => self.member(&archive, &member),
            Address::Remote { url, member: None } => {
                let (path, entry) = self.remote(&url)?;
                if let Some(entry) = entry {
                    self.remember(&path, entry.files());
                }
                Ok(path)
            }
            Address::Remote { url, member: Some(member) } => self.remote_member(&url, &member),
        }
    }

    /// Removes a file that [`Self::resolve`] has downloaded from the cache, because it cannot be read
    /// as the file that it should be. Returns `false` for a file that was not downloaded.
    pub fn discard(&self, path: &Path) -> bool {
        let mut downloaded = self.downloaded.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = downloaded.remove(path);
        parts.iter().flatten().for_each(|part| cache::remove(part));
        parts.is_some()
    }

    fn remember(&self, path: &Path, parts: Vec<PathBuf>) {
        let mut downloaded = self.downloaded.lock().unwrap_or_else(PoisonError::into_inner);
        downloaded.insert(path.to_owned(), parts);
    }

    fn member(&self, archive: &Path, member: &str) -> Result<PathBuf, FetchError> {
        let FetchOptions { max_bytes, stop, .. } = &self.options;
        archive::member(archive, member, &self.cache()?, *max_bytes, stop)
    }

    /// Returns the member of an archive on a server.
    fn remote_member(&self, url: &str, member: &str) -> Result<PathBuf, FetchError> {
        let (archive, entry) = self.remote(url)?;
        let Some(entry) = entry else { return self.member(&archive, member) };
        let found = self.member(&archive, member);
        match &found {
            Ok(path) => {
                let mut parts = entry.files();
                parts.extend(archive::folder(path, member));
                self.remember(path, parts);
            }
            Err(FetchError::Archive { .. }) => {
                entry.files().iter().for_each(|part| cache::remove(part));
            }
            Err(_) => {}
        }
        found.map_err(|error| match error {
            FetchError::Archive { detail, .. } => {
                FetchError::Discarded { url: url.to_owned(), detail }
            }
            error => error,
        })
    }

    fn cache(&self) -> Result<Cache, FetchError> {
        Cache::new(self.options.cache_dir.as_deref())
    }

    /// Returns the local copy of a file on a server, and its cache entry unless it is in a mirror.
    fn remote(&self, url: &str) -> Result<(PathBuf, Option<cache::Entry>), FetchError> {
        let mirrored = self.mirrors.find(url)?;
        if let Some(path) = mirrored.as_ref().filter(|path| path.is_file()) {
            return Ok((path.clone(), None));
        }
        if !self.options.allow_net {
            let url = url.to_owned();
            return Err(match mirrored {
                Some(path) => FetchError::NotInMirror { url, path },
                None => FetchError::NotAllowed { url },
            });
        }
        let entry = self.cache()?.entry(url);
        let path = match entry.valid() {
            Some(path) => path,
            None => self.download(url, &entry)?,
        };
        Ok((path, Some(entry)))
    }

    #[cfg(feature = "https")]
    fn download(&self, url: &str, entry: &cache::Entry) -> Result<PathBuf, FetchError> {
        net::download(url, entry, &self.options)
    }

    #[cfg(not(feature = "https"))]
    fn download(&self, url: &str, _: &cache::Entry) -> Result<PathBuf, FetchError> {
        Err(FetchError::NotBuiltIn { url: url.to_owned() })
    }
}

fn existing(path: PathBuf) -> Result<PathBuf, FetchError> {
    if path.is_file() { Ok(path) } else { Err(FetchError::NotFound { path }) }
}
