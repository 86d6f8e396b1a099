//! Binary Autodesk FBX 7 meshes, placed as in their scene, in centimetres with y up.
//!
//! The reader uses polygons, the transformations of models with their pivots, and the diffuse colours of
//! materials. It ignores bones, animations, references to other files such as images, and lines.

mod paint;
mod record;
mod transform;

use std::collections::BTreeMap;

use super::assembly::{Assembly, Paint};
use super::placement::{MAX_DEPTH, Placement};
use crate::Problem;
use record::{Record, defective};

/// Appends the meshes of an FBX file to an assembly.
pub(super) fn read(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
    let root = record::read(bytes)?;
    let upright = root.child("GlobalSettings").map_or(Placement::IDENTITY, transform::upright);
    let Some(objects) = root.child("Objects") else {
        return Err(defective("expected an Objects record"));
    };
    let parents = root.child("Connections").map(parents).unwrap_or_default();
    let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    root.child("Connections").into_iter().flat_map(pairs).for_each(|[child, parent]| {
        children.entry(parent).or_default().push(child);
    });
    let colors = paint::materials(objects);
    let models: BTreeMap<i64, &Record> =
        objects.children("Model").filter_map(|model| Some((model.integer(0)?, model))).collect();
    // bounds the size of all decompressed arrays together
    let mut budget = 6 * assembly.limit();
    for geometry in objects.children("Geometry") {
        let Some(id) = geometry.integer(0) else { continue };
        let shape = Shape::read(geometry, &mut budget)?;
        for model in parents.get(&id).into_iter().flatten() {
            let Some(record) = models.get(model) else { continue };
            let mut own = assembly.like();
            let materials = children.get(model).into_iter().flatten();
            let colors: Vec<_> = materials.filter_map(|id| colors.get(id).copied()).collect();
            shape.add(&colors, &mut own)?;
            let place = place(*model, &models, &parents)?.after(&transform::geometric(record));
            assembly.append(&own, &upright.after(&place))?;
        }
    }
    Ok(())
}

/// Returns the pairs of an object and its parent.
fn pairs<'r>(connections: &'r Record<'_>) -> impl Iterator<Item = [i64; 2]> + 'r {
    let objects = connections.children("C").filter(|connection| connection.text(0) == Some("OO"));
    objects.filter_map(|connection| Some([connection.integer(1)?, connection.integer(2)?]))
}

/// Returns the parents of each object.
fn parents(connections: &Record) -> BTreeMap<i64, Vec<i64>> {
    let mut parents: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for [child, parent] in pairs(connections) {
        parents.entry(child).or_default().push(parent);
    }
    parents
}

/// Returns the transformation of a model: the product of its own transformation and the
/// transformations of its ancestors.
fn place(
    model: i64,
    models: &BTreeMap<i64, &Record>,
    parents: &BTreeMap<i64, Vec<i64>>,
) -> Result<Placement, Problem> {
    let mut place = Placement::IDENTITY;
    let mut next = Some(model);
    for _ in 0..MAX_DEPTH {
        let Some(id) = next else { return Ok(place) };
        let Some(record) = models.get(&id) else { return Ok(place) };
        place = transform::local(record).after(&place);
        next =
            parents.get(&id).and_then(|all| all.iter().copied().find(|p| models.contains_key(p)));
    }
    Err(defective("its models are nested too deeply or refer to each other in a cycle"))
}

/// Polygons of a geometry.
struct Shape {
    positions: Vec<f64>,
    /// Corners; the last one of a polygon is stored as its bitwise complement.
    corners: Vec<i64>,
    /// Places of materials.
    places: Vec<i64>,
}

impl Shape {
    fn read(geometry: &Record, budget: &mut usize) -> Result<Self, Problem> {
        let (Some(vertices), Some(indices)) =
            (geometry.child("Vertices"), geometry.child("PolygonVertexIndex"))
        else {
            return Ok(Self { positions: Vec::new(), corners: Vec::new(), places: Vec::new() });
        };
        let positions = vertices.floats(*budget)?;
        *budget -= positions.len();
        let corners = indices.integers(*budget)?;
        *budget -= corners.len();
        Ok(Self { positions, corners, places: paint::places(geometry, budget)? })
    }

    /// Adds the polygons to an assembly, with the colours of the materials of a model.
    fn add(&self, colors: &[[u8; 4]], own: &mut Assembly) -> Result<(), Problem> {
        let positions = self.positions.chunks_exact(3).map(|at| [at[0], at[1], at[2]]);
        let mut part = own.part(positions, &Placement::IDENTITY)?;
        let mut face: Vec<usize> = Vec::new();
        let mut polygon = 0;
        for &index in &self.corners {
            let corner = if index < 0 { !index } else { index };
            face.push(corner as usize);
            if index < 0 {
                part.paint(Paint::plain(paint::of_polygon(&self.places, polygon, colors)));
                part.polygon(&face)?;
                face.clear();
                polygon += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
