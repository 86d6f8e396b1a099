//! How much of a file is worth reading.

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
