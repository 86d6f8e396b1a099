//! What several fuzz targets do with what was read. `fuzz/run` runs them all.

mod snapshot;
mod world;

pub use snapshot::snapshot;
pub use world::world;

use simhost_assets::Limits;
use simhost_assets::mesh::{self, Format};
use simhost_scene::{HeightField, OccupancyGrid, polygon};

/// Bounds that keep one run short.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_pixels = 1_000_000;
    limits.max_vertices = 100_000;
    limits
}

/// A mesh, its outline and its lines.
pub fn mesh(bytes: &[u8], format: Format) {
    let read = mesh::from_bytes(bytes, format, &limits(), &mesh::no_other_files);
    if let Some(section) = read.ok().and_then(|mesh| mesh.section(-1.0, 1.0)) {
        let simple = polygon::simplify_hull(&section.polygon, 12);
        assert!(simple.len() >= 3);
    }
    let _ = mesh::wireframe_from_bytes(bytes, format, &limits(), &mesh::no_other_files);
}

/// A map, its contour and a ray.
pub fn grid(grid: &OccupancyGrid) {
    let _ = grid.contour();
    let [x, y] = grid.corner();
    let half = 0.5 * grid.resolution();
    let _ = grid.cast([x + half, y + half], [0.6, 0.8], 1e3);
}

/// A terrain and a height.
pub fn terrain(field: &HeightField) {
    let [x, y] = field.corner();
    let half = 0.5 * field.resolution();
    let _ = field.slope_at(x + half, y + half);
}
