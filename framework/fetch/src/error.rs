//! Why a file cannot be had.

use std::path::PathBuf;

/// Why a file cannot be had, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is not one.
    #[error("“{uri}” is no address: {detail}; expected a path, file://, http:// or https://")]
    Address {
        /// What was given.
        uri: String,
        /// What is wrong with it.
        detail: &'static str,
    },
    /// There is no such file.
    #[error("there is no file {}", path.display())]
    NotFound {
        /// Where it was expected.
        path: PathBuf,
    },
    /// A download without permission.
    #[error(
        "{url} would have to be downloaded, which a world file may not do by itself: run with \
         `--allow net`, or with `--mirror URL_PREFIX=DIR` to take it from a folder"
    )]
    NotAllowed {
        /// The address.
        url: String,
    },
    /// A mirror without the file, and no permission to download it.
    #[error(
        "the mirror of {url} has no file {}: put it there, check `--mirror`, or run with \
         `--allow net`",
        path.display()
    )]
    NotInMirror {
        /// The address.
        url: String,
        /// Where it was expected.
        path: PathBuf,
    },
    /// The program was built without the feature `https`.
    #[error(
        "{url} cannot be downloaded by this build; rebuild simhost with \
         `cargo build --release --features https`, or run with `--mirror URL_PREFIX=DIR`"
    )]
    NotBuiltIn {
        /// The address.
        url: String,
    },
    /// The server answered that it will not.
    #[error("{url} cannot be downloaded: the server answers {status}; check the address")]
    Status {
        /// The address.
        url: String,
        /// The status code of HTTP.
        status: u16,
    },
    /// The download failed on its way.
    #[error("{url} cannot be downloaded: {detail}; check the connection, or use `--mirror`")]
    Download {
        /// The address.
        url: String,
        /// What happened.
        detail: String,
    },
    /// Larger than allowed.
    #[error("{what} has more than {limit} bytes: make it smaller or raise --max-file-size")]
    TooLarge {
        /// Which file.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// The archive cannot be read, or must not be unpacked.
    #[error("{} cannot be unpacked: {detail}", archive.display())]
    Archive {
        /// Which archive.
        archive: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The archive has no such member.
    #[error("{} has no member “{member}”; it has {has}", archive.display())]
    Member {
        /// Which archive.
        archive: PathBuf,
        /// What was asked for.
        member: String,
        /// Some of what is there.
        has: String,
    },
    /// There is no place for a cache.
    #[error("there is no folder for downloads: set XDG_CACHE_HOME or HOME")]
    NoCacheFolder,
    /// The cache cannot be read or written.
    #[error("the cache {} cannot be used: {source}", path.display())]
    Cache {
        /// The file or folder.
        path: PathBuf,
        /// What happened.
        source: std::io::Error,
    },
}
