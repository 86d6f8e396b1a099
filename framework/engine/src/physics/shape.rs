//! Collision shapes of outlines.

use rapier2d_f64::prelude::*;
use simhost_scene::polygon;

/// The collision shape of an outline.
pub(super) struct Hull {
    pub shape: SharedShape,
    /// Radius of the outline about the centre of mass, m.
    pub radius: f64,
    /// Width of the outline at its thinnest, m.
    pub width: f64,
}

/// Shape of the body that was added last. The next body shares it if their outlines are equal.
#[derive(Default)]
pub(super) struct LastHull {
    /// Outline, shape and width, m.
    last: Option<(Vec<[f64; 2]>, SharedShape, f64)>,
}

impl LastHull {
    /// Returns the collision shape of an outline with a centre of mass. Returns `None` if it has no area.
    pub fn hull(&mut self, outline: &[[f64; 2]], centre: [f64; 2]) -> Option<Hull> {
        if self.last.as_ref().is_none_or(|(known, ..)| known != outline) {
            let shape = convex_hull(outline)?;
            let width = width(shape.as_ref());
            self.last = Some((outline.to_vec(), shape, width));
        }
        let (_, shape, width) = self.last.as_ref()?;
        let radius = polygon::bounding_radius(outline, centre);
        Some(Hull { shape: shape.clone(), radius, width: *width })
    }
}

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
