//! Binary Autodesk FBX 7 meshes, placed as in their scene, in centimetres with y up.
//!
//! The reader uses polygons and the transformations of models with their pivots. It ignores bones,
//! animations, references to other files, and lines.

mod record;
mod transform;

use std::collections::BTreeMap;

use super::assembly::Assembly;
use super::placement::{MAX_DEPTH, Placement};
use crate::Problem;
use record::Record;

fn defective(detail: impl ToString) -> Problem {
    Problem::syntax("FBX", detail)
}

/// Appends the meshes of an FBX file to an assembly.
pub(super) fn read(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
    let root = record::read(bytes)?;
    let upright = root.child("GlobalSettings").map_or(Placement::IDENTITY, transform::upright);
    let Some(objects) = root.child("Objects") else {
        return Err(defective("expected an Objects record"));
    };
    let parents = root.child("Connections").map(parents).unwrap_or_default();
    let models: BTreeMap<i64, &Record> =
        objects.children("Model").filter_map(|model| Some((model.integer(0)?, model))).collect();
    // bounds the size of all decompressed arrays together
    let mut budget = 6 * assembly.limit();
    for geometry in objects.children("Geometry") {
        let Some(id) = geometry.integer(0) else { continue };
        let mut own = assembly.like();
        polygons(geometry, &mut own, &mut budget)?;
        for model in parents.get(&id).into_iter().flatten() {
            let Some(record) = models.get(model) else { continue };
            let place = place(*model, &models, &parents)?.after(&transform::geometric(record));
            assembly.append(&own, &upright.after(&place))?;
        }
    }
    Ok(())
}

/// Returns the parents of each object.
fn parents(connections: &Record) -> BTreeMap<i64, Vec<i64>> {
    let mut parents: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for connection in connections.children("C") {
        if let (Some("OO"), Some(child), Some(parent)) =
            (connection.text(0), connection.integer(1), connection.integer(2))
        {
            parents.entry(child).or_default().push(parent);
        }
    }
    parents
}

/// Returns the transformation of a model: the product of its own and those of its ancestors.
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

fn polygons(geometry: &Record, own: &mut Assembly, budget: &mut usize) -> Result<(), Problem> {
    let (Some(vertices), Some(indices)) =
        (geometry.child("Vertices"), geometry.child("PolygonVertexIndex"))
    else {
        return Ok(());
    };
    let numbers = vertices.floats(*budget)?;
    *budget -= numbers.len();
    let positions = numbers.chunks_exact(3).map(|at| [at[0], at[1], at[2]]);
    let mut part = own.part(positions, &Placement::IDENTITY)?;
    let mut face: Vec<usize> = Vec::new();
    let indices = indices.integers(*budget)?;
    *budget -= indices.len();
    for index in indices {
        // the last corner of a polygon is stored as its bitwise complement
        let corner = if index < 0 { !index } else { index };
        face.push(corner as usize);
        if index < 0 {
            part.polygon(&face)?;
            face.clear();
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
