//! Meshes of prisms, boxes, cylinders and spheres.

use std::f64::consts::{PI, TAU};

use simhost_scene::polygon;
use simhost_vectors::Vec3;

use super::triangle_mesh::TriangleMesh;
use crate::space::prism::{Prisms, Top};

/// Sides of the solid around a cylinder or a sphere. The largest gap is 0.05 % of the radius.
const SIDES: usize = 96;
/// Part of its area by which an outline may be smaller than its convex hull and still counts as convex.
const FLAT: f64 = 1e-9;
/// Height at which prisms without an end are cut, m.
const TALLEST: f64 = 1e4;

/// Returns the unit normal of a triangle, or zero for one without an area.
pub(super) fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let a = Vec3::from(a);
    let normal = (Vec3::from(b) - a).cross(Vec3::from(c) - a);
    let length = normal.length();
    normal.map(|part| if length > 0.0 { part / length } else { 0.0 }).to_array()
}

/// Returns the solid over a convex outline at height 0 with a top at each corner.
fn extrude(outline: &[[f64; 2]], bottom: f64, tops: &[f64]) -> TriangleMesh {
    let count = outline.len() as u32;
    let low = outline.iter().map(|[x, y]| [*x, *y, bottom]);
    let high = outline.iter().zip(tops).map(|([x, y], top)| [*x, *y, *top]);
    let vertices = low.chain(high).collect();
    let mut triangles = Vec::with_capacity(4 * outline.len());
    for at in 0..count {
        let next = (at + 1) % count;
        triangles.extend([[at, next, next + count], [at, next + count, at + count]]);
    }
    for at in 1..count.saturating_sub(1) {
        triangles.extend([[0, at, at + 1], [count, count + at, count + at + 1]]);
    }
    TriangleMesh { vertices, triangles, ..TriangleMesh::default() }
}

/// Returns the mesh of a prism in the frame of its outline, from height 0 on, and whether its
/// surface is the surface of the prism rather than an enclosing surface.
pub(super) fn prism(prisms: &Prisms, at: usize) -> (TriangleMesh, bool) {
    let (outline, bottom, top) = prisms.local(at);
    let hull = polygon::convex_hull(&outline);
    let top_at = |[x, _]: &[f64; 2]| {
        let top = match top {
            Top::Flat(top) => top,
            Top::Ramp { base, slope } => base + slope * x,
            Top::Arch { base, height, .. } => base + height,
        };
        (top - bottom).min(TALLEST)
    };
    let tops: Vec<f64> = hull.iter().map(top_at).collect();
    let area = polygon::area(&hull);
    let is_convex = (area - polygon::area(&outline).abs()).abs() <= FLAT * area;
    // heights have rounding errors
    let is_above = tops.iter().all(|top| *top >= -FLAT * (1.0 + bottom.abs()));
    if is_convex && is_above && !matches!(top, Top::Arch { .. }) {
        return (extrude(&hull, 0.0, &tops), true);
    }
    let highest = tops.iter().fold(0.0f64, |a, b| a.max(*b));
    (extrude(&hull, 0.0, &vec![highest; hull.len()]), false)
}

/// Returns the mesh of a box between two corners, m.
pub(super) fn box_mesh([min, max]: [[f64; 3]; 2]) -> TriangleMesh {
    let outline = [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]];
    extrude(&outline, min[2], &[max[2]; 4])
}

/// Returns a solid around a cylinder about the z axis.
pub(super) fn cylinder(radius: f64, half: f64) -> TriangleMesh {
    let out = radius / (PI / SIDES as f64).cos();
    let corner = |at: usize| {
        let (sin, cos) = (TAU * at as f64 / SIDES as f64).sin_cos();
        [out * cos, out * sin]
    };
    let outline: Vec<[f64; 2]> = (0..SIDES).map(corner).collect();
    extrude(&outline, -half, &[half; SIDES])
}

/// Returns a solid around a sphere about the origin.
pub(super) fn sphere(radius: f64) -> TriangleMesh {
    let rows = SIDES / 2;
    let mut mesh = TriangleMesh::default();
    for row in 0..=rows {
        let (sin, cos) = (PI * row as f64 / rows as f64).sin_cos();
        mesh.vertices.extend((0..SIDES).map(|side| {
            let (y, x) = (TAU * side as f64 / SIDES as f64).sin_cos();
            [sin * x, sin * y, cos]
        }));
    }
    let at = |row: usize, side: usize| (row * SIDES + side % SIDES) as u32;
    for row in 0..rows {
        for side in 0..SIDES {
            let [a, b, c, d] =
                [at(row, side), at(row, side + 1), at(row + 1, side), at(row + 1, side + 1)];
            if row > 0 {
                mesh.triangles.push([a, b, d]);
            }
            if row + 1 < rows {
                mesh.triangles.push([a, c, d]);
            }
        }
    }
    // the nearest face touches the sphere
    let corner = |at: u32| mesh.vertices[at as usize];
    let distance = |at: &[u32; 3]| {
        let (normal, at) = (normal(at.map(corner)), corner(at[0]));
        (0..3).map(|axis| normal[axis] * at[axis]).sum::<f64>().abs()
    };
    let nearest = mesh.triangles.iter().map(distance).fold(1.0, f64::min);
    let factor = radius / nearest;
    mesh.vertices.iter_mut().for_each(|vertex| *vertex = vertex.map(|part| factor * part));
    mesh
}
