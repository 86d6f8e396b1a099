//! Collision shapes of outlines.

use rapier2d_f64::prelude::*;
use simhost_scene::polygon;

/// Returns the convex hull of an outline as a shape, or `None` if it has no area.
pub(super) fn convex_hull(outline: &[[f64; 2]]) -> Option<SharedShape> {
    let corners: Vec<Vector> =
        polygon::convex_hull(outline).iter().map(|[x, y]| Vector::new(*x, *y)).collect();
    SharedShape::convex_polyline(corners)
}

/// Returns the width of a shape at its thinnest, m.
pub(super) fn width(shape: &dyn Shape) -> f64 {
    if let Some(polygon) = shape.as_convex_polygon() {
        let extent = |normal: &Vector| {
            let along = polygon.points().iter().map(|point| point.dot(*normal));
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        return polygon.normals().iter().map(extent).fold(f64::INFINITY, f64::min);
    }
    shape
        .as_voxels()
        .map_or(2.0 * shape.ccd_thickness(), |voxels| voxels.voxel_size().min_element())
}
