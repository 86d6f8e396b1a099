//! Errors of address resolution.

use std::path::PathBuf;

/// The reason why an address cannot be resolved, with advice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is not valid.
    #[error("invalid address `{uri}`: {detail}; expected a path, file://, http:// or https://")]
    Address {
        /// The address.
        uri: String,
        /// The problem.
        detail: &'static str,
    },
    /// The file does not exist.
    #[error("file not found: {}", path.display())]
    NotFound {
        /// Expected path of the file.
        path: PathBuf,
    },
    /// The file would have to be downloaded, which is not allowed.
    #[error(
        "downloads are not allowed: {url}; run with `--allow net`, or with \
         `--mirror URL_PREFIX=DIR` to use a local copy"
    )]
    NotAllowed {
        /// The address.
        url: String,
    },
    /// The mirror does not contain the file, and downloads are not allowed.
    #[error(
        "the mirror of {url} has no file {}; put it there, check `--mirror`, or run with \
         `--allow net`",
        path.display()
    )]
    NotInMirror {
        /// The address.
        url: String,
        /// Expected path of the file.
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
    /// The server responded with an error.
    #[error(
        "failed to download {url}: the server responded with status {status}; check the address"
    )]
    Status {
        /// The address.
        url: String,
        /// HTTP status code.
        status: u16,
    },
    /// The transfer failed.
    #[error("failed to download {url}: {detail}; check the connection, or use `--mirror`")]
    Download {
        /// The address.
        url: String,
        /// The cause.
        detail: String,
    },
    /// The server did not respond in time.
    #[error(
        "failed to download {url}: {detail}; check the connection, raise --timeout, or use \
         `--mirror`"
    )]
    TimedOut {
        /// The address.
        url: String,
        /// The time limit.
        detail: String,
    },
    /// The transfer was stopped on request.
    #[error("{url} was not completed because it was stopped")]
    Stopped {
        /// The address, or the path of an archive.
        url: String,
    },
    /// The downloaded archive cannot be read, or must not be unpacked.
    #[error(
        "the download of {url} is not a usable archive: {detail}; it has been removed from the \
         cache, and the next run downloads it again"
    )]
    Discarded {
        /// The address of the archive.
        url: String,
        /// The cause.
        detail: String,
    },
    /// The file exceeds the size limit.
    #[error("{what} exceeds {limit} bytes; make it smaller or raise --max-file-size")]
    TooLarge {
        /// The file.
        what: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The archive cannot be read, or must not be unpacked.
    #[error("{} cannot be unpacked: {detail}", archive.display())]
    Archive {
        /// Path of the archive.
        archive: PathBuf,
        /// The cause.
        detail: String,
    },
    /// The archive does not contain the member.
    #[error("{} has no member `{member}`; found {found}", archive.display())]
    Member {
        /// Path of the archive.
        archive: PathBuf,
        /// Path within the archive.
        member: String,
        /// Some of the members that it contains.
        found: String,
    },
    /// There is no directory for the cache.
    #[error("no cache directory found; set XDG_CACHE_HOME or HOME")]
    NoCacheFolder,
    /// The cache cannot be read or written.
    #[error("the cache {} cannot be used: {source}", path.display())]
    Cache {
        /// Path of the file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}
