//! A space as triangles, for engines that cast rays elsewhere, and the meaning of what they find.
//!
//! Flat surfaces become the same triangles that rays meet here. A curved surface, and a prism over an
//! outline that is not convex, become a solid around them: [`Space::resolve`] then finds the exact surface,
//! and casts the few rays again that meet the solid and not the surface. Planes, and maps with unknown
//! cells, stay here as well, because they cost less than a triangle or stop rays without a return.

mod contour;
mod resolve;

use std::f64::consts::{PI, TAU};

use simhost_scene::{HeightField, Pose3, Rotation, polygon};
use simhost_vectors::Vec3;

use super::beam::Label;
use super::instance::{Geometry, Instance};
use super::{Objects, Space};
use crate::space::prism::{Prisms, Top};

pub use resolve::TriangleHit;

/// A mesh at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Index of the mesh.
    pub mesh: usize,
    /// Position in the world, m.
    pub position: [f64; 3],
    /// Axes in the world.
    pub rotation: Rotation,
    /// Factor on all lengths.
    pub scale: f64,
    /// Number of the object, by which sensors leave it out.
    pub number: u32,
    /// Number that a [`TriangleHit`] reports.
    pub piece: u32,
}

/// The exact surface of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exact {
    /// The triangles.
    Triangles,
    /// A prism by its index.
    Prism(usize),
    /// An instance by its index.
    Instance(usize),
}

/// A part of the space that is handed out as a mesh.
#[derive(Clone, Copy, Debug)]
struct Piece {
    label: Label,
    exact: Exact,
}

/// The triangles of a space. Meshes and fixed pieces stay as they are; [`Tessellation::place_moving`]
/// returns the pieces that move at their present poses.
#[derive(Clone, Debug, Default)]
pub struct Tessellation {
    /// All meshes.
    pub meshes: Vec<TriangleMesh>,
    /// The pieces that never move, by their numbers.
    pub fixed: Vec<Placed>,
    /// Fixed pieces, then moving ones.
    pieces: Vec<Piece>,
    /// Unit normals of the triangles of each mesh.
    normals: Vec<Vec<[f64; 3]>>,
    /// Meshes of the moving prisms and of the geometries that are used.
    prisms: Vec<usize>,
    geometries: Vec<Option<(usize, bool)>>,
    /// Number of moving instances.
    instances: usize,
    /// Maps that are not among the triangles, by their indices.
    maps: Vec<usize>,
    /// Largest height above and below 0 up to which endless walls reach, m.
    reach: f64,
}

impl Space {
    /// Returns the triangles of the space. Walls of maps without an end reach up and down to `reach`, m.
    pub fn tessellate(&self, reach: f64) -> Tessellation {
        let geometries = vec![None; self.geometries.len()];
        let mut all = Tessellation { reach, geometries, ..Tessellation::default() };
        for at in 0..self.fixed.prisms.iter().len() {
            let (mesh, exact) = all.add_prism(&self.fixed, at);
            let (label, position, rotation) = self.fixed.prisms.pose(at);
            all.add_fixed(mesh, label, exact, position, rotation, 1.0);
        }
        for (at, instance) in self.fixed.instances.all.iter().enumerate() {
            let (mesh, exact) = all.geometry(&self.geometries, instance.geometry, at);
            let Instance { label, position, rotation, scale, .. } = *instance;
            all.add_fixed(mesh, label, exact, position, rotation, scale);
        }
        let unmoved = Pose3::default().rotation();
        for terrain in &self.terrain {
            let mesh = all.add_mesh(field(&terrain.field));
            all.add_fixed(mesh, terrain.label, Exact::Triangles, [0.0; 3], unmoved, 1.0);
        }
        for (at, map) in self.maps.iter().enumerate() {
            if contour::has_unknown_cells(&map.grid) {
                all.maps.push(at);
                continue;
            }
            let mesh = all.add_mesh(contour::mesh(&map.grid, [-reach, map.top.min(reach)]));
            all.add_fixed(mesh, map.label, Exact::Triangles, [0.0; 3], unmoved, 1.0);
        }
        all.add_moving(self);
        all
    }
}

impl Tessellation {
    fn add_mesh(&mut self, mesh: TriangleMesh) -> usize {
        let corner = |at: u32| mesh.vertices[at as usize];
        let normals = mesh.triangles.iter().map(|at| normal(at.map(corner)));
        self.normals.push(normals.collect());
        self.meshes.push(mesh);
        self.meshes.len() - 1
    }

    fn add_fixed(
        &mut self,
        mesh: usize,
        label: Label,
        exact: Exact,
        position: [f64; 3],
        rotation: Rotation,
        scale: f64,
    ) {
        let (piece, number) = (self.pieces.len() as u32, label.number);
        self.fixed.push(Placed { mesh, position, rotation, scale, number, piece });
        self.pieces.push(Piece { label, exact });
    }

    /// Adds the mesh of a prism.
    fn add_prism(&mut self, objects: &Objects, at: usize) -> (usize, Exact) {
        let (mesh, is_exact) = prism(&objects.prisms, at);
        let exact = if is_exact { Exact::Triangles } else { Exact::Prism(at) };
        (self.add_mesh(mesh), exact)
    }

    /// Returns the mesh of a geometry for the instance `at`.
    fn geometry(&mut self, all: &[Geometry], index: usize, at: usize) -> (usize, Exact) {
        let (mesh, is_exact) = self.geometries[index].unwrap_or_else(|| {
            let (mesh, is_exact) = match &all[index] {
                Geometry::Mesh(body) => {
                    let (vertices, triangles) = (body.vertices.clone(), body.triangles.clone());
                    let paint = body.paint.clone();
                    (TriangleMesh { vertices, triangles, paint }, true)
                }
                Geometry::Box(corners) => (box_mesh(*corners), true),
                Geometry::Cylinder { radius, half } => (cylinder(*radius, *half), false),
                Geometry::Sphere(radius) => (sphere(*radius), false),
                Geometry::Prism(extrusion) => {
                    let (mut mesh, is_exact) = prism(extrusion.prisms(), 0);
                    // the mesh of a prism begins at height 0
                    let (_, [_, _, bottom], _) = extrusion.prisms().pose(0);
                    mesh.vertices.iter_mut().for_each(|vertex| vertex[2] += bottom);
                    (mesh, is_exact)
                }
            };
            let known = (self.add_mesh(mesh), is_exact);
            self.geometries[index] = Some(known);
            known
        });
        (mesh, if is_exact { Exact::Triangles } else { Exact::Instance(at) })
    }

    /// Adds the meshes of everything that moves.
    fn add_moving(&mut self, space: &Space) {
        let moving = space.moving.get();
        for at in 0..moving.prisms.iter().len() {
            let (mesh, exact) = self.add_prism(moving, at);
            let (label, ..) = moving.prisms.pose(at);
            self.prisms.push(mesh);
            self.pieces.push(Piece { label, exact });
        }
        for (at, instance) in moving.instances.all.iter().enumerate() {
            let (_, exact) = self.geometry(&space.geometries, instance.geometry, at);
            self.pieces.push(Piece { label: instance.label, exact });
        }
        self.instances = moving.instances.all.len();
    }

    /// Writes the pieces that move at their present poses. Returns whether the space still has the objects
    /// from which the triangles were made; if not, it has to be tessellated again.
    pub fn place_moving(&self, space: &Space, placed: &mut Vec<Placed>) -> bool {
        placed.clear();
        let Objects { prisms, instances } = space.moving.get();
        if prisms.iter().len() != self.prisms.len() || instances.all.len() != self.instances {
            return false;
        }
        let first = self.fixed.len() as u32;
        for (at, mesh) in self.prisms.iter().enumerate() {
            let (label, position, rotation) = prisms.pose(at);
            let (piece, number) = (first + at as u32, label.number);
            placed.push(Placed { mesh: *mesh, position, rotation, scale: 1.0, number, piece });
        }
        let first = first + self.prisms.len() as u32;
        for (at, instance) in instances.all.iter().enumerate() {
            let Some((mesh, _)) = self.geometries[instance.geometry] else { return false };
            let (position, rotation, scale) =
                (instance.position, instance.rotation, instance.scale);
            let (piece, number) = (first + at as u32, instance.label.number);
            placed.push(Placed { mesh, position, rotation, scale, number, piece });
        }
        let is_known = |one: &Placed| self.pieces[one.piece as usize].label.number == one.number;
        placed.iter().all(is_known)
    }

    /// Returns whether a sensor at a position, m, that sees up to `max_range`, m, sees the same of maps as
    /// with walls without an end, and is not inside a solid cell.
    pub fn covers(&self, space: &Space, position: [f64; 3], max_range: f64) -> bool {
        if self.maps.len() == space.maps.len() {
            return true;
        }
        let [x, y, z] = position;
        let in_cell = space.maps.iter().enumerate().any(|(at, map)| {
            let cell = map.grid.index_at(x, y).filter(|_| z <= map.top);
            !self.maps.contains(&at) && cell.is_some_and(|[ix, iy]| map.grid.is_solid(ix, iy))
        });
        !in_cell && z.abs() + max_range <= self.reach
    }
}

/// Returns the triangles of terrain in the frame of the world.
fn field(field: &HeightField) -> TriangleMesh {
    let ([rows, columns], [x, y]) = (field.size(), field.corner());
    let step = field.resolution();
    let mut mesh = TriangleMesh::default();
    for row in 0..rows {
        let heights = (0..columns).map(|column| field.height(row, column).unwrap_or_default());
        let points = heights.enumerate();
        mesh.vertices
            .extend(points.map(|(column, z)| [x + row as f64 * step, y + column as f64 * step, z]));
    }
    let at = |row: usize, column: usize| (row * columns + column) as u32;
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            let (near, far) = (at(row, column), at(row + 1, column + 1));
            mesh.triangles.push([near, at(row + 1, column), far]);
            mesh.triangles.push([near, at(row, column + 1), far]);
        }
    }
    mesh
}

/// Sides of the solid around a cylinder or a sphere. The largest gap is 0.05 % of the radius.
const SIDES: usize = 96;
/// Part of its area by which an outline may be smaller than its convex hull and still counts as convex.
const FLAT: f64 = 1e-9;
/// Height at which prisms without an end are cut, m.
const TALLEST: f64 = 1e4;

/// Returns the unit normal of a triangle, or zero for one without an area.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
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
fn prism(prisms: &Prisms, at: usize) -> (TriangleMesh, bool) {
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
fn box_mesh([min, max]: [[f64; 3]; 2]) -> TriangleMesh {
    let outline = [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]];
    extrude(&outline, min[2], &[max[2]; 4])
}

/// Returns a solid around a cylinder about the z axis.
fn cylinder(radius: f64, half: f64) -> TriangleMesh {
    let out = radius / (PI / SIDES as f64).cos();
    let corner = |at: usize| {
        let (sin, cos) = (TAU * at as f64 / SIDES as f64).sin_cos();
        [out * cos, out * sin]
    };
    let outline: Vec<[f64; 2]> = (0..SIDES).map(corner).collect();
    extrude(&outline, -half, &[half; SIDES])
}

/// Returns a solid around a sphere about the origin.
fn sphere(radius: f64) -> TriangleMesh {
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

/// Triangles in a local frame, m. Both sides reflect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Positions of the vertices, m.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of the corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Index of the surface of each triangle after the surface of its piece; empty if all have the
    /// surface of the piece.
    pub(in crate::space) paint: Vec<u16>,
}
