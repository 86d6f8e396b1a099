//! Collada 1.4 and 1.5: the geometries of a scene in metres with y up.
//!
//! The reader uses positions, node transformations, `<unit>` and `up_axis`, and skins in their bind
//! pose. A material has the diffuse colour of its effect, or its diffuse image. Splines,
//! `<lookat>`, `<skew>` and colours of vertices are ignored.

mod document;
mod effect;
mod geometry;

use std::collections::BTreeMap;

use super::assembly::Assembly;
use super::material::Images;
use super::placement::{MAX_DEPTH, MAX_NODES, Placement};
use crate::Problem;
use document::{ById, Document, Node, defective, floats};
use effect::{Colors, Effects};

/// Appends the geometries of a Collada file to an assembly.
pub(super) fn read(
    bytes: &[u8],
    assembly: &mut Assembly,
    images: &Images<'_>,
) -> Result<(), Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| defective(format!("expected UTF-8: {error}")))?;
    let document = Document::parse(text.trim_start_matches('\u{feff}'))?;
    let root = document.root();
    if root.name() != "COLLADA" {
        return Err(defective(format!("expected <COLLADA>, found <{}>", root.name())));
    }
    let by_id = document.all().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let effects = Effects::new(images);
    let mut scene = ColladaScene { by_id, parsed: BTreeMap::new(), effects, assembly, nodes: 0 };
    let upright = upright(root);
    match visual_scene(root, &scene) {
        Some(start) => scene.node(start, &upright, 0),
        None => root
            .children_named("library_geometries")
            .flat_map(|library| library.children_named("geometry"))
            .try_for_each(|geometry| scene.geometry(None, geometry, &upright)),
    }
}

/// Returns the transformation from the units and axes of the file to metres with y up.
fn upright(root: Node) -> Placement {
    let asset = root.child("asset");
    let unit = asset.and_then(|asset| asset.child("unit")?.attribute("meter")?.trim().parse().ok());
    let unit = unit.filter(|unit: &f64| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    let axis = asset.and_then(|asset| asset.child("up_axis")).map(|axis| axis.text().trim());
    let turn = match axis {
        Some("Z_UP") => [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0]],
        Some("X_UP") => [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        _ => [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    };
    Placement::rows(turn).after(&Placement::scale([unit; 3]))
}

/// Returns the scene that the file instantiates, or else its first one.
fn visual_scene<'d>(root: Node<'d>, scene: &ColladaScene<'d, '_>) -> Option<Node<'d>> {
    let instance = root.child("scene").and_then(|node| node.child("instance_visual_scene"));
    instance.and_then(|instance| scene.target(instance, "url")).or_else(|| {
        root.children_named("library_visual_scenes")
            .find_map(|library| library.child("visual_scene"))
    })
}

/// A scene that is being assembled.
struct ColladaScene<'d, 'b> {
    by_id: ById<'d>,
    /// Geometries by the index of their element and the colours of their materials. A geometry can be
    /// instantiated many times.
    parsed: BTreeMap<(u32, Colors), Assembly>,
    effects: Effects<'b>,
    assembly: &'b mut Assembly,
    nodes: usize,
}

impl<'d> ColladaScene<'d, '_> {
    /// Returns the element that an attribute refers to.
    fn target(&self, node: Node<'d>, attribute: &str) -> Option<Node<'d>> {
        let id = node.attribute(attribute)?.trim().strip_prefix('#')?;
        self.by_id.get(id).copied()
    }

    /// Appends a node or a scene, which consists of nodes.
    fn node(&mut self, node: Node<'d>, outer: &Placement, depth: usize) -> Result<(), Problem> {
        let placement = outer.after(&own_placement(node)?);
        for child in node.children() {
            self.nodes += 1;
            if depth > MAX_DEPTH || self.nodes > MAX_NODES {
                return Err(defective(
                    "its nodes are nested too deeply or refer to each other in a cycle",
                ));
            }
            match child.name() {
                "node" => self.node(child, &placement, depth + 1)?,
                "instance_node" => {
                    if let Some(shared) = self.target(child, "url") {
                        self.node(shared, &placement, depth + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(geometry) = self.target(child, "url") {
                        self.geometry(Some(child), geometry, &placement)?;
                    }
                }
                "instance_controller" => self.skin(child, &placement)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Appends the geometry of a skin in its bind pose.
    fn skin(&mut self, instance: Node<'d>, outer: &Placement) -> Result<(), Problem> {
        let controller = self.target(instance, "url");
        let Some(skin) = controller.and_then(|node| node.child("skin")) else { return Ok(()) };
        let Some(geometry) = self.target(skin, "source") else { return Ok(()) };
        let bind = skin.child("bind_shape_matrix").map(matrix).transpose()?;
        let placement = outer.after(&bind.unwrap_or(Placement::IDENTITY));
        self.geometry(Some(instance), geometry, &placement)
    }

    /// Appends a geometry, which is parsed on first use. `instance` is the element that gives it materials.
    fn geometry(
        &mut self,
        instance: Option<Node<'d>>,
        node: Node<'d>,
        placement: &Placement,
    ) -> Result<(), Problem> {
        let colors = self.effects.colors(instance, node, &self.by_id)?;
        let key = (node.index(), colors);
        if !self.parsed.contains_key(&key) {
            let mut own = self.assembly.like();
            geometry::read(node, &self.by_id, &key.1, &mut own)?;
            self.parsed.insert(key.clone(), own);
        }
        let own = self.parsed.get(&key).expect("inserted just before");
        self.assembly.append(own, placement)
    }
}

/// Returns the product of all transformations of a node in document order.
fn own_placement(node: Node) -> Result<Placement, Problem> {
    let mut placement = Placement::IDENTITY;
    for child in node.children() {
        let step = match child.name() {
            "matrix" => matrix(child)?,
            "translate" => Placement::translation(numbers(child)?),
            "scale" => Placement::scale(numbers(child)?),
            "rotate" => {
                let [x, y, z, angle_deg] = numbers(child)?;
                Placement::rotation([x, y, z], angle_deg.to_radians())
            }
            _ => continue,
        };
        placement = placement.after(&step);
    }
    Ok(placement)
}

fn matrix(node: Node) -> Result<Placement, Problem> {
    let values: [f64; 16] = numbers(node)?;
    Ok(Placement::rows(std::array::from_fn(|row| std::array::from_fn(|c| values[4 * row + c]))))
}

fn numbers<const COUNT: usize>(node: Node) -> Result<[f64; COUNT], Problem> {
    floats(node)?.try_into().map_err(|found: Vec<f64>| {
        let name = node.name();
        defective(format!("<{name}> has {} numbers, expected {COUNT}", found.len()))
    })
}

#[cfg(test)]
mod tests;
