//! Collada 1.4 and 1.5: geometries, where the scene has them, in metres and with y up.
//!
//! Taken are positions, node transformations, `<unit>` and `up_axis`; skins as they are bound. Left out
//! are splines, `<lookat>`, `<skew>` and all that gives colour.

mod geometry;

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};

use super::assembly::Assembly;
use super::placement::{MAX_DEPTH, MAX_NODES, Placement};
use crate::Problem;

/// Elements of a document.
const MAX_ELEMENTS: u32 = 2_000_000;

/// Attributes of one element: comparing them with each other takes time that grows with the square.
const MAX_ATTRIBUTES: usize = 1000;

/// Attributes of all elements together.
const MAX_ALL_ATTRIBUTES: usize = 4_000_000;

pub(super) fn read(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| defective(format!("expected UTF-8: {error}")))?;
    let text = text.trim_start_matches('\u{feff}');
    check_attributes(text)?;
    // the library takes memory for each bracket at once, before it counts elements
    let tags = text.bytes().filter(|byte| *byte == b'<').count();
    Problem::bounded("tags", tags as u64, 2 * u64::from(MAX_ELEMENTS))?;
    let options = ParsingOptions { nodes_limit: MAX_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(defective)?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(defective(format!("expected <COLLADA>, found <{}>", root.tag_name().name())));
    }
    let by_id = root.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let mut scene = Scene { by_id, parsed: BTreeMap::new(), assembly, nodes: 0 };
    let upright = upright(root);
    match visual_scene(root, &scene) {
        Some(start) => scene.node(start, &upright, 0),
        None => elements(root, "library_geometries")
            .flat_map(|library| elements(library, "geometry"))
            .try_for_each(|geometry| scene.geometry(geometry, &upright)),
    }
}

/// Refuses very many attributes, from the text alone.
fn check_attributes(text: &str) -> Result<(), Problem> {
    let mut open = false;
    let (mut count, mut all) = (0, 0);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            // declarations and remarks have no attributes
            b'<' => (open, count) = (bytes.peek() != Some(&b'!'), 0),
            b'>' => open = false,
            b'=' if open => (count, all) = (count + 1, all + 1),
            _ => {}
        }
        if count > MAX_ATTRIBUTES {
            return Err(defective(format!("an element has more than {MAX_ATTRIBUTES} attributes")));
        }
    }
    Problem::bounded("attributes", all as u64, MAX_ALL_ATTRIBUTES as u64)
}

fn defective(detail: impl ToString) -> Problem {
    Problem::syntax("Collada", detail)
}

/// Child elements of a name, whatever their namespace is.
fn elements<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> + use<'a, 'input> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn element<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> Option<Node<'a, 'input>> {
    elements(node, name).next()
}

/// From the units and axes of the file to metres with y up.
fn upright(root: Node) -> Placement {
    let asset = element(root, "asset");
    let unit =
        asset.and_then(|asset| element(asset, "unit")?.attribute("meter")?.trim().parse().ok());
    let unit = unit.filter(|unit: &f64| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    let axis = asset.and_then(|asset| element(asset, "up_axis")?.text()).map(str::trim);
    let turn = match axis {
        Some("Z_UP") => [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0]],
        Some("X_UP") => [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        _ => [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    };
    Placement::rows(turn).after(&Placement::scale([unit; 3]))
}

fn visual_scene<'a, 'input>(
    root: Node<'a, 'input>,
    scene: &Scene<'a, 'input, '_>,
) -> Option<Node<'a, 'input>> {
    let named = element(root, "scene").and_then(|node| element(node, "instance_visual_scene"));
    named.and_then(|instance| scene.target(instance, "url")).or_else(|| {
        elements(root, "library_visual_scenes").find_map(|library| element(library, "visual_scene"))
    })
}

/// The numbers in an element's text.
fn floats(node: Node) -> Result<Vec<f64>, Problem> {
    let words = node.text().unwrap_or_default().split_ascii_whitespace();
    words.map(float).collect()
}

fn float(word: &str) -> Result<f64, Problem> {
    word.parse().map_err(|_| {
        let shown: String = word.chars().take(40).collect();
        defective(format!("expected a number, found “{shown}”"))
    })
}

struct Scene<'a, 'input, 'b> {
    by_id: BTreeMap<&'a str, Node<'a, 'input>>,
    /// Geometries by their element: one may stand in many places.
    parsed: BTreeMap<u32, Assembly>,
    assembly: &'b mut Assembly,
    nodes: usize,
}

impl<'a, 'input> Scene<'a, 'input, '_> {
    /// The element that an attribute refers to.
    fn target(&self, node: Node<'a, 'input>, attribute: &str) -> Option<Node<'a, 'input>> {
        let id = node.attribute(attribute)?.trim().strip_prefix('#')?;
        self.by_id.get(id).copied()
    }

    /// A node, or a scene, which holds nodes.
    fn node(
        &mut self,
        node: Node<'a, 'input>,
        outer: &Placement,
        depth: usize,
    ) -> Result<(), Problem> {
        let placement = outer.after(&own_placement(node)?);
        for child in node.children().filter(Node::is_element) {
            self.nodes += 1;
            if depth > MAX_DEPTH || self.nodes > MAX_NODES {
                return Err(defective("its nodes are nested too deeply, or in a circle"));
            }
            match child.tag_name().name() {
                "node" => self.node(child, &placement, depth + 1)?,
                "instance_node" => {
                    if let Some(shared) = self.target(child, "url") {
                        self.node(shared, &placement, depth + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(geometry) = self.target(child, "url") {
                        self.geometry(geometry, &placement)?;
                    }
                }
                "instance_controller" => self.skin(child, &placement)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A geometry with bones, as it is bound to them.
    fn skin(&mut self, instance: Node<'a, 'input>, outer: &Placement) -> Result<(), Problem> {
        let controller = self.target(instance, "url");
        let Some(skin) = controller.and_then(|node| element(node, "skin")) else { return Ok(()) };
        let Some(geometry) = self.target(skin, "source") else { return Ok(()) };
        let bind = element(skin, "bind_shape_matrix").map(matrix).transpose()?;
        self.geometry(geometry, &outer.after(&bind.unwrap_or(Placement::IDENTITY)))
    }

    fn geometry(&mut self, node: Node<'a, 'input>, placement: &Placement) -> Result<(), Problem> {
        let key = node.id().get();
        if !self.parsed.contains_key(&key) {
            let mut own = self.assembly.like();
            geometry::read(node, &self.by_id, &mut own)?;
            self.parsed.insert(key, own);
        }
        let own = self.parsed.get(&key).expect("inserted just before");
        self.assembly.append(own, placement)
    }
}

/// All transformations of a node, in their order.
fn own_placement(node: Node) -> Result<Placement, Problem> {
    let mut placement = Placement::IDENTITY;
    for child in node.children().filter(Node::is_element) {
        let step = match child.tag_name().name() {
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
        let name = node.tag_name().name();
        defective(format!("<{name}> has {} numbers, expected {COUNT}", found.len()))
    })
}

#[cfg(test)]
mod tests;
