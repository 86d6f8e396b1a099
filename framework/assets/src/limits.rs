//! How much of a file is worth reading.

use crate::Problem;

/// Bounds of what is read and of what it may unfold to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one file.
    pub max_file_bytes: u64,
    /// Pixels of an image, cells of a map.
    pub max_pixels: u64,
    /// Vertices and triangles of a mesh, points of a cloud, samples of a DEM: of each so many.
    pub max_vertices: usize,
}

impl Default for Limits {
    /// 64 MiB, 10⁸ pixels, 5·10⁶ vertices: under 1 GiB of memory whatever the format.
    fn default() -> Self {
        Self { max_file_bytes: 64 << 20, max_pixels: 100_000_000, max_vertices: 5_000_000 }
    }
}

impl Limits {
    /// Nothing, as long as a file, or what stands for one, has no more bytes than may be read.
    pub(crate) fn bound_bytes(&self, what: &'static str, count: u64) -> Result<(), Problem> {
        bound(what, count, self.max_file_bytes, "--max-file-size")
    }

    /// The same of pixels or cells.
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
