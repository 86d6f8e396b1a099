//! Limits of the readers.

use crate::Problem;

/// Bounds on the size of files and of their content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum size of a file in bytes.
    pub max_file_bytes: u64,
    /// Maximum number of pixels of an image or cells of a map.
    pub max_pixels: u64,
    /// Maximum number of vertices and of triangles of a mesh, of points of a cloud and of samples
    /// of a terrain.
    pub max_vertices: usize,
}

impl Default for Limits {
    /// Returns limits of 64 MiB, 10⁸ pixels and 5·10⁶ vertices, which need less than 1 GiB of
    /// memory in every format.
    fn default() -> Self {
        Self { max_file_bytes: 64 << 20, max_pixels: 100_000_000, max_vertices: 5_000_000 }
    }
}

impl Limits {
    /// Checks a number of bytes.
    pub(crate) fn bound_bytes(&self, what: &'static str, count: u64) -> Result<(), Problem> {
        bound(what, count, self.max_file_bytes, "--max-file-size")
    }

    /// Checks a number of pixels or cells.
    pub(crate) fn bound_pixels(&self, what: &'static str, count: u64) -> Result<(), Problem> {
        bound(what, count, self.max_pixels, "--max-pixels")
    }
}

fn bound(what: &'static str, count: u64, limit: u64, flag: &'static str) -> Result<(), Problem> {
    if count <= limit {
        return Ok(());
    }
    Err(Problem::TooMuch { what, count, limit, flag: Some(flag) })
}
