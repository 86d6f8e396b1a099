//! Code shared by fuzz targets. `fuzz/run` runs all targets.

mod client;
mod snapshot;
mod world;

pub use client::addition;
pub use snapshot::snapshot;
pub use world::world;

use simhost_assets::Limits;
use simhost_assets::mesh::{self, MeshFormat};
use simhost_scene::{HeightField, OccupancyGrid, polygon};

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_families as _;

/// Returns limits that keep each run short.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_pixels = 1_000_000;
    limits.max_vertices = 100_000;
    limits
}

/// Reads a mesh, its outline and its wireframe.
pub fn mesh(bytes: &[u8], format: MeshFormat) {
    let read = mesh::from_bytes(bytes, format, &limits(), &mesh::no_other_files);
    if let Some(section) = read.ok().and_then(|mesh| mesh.section(-1.0, 1.0)) {
        let simple = polygon::simplify_hull(&section.polygon, 12);
        assert!(simple.len() >= 3);
    }
    let _ = mesh::wireframe_from_bytes(bytes, format, &limits(), &mesh::no_other_files);
}

/// Computes the contour of a map, and casts a ray.
pub fn grid(grid: &OccupancyGrid) {
    let _ = grid.contour();
    let [x, y] = grid.corner();
    let half = 0.5 * grid.resolution();
    let _ = grid.cast([x + half, y + half], [0.6, 0.8], 1e3);
}

/// Computes a slope of terrain.
pub fn terrain(field: &HeightField) {
    let [x, y] = field.corner();
    let half = 0.5 * field.resolution();
    let _ = field.slope_at(x + half, y + half);
}
