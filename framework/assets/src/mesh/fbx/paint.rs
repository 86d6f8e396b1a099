//! Colours of polygons: the diffuse colours of the materials of a model.

use std::collections::BTreeMap;

use super::super::assembly::WHITE;
use super::super::material::color;
use super::record::Record;
use super::transform::find;
use crate::Problem;

/// Diffuse colours of the materials of a file by their numbers.
pub(super) fn materials(objects: &Record) -> BTreeMap<i64, [u8; 4]> {
    let diffuse = |material: &Record| {
        let property = find(material, "DiffuseColor")?;
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
pub(super) fn places(geometry: &Record, budget: &mut usize) -> Result<Vec<i64>, Problem> {
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
pub(super) fn of_polygon(places: &[i64], polygon: usize, colors: &[[u8; 4]]) -> [u8; 4] {
    let place = if places.len() == 1 { places.first() } else { places.get(polygon) };
    let index = place.and_then(|place| usize::try_from(*place).ok());
    index.and_then(|index| colors.get(index)).copied().unwrap_or(WHITE)
}
