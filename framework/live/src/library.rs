//! The page of a server.

/// A file of the page, compressed with gzip.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Path at which it is served, such as `/app.js`.
    pub path: &'static str,
    /// Type of its content.
    pub kind: &'static str,
    /// The compressed content.
    pub gzip: &'static [u8],
}
