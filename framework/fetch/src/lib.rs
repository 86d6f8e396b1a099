//! From an address in a world file to a file on this machine.
//!
//! | Address | Where the file comes from |
//! |---|---|
//! | `models/a.dae`, `file://models/a.dae` | this machine, relative to the folder of the world file |
//! | `models/all.zip/a.dae` | a member of an archive on this machine |
//! | `http(s)://host/a.dae` | a mirror folder, else the cache, else a download |
//! | `http(s)://host/all.zip/a.dae` | a member of such an archive |
//!
//! A world file is untrusted: nothing is downloaded unless it was allowed. A mirror needs no permission,
//! as it is a folder of this machine. Downloads are kept in a cache by the whole address, beside a
//! checksum that is compared at each use; they are written to one side and renamed when complete, so
//! neither a failure nor a second process leaves half a file. Archives are unpacked as a whole, because
//! a mesh may name files beside it.
//!
//! The feature `https` (off by default) adds downloads over https and http, with `rustls` and its
//! provider `graviola`, which needs no C compiler but an x86-64 or AArch64 processor with AES and
//! vector instructions (2013 or newer).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
mod archive;
mod cache;
mod checksum;
mod error;
mod mirror;
#[cfg(feature = "https")]
mod net;

use std::path::{Path, PathBuf};

use address::Address;
use cache::Cache;
use mirror::Mirrors;

pub use error::FetchError;

/// How far a download is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// What is downloaded.
    pub url: &'a str,
    /// How many bytes have arrived.
    pub received: u64,
    /// How many there will be, if the server says so.
    pub total: Option<u64>,
    /// Whether this was the last report on it.
    pub finished: bool,
}

/// Told of downloads, on the thread that resolves, every few kilobytes.
pub type Observer = Box<dyn Fn(Progress) + Send + Sync>;

/// What a fetcher may do, and where.
pub struct FetchOptions {
    /// Whether files may be downloaded.
    pub allow_net: bool,
    /// Address prefixes and the folders that stand for them. The longest prefix wins.
    pub mirrors: Vec<(String, PathBuf)>,
    /// Where downloads are kept; by default `simhost` in `$XDG_CACHE_HOME` or in `$HOME/.cache`.
    pub cache_dir: Option<PathBuf>,
    /// Most bytes of one file. An archive may unpack to four times as many in all.
    pub max_bytes: u64,
    /// Told of downloads.
    pub progress: Option<Observer>,
}

impl Default for FetchOptions {
    /// No network, no mirrors, 64 MiB.
    fn default() -> Self {
        Self {
            allow_net: false,
            mirrors: Vec::new(),
            cache_dir: None,
            max_bytes: 64 << 20,
            progress: None,
        }
    }
}

/// Finds the files that addresses stand for.
pub struct Fetcher {
    options: FetchOptions,
    mirrors: Mirrors,
}

impl Fetcher {
    /// A fetcher with these permissions. Nothing is touched before the first address.
    pub fn new(mut options: FetchOptions) -> Self {
        let mirrors = Mirrors::new(std::mem::take(&mut options.mirrors));
        Self { options, mirrors }
    }

    /// The file that `uri` stands for. Relative paths begin at `base_dir`.
    pub fn resolve(&self, uri: &str, base_dir: &Path) -> Result<PathBuf, FetchError> {
        match Address::parse(uri, base_dir)? {
            Address::File(path) => existing(path),
            Address::Member { archive, member } => self.member(&archive, &member),
            Address::Remote { url, member: None } => self.remote(&url),
            Address::Remote { url, member: Some(member) } => {
                self.member(&self.remote(&url)?, &member)
            }
        }
    }

    fn member(&self, archive: &Path, member: &str) -> Result<PathBuf, FetchError> {
        archive::member(archive, member, &self.cache()?, self.options.max_bytes)
    }

    fn cache(&self) -> Result<Cache, FetchError> {
        Cache::new(self.options.cache_dir.as_deref())
    }

    fn remote(&self, url: &str) -> Result<PathBuf, FetchError> {
        let mirrored = self.mirrors.find(url)?;
        if let Some(path) = mirrored.as_ref().filter(|path| path.is_file()) {
            return Ok(path.clone());
        }
        if !self.options.allow_net {
            let url = url.to_owned();
            return Err(match mirrored {
                Some(path) => FetchError::NotInMirror { url, path },
                None => FetchError::NotAllowed { url },
            });
        }
        let entry = self.cache()?.entry(url);
        if let Some(path) = entry.valid() {
            return Ok(path);
        }
        self.download(url, &entry)
    }

    #[cfg(feature = "https")]
    fn download(&self, url: &str, entry: &cache::Entry) -> Result<PathBuf, FetchError> {
        net::download(url, entry, self.options.max_bytes, self.options.progress.as_ref())
    }

    #[cfg(not(feature = "https"))]
    fn download(&self, url: &str, _: &cache::Entry) -> Result<PathBuf, FetchError> {
        Err(FetchError::NotBuiltIn { url: url.to_owned() })
    }
}

fn existing(path: PathBuf) -> Result<PathBuf, FetchError> {
    if path.is_file() { Ok(path) } else { Err(FetchError::NotFound { path }) }
}
