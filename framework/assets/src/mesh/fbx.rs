//! Binary Autodesk FBX 7 meshes, placed as in their scene, in centimetres with y up.
//!
//! The reader uses polygons, the transformations of models with their pivots, and the diffuse colours of
//! materials. It ignores bones, animations, references to other files such as images, and lines.

mod record;

use std::collections::BTreeMap;

use super::assembly::{Assembly, Paint, WHITE};
use super::material::color;
use super::placement::{MAX_DEPTH, Placement};
use crate::Problem;
use record::{Record, defective};

/// Appends the meshes of an FBX file to an assembly.
pub(super) fn read(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
    let root = record::read(bytes)?;
    let upright = root.child("GlobalSettings").map_or(Placement::IDENTITY, upright);
    let Some(objects) = root.child("Objects") else {
        return Err(defective("expected an Objects record"));
    };
    let parents = root.child("Connections").map(parents).unwrap_or_default();
    let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    root.child("Connections").into_iter().flat_map(pairs).for_each(|[child, parent]| {
        children.entry(parent).or_default().push(child);
    });
    let colors = materials(objects);
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
            let place = place(*model, &models, &parents)?.after(&geometric(record));
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
        place = local(record).after(&place);
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
        Ok(Self { positions, corners, places: places(geometry, budget)? })
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
                part.paint(Paint::plain(of_polygon(&self.places, polygon, colors)));
                part.polygon(&face)?;
                face.clear();
                polygon += 1;
            }
        }
        Ok(())
    }
}

/// Diffuse colours of the materials of a file by their numbers.
fn materials(objects: &Record) -> BTreeMap<i64, [u8; 4]> {
    let diffuse = |material: &Record| {
        let property = find_property(material, "DiffuseColor")?;
        let [red, green, blue] = [4, 5, 6].map(|place| property.float(place));
        Some(color([red?, green?, blue?, 1.0]))
    };
    let numbered = objects
        .children("Material")
        .filter_map(|material| Some((material.integer(0)?, diffuse(material).unwrap_or(WHITE))));
    numbered.collect()
}

/// Indices of the materials of the polygons of a geometry among the materials of its model: none
/// for a geometry without materials, one if all polygons have the same, or one for each.
fn places(geometry: &Record, budget: &mut usize) -> Result<Vec<i64>, Problem> {
    let Some(layer) = geometry.child("LayerElementMaterial") else { return Ok(Vec::new()) };
    let Some(array) = layer.child("Materials") else { return Ok(Vec::new()) };
    let mut places = array.integers(*budget)?;
    *budget -= places.len();
    let mapping = layer.child("MappingInformationType").and_then(|mapping| mapping.text(0));
    if mapping != Some("ByPolygon") {
        places.truncate(1);
    }
    Ok(places)
}

/// Returns the colour of a polygon of a model with these colours.
fn of_polygon(places: &[i64], polygon: usize, colors: &[[u8; 4]]) -> [u8; 4] {
    let place = if places.len() == 1 { places.first() } else { places.get(polygon) };
    let index = place.and_then(|place| usize::try_from(*place).ok());
    index.and_then(|index| colors.get(index)).copied().unwrap_or(WHITE)
}

/// Returns the three numbers of a property, or a default.
fn vector(record: &Record, name: &str, default: f64) -> [f64; 3] {
    let property = find_property(record, name);
    std::array::from_fn(|axis| property.and_then(|p| p.float(4 + axis)).unwrap_or(default))
}

fn integer(record: &Record, name: &str, default: i64) -> i64 {
    find_property(record, name).and_then(|property| property.integer(4)).unwrap_or(default)
}

/// Returns a property of an object.
fn find_property<'r, 'a>(record: &'r Record<'a>, name: &str) -> Option<&'r Record<'a>> {
    record.child("Properties70")?.children("P").find(|property| property.text(0) == Some(name))
}

/// Returns a rotation about the fixed axes x, y and z in the order given by the FBX enumeration.
fn rotation(angles_deg: [f64; 3], order: i64) -> Placement {
    let about = |axis: usize| {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        Placement::rotation(direction, angles_deg[axis].to_radians())
    };
    let [first, second, third] = match order {
        1 => [0, 2, 1],
        2 => [1, 2, 0],
        3 => [1, 0, 2],
        4 => [2, 0, 1],
        5 => [2, 1, 0],
        _ => [0, 1, 2],
    };
    about(third).after(&about(second)).after(&about(first))
}

/// Returns the transformation of a model relative to its parent.
fn local(model: &Record) -> Placement {
    let translation = |name: &str| Placement::translation(vector(model, name, 0.0));
    let inverse_translation =
        |name: &str| Placement::translation(vector(model, name, 0.0).map(|value| -value));
    let own_rotation =
        rotation(vector(model, "Lcl Rotation", 0.0), integer(model, "RotationOrder", 0));
    [
        translation("RotationOffset"),
        translation("RotationPivot"),
        rotation(vector(model, "PreRotation", 0.0), 0),
        own_rotation,
        rotation(vector(model, "PostRotation", 0.0), 0).inverse_rotation(),
        inverse_translation("RotationPivot"),
        translation("ScalingOffset"),
        translation("ScalingPivot"),
        Placement::scale(vector(model, "Lcl Scaling", 1.0)),
        inverse_translation("ScalingPivot"),
    ]
    .iter()
    .fold(translation("Lcl Translation"), |place, step| place.after(step))
}

/// Returns the transformation of a geometry relative to its model. Child models do not inherit it.
fn geometric(model: &Record) -> Placement {
    Placement::translation(vector(model, "GeometricTranslation", 0.0))
        .after(&rotation(vector(model, "GeometricRotation", 0.0), 0))
        .after(&Placement::scale(vector(model, "GeometricScaling", 1.0)))
}

/// Returns the transformation from the axes and units of the file to centimetres with y up.
fn upright(settings: &Record) -> Placement {
    let unit = find_property(settings, "UnitScaleFactor").and_then(|property| property.float(4));
    let unit = unit.filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    let row = |name: &str, default: i64| {
        let axis = integer(settings, &format!("{name}Axis"), default).clamp(0, 2);
        let sign = integer(settings, &format!("{name}AxisSign"), 1).signum() as f64;
        let mut row = [0.0; 4];
        row[axis as usize] = sign * unit;
        row
    };
    Placement::rows([row("Coord", 0), row("Up", 1), row("Front", 2)])
}

#[cfg(test)]
pub(crate) mod tests;
