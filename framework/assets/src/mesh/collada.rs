//! Collada 1.4 and 1.5: the geometries of a scene in metres with y up.
//!
//! The reader uses positions, node transformations, `<unit>` and `up_axis`, and skins in their bind
//! pose. A material has the diffuse colour of its effect, or its diffuse image. Splines,
//! `<lookat>`, `<skew>` and colours of vertices are ignored.

mod document;
mod geometry;

use std::collections::BTreeMap;

use super::assembly::{Assembly, Paint, WHITE};
use super::material::{Images, color};
use super::placement::{MAX_DEPTH, MAX_NODES, Placement};
use crate::Problem;
use document::{ById, Document, Node, defective, floats};

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

/// Looks of a geometry by the symbols of its materials.
type Colors = BTreeMap<String, Paint>;

/// The effects of a file, each evaluated once.
struct Effects<'i> {
    images: &'i Images<'i>,
    /// Colours of materials by the index of their element.
    known: BTreeMap<u32, Paint>,
}

impl<'i> Effects<'i> {
    fn new(images: &'i Images<'i>) -> Self {
        Self { images, known: BTreeMap::new() }
    }

    /// Returns the colours of a geometry as an instance binds its materials. A symbol without a binding is
    /// the id of a material.
    fn colors<'d>(
        &mut self,
        instance: Option<Node<'d>>,
        geometry: Node<'d>,
        by_id: &ById<'d>,
    ) -> Result<Colors, Problem> {
        let binding = instance.and_then(|instance| instance.child("bind_material"));
        let technique = binding.and_then(|binding| binding.child("technique_common"));
        let mut colors = Colors::new();
        let Some(mesh) = geometry.child("mesh") else { return Ok(colors) };
        for symbol in mesh.children().filter_map(|primitive| primitive.attribute("material")) {
            let bound = technique.into_iter().flat_map(|technique| {
                technique
                    .children_named("instance_material")
                    .filter(|bound| bound.attribute("symbol") == Some(symbol))
            });
            let target = bound.filter_map(|bound| referred(bound, "target", by_id)).next();
            let material = target.or_else(|| by_id.get(symbol).copied());
            let color = match material {
                Some(material) => self.color(material, by_id)?,
                None => Paint::WHITE,
            };
            colors.insert(symbol.to_owned(), color);
        }
        Ok(colors)
    }

    /// Returns the colour of a `<material>`.
    fn color<'d>(&mut self, material: Node<'d>, by_id: &ById<'d>) -> Result<Paint, Problem> {
        if let Some(known) = self.known.get(&material.index()) {
            return Ok(*known);
        }
        let instance = material.child("instance_effect");
        let effect = instance.and_then(|instance| referred(instance, "url", by_id));
        let profile = effect.and_then(|effect| effect.child("profile_COMMON"));
        let shader = profile.and_then(|profile| {
            let technique = profile.child("technique")?;
            technique.children().find(|child| SHADERS.contains(&child.name()))
        });
        // a constant shader emits its colour
        let diffuse = shader.and_then(|shader| {
            shader.child(if shader.name() == "constant" { "emission" } else { "diffuse" })
        });
        let found = match diffuse.and_then(|diffuse| diffuse.child("color")) {
            Some(given) => match floats(given)?[..] {
                [red, green, blue, ..] => Paint::plain(color([red, green, blue, 1.0])),
                _ => Paint::WHITE,
            },
            None => {
                let texture = diffuse.and_then(|diffuse| diffuse.child("texture"));
                let file = texture.and_then(|texture| image(texture, profile?, by_id));
                file.map_or(Paint::WHITE, |file| self.images.paint(WHITE, file))
            }
        };
        self.known.insert(material.index(), found);
        Ok(found)
    }
}

/// Shaders of the common profile.
const SHADERS: [&str; 4] = ["phong", "lambert", "blinn", "constant"];

/// Returns the element to which an attribute refers.
fn referred<'d>(node: Node<'d>, attribute: &str, by_id: &ById<'d>) -> Option<Node<'d>> {
    by_id.get(node.attribute(attribute)?.trim().strip_prefix('#')?).copied()
}

/// Returns the file of a texture: the file of the image on the surface of its sampler, or of the
/// image that it names itself.
fn image<'d>(texture: Node<'d>, profile: Node<'d>, by_id: &ById<'d>) -> Option<&'d str> {
    let parameter = |sid: &str, kind: &'static str| {
        let found = profile.children_named("newparam");
        found.filter(|found| found.attribute("sid") == Some(sid)).find_map(|it| it.child(kind))
    };
    let named = texture.attribute("texture")?;
    let sampler = parameter(named, "sampler2D");
    let surface = sampler.and_then(|sampler| sampler.child("source"));
    let surface = surface.and_then(|source| parameter(source.text().trim(), "surface"));
    let id = surface.and_then(|surface| surface.child("init_from")).map(|from| from.text().trim());
    let instance = sampler.and_then(|sampler| sampler.child("instance_image"));
    let image = match (id, instance) {
        (Some(id), _) => by_id.get(id).copied(),
        (None, Some(instance)) => referred(instance, "url", by_id),
        (None, None) => by_id.get(named).copied(),
    };
    let from = image?.child("init_from")?;
    let file = from.child("ref").unwrap_or(from);
    Some(file.text().trim())
}

#[cfg(test)]
mod tests {
    use super::super::{MeshFormat, from_bytes, no_other_files, wireframe_from_bytes};
    use super::*;
    use crate::Limits;
    use simhost_scene::Mesh;

    /// Returns a document with a quadrangle of 2 × 1 in the plane z = 0.
    fn document(asset: &str, primitive: &str, scene: &str) -> String {
        format!(
            r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><contributor/>{asset}</asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0  2 0 0  2 1 0  0 1 0</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    {primitive}
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s">{scene}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##
        )
    }

    const QUADRANGLE: &str = r##"<polylist count="1"><input semantic="VERTEX" source="#v" offset="1"/>
    <input semantic="NORMAL" source="#n" offset="0"/>
    <vcount>4</vcount><p>9 0 9 1 9 2 9 3</p></polylist>"##;

    const PLAIN: &str = r##"<node><instance_geometry url="#g"/></node>"##;

    fn parse(text: &str) -> Result<Mesh, Problem> {
        from_bytes(text.as_bytes(), MeshFormat::Collada, &Limits::default(), &no_other_files)
    }

    fn assert_bounds(mesh: &Mesh, min: [f64; 3], max: [f64; 3]) {
        let bounds = mesh.bounds().unwrap();
        for axis in 0..3 {
            assert!((bounds.min[axis] - min[axis]).abs() < 1e-12, "{bounds:?}, expected {min:?}");
            assert!((bounds.max[axis] - max[axis]).abs() < 1e-12, "{bounds:?}, expected {max:?}");
        }
    }

    #[test]
    fn units_and_axes_are_converted() {
        let read = |asset: &str| parse(&document(asset, QUADRANGLE, PLAIN)).unwrap();
        assert_bounds(&read(""), [0.0, 0.0, 0.0], [2.0, 1.0, 0.0]);
        let centimetres = r#"<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>"#;
        assert_bounds(&read(centimetres), [0.0, 0.0, 0.0], [0.02, 0.01, 0.0]);
        // (x, y, z) → (x, z, −y)
        assert_bounds(&read("<up_axis>Z_UP</up_axis>"), [0.0, 0.0, -1.0], [2.0, 0.0, 0.0]);
        // (x, y, z) → (−y, x, z)
        assert_bounds(&read("<up_axis>X_UP</up_axis>"), [-1.0, 0.0, 0.0], [0.0, 2.0, 0.0]);
    }

    #[test]
    fn nodes_nest_and_geometries_are_shared() {
        let scene = r##"<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
        <node><scale>2 2 2</scale><instance_geometry url="#g"/></node></node>
        <node><matrix>1 0 0 0  0 1 0 0  0 0 1 7  0 0 0 1</matrix><instance_geometry url="#g"/></node>"##;
        let mesh = parse(&document("", QUADRANGLE, scene)).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (8, 4));
        assert_bounds(&mesh, [0.0, 0.0, 0.0], [10.0, 4.0, 7.0]);
    }

    #[test]
    fn every_primitive_is_supported() {
        let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
        for (primitive, triangles) in [
            (format!("<triangles>{input}<p>0 1 2 0 2 3</p></triangles>"), 2),
            (format!("<polygons>{input}<p>0 1 2 3</p><p>0 1 2</p></polygons>"), 3),
            (format!("<tristrips>{input}<p>0 1 2 3</p></tristrips>"), 2),
            (format!("<trifans>{input}<p>0 1 2 3</p></trifans>"), 2),
            (format!("<polylist>{input}<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>"), 3),
        ] {
            let mesh = parse(&document("", &primitive, PLAIN)).unwrap();
            assert_eq!(mesh.triangles().len(), triangles, "{primitive}");
        }
        let lines = format!("<lines>{input}<p>0 1 2 3</p></lines>");
        let text = document("", &lines, PLAIN);
        let found = wireframe_from_bytes(
            text.as_bytes(),
            MeshFormat::Collada,
            &Limits::default(),
            &no_other_files,
        );
        assert_eq!(found.unwrap()[0], [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        assert!(parse(&text).is_err());
    }

    #[test]
    fn without_a_scene_all_geometries_are_used() {
        let text = document("", QUADRANGLE, PLAIN);
        let from = text.find("<library_visual").unwrap();
        let text = format!("{}</COLLADA>", &text[..from]);
        assert_eq!(parse(&text).unwrap().triangles().len(), 2);
    }

    #[test]
    fn invalid_files_are_rejected() {
        let whole = document("", QUADRANGLE, PLAIN);
        for (from, to, expected) in [
            ("9 0 9 1 9 2 9 3", "9 0 9 1 9 2 9 4", "refers to vertex 4"),
            ("9 0 9 1 9 2 9 3", "9 0 9 -1 9 2 9 3", "found `-1`"),
            ("2 1 0  0 1 0", "2 1 0", "expected 4 positions, found 3"),
            ("0 1 0</float", "0 1 x</float", "found `x`"),
            ("count=\"4\"", "count=\"4000000000\"", "vertices: found 4000000000"),
            ("stride=\"3\"", "stride=\"2\"", "stride of 2"),
            ("</mesh>", "", "Collada"),
            ("source=\"#p\"", "source=\"#q\"", "no source"),
            ("<node>", "<node id=\"n\"><instance_node url=\"#n\"/>", "cycle"),
            ("<node>", "<node><matrix>1 2 3</matrix>", "<matrix> has 3 numbers, expected 16"),
            ("<asset>", "<!DOCTYPE a [<!ENTITY b \"c\">]><asset>", "Collada"),
        ] {
            assert!(whole.contains(from), "{from}");
            let error = parse(&whole.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{to}: {error}");
        }
    }

    #[test]
    fn changed_and_missing_bytes_never_panic() {
        let whole = document("<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>", QUADRANGLE, PLAIN);
        for position in 0..whole.len() {
            let mut bytes = whole.clone().into_bytes();
            for byte in *b"<>/&\"#-9 a\0\xff" {
                bytes[position] = byte;
                let _ =
                    from_bytes(&bytes, MeshFormat::Collada, &Limits::default(), &no_other_files);
            }
            let start = &whole.as_bytes()[..position];
            let _ = from_bytes(start, MeshFormat::Collada, &Limits::default(), &no_other_files);
            bytes.remove(position);
            let _ = from_bytes(&bytes, MeshFormat::Collada, &Limits::default(), &no_other_files);
        }
    }

    #[test]
    fn exponential_expansion_is_rejected() {
        // each node holds the next one twice: 2³⁰ geometries
        let mut library = String::from(r##"<node id="n0"><instance_geometry url="#g"/></node>"##);
        for level in 1..30 {
            let inner = level - 1;
            let twice = format!(r##"<instance_node url="#n{inner}"/>"##).repeat(2);
            library += &format!(r#"<node id="n{level}">{twice}</node>"#);
        }
        let scene = r##"<node><instance_node url="#n29"/></node>"##;
        let text = document("", QUADRANGLE, scene).replace(
            "<library_visual",
            &format!("<library_nodes>{library}</library_nodes><library_visual"),
        );
        assert!(parse(&text).is_err());
        let deep = "<a>".repeat(200_000);
        assert!(parse(&format!("<COLLADA>{deep}")).is_err());
        assert!(parse(&format!("<COLLADA>{deep}{}</COLLADA>", "</a>".repeat(200_000))).is_err());
        let attributes: String = (0..100_000).map(|k| format!(" a{k}=''")).collect();
        assert!(
            parse(&format!("<COLLADA{attributes}/>"))
                .unwrap_err()
                .to_string()
                .contains("attributes")
        );
    }

    /// Two triangles with the materials that an instance binds to the symbols `a` and `b`.
    #[test]
    fn instances_bind_colours_and_images_to_materials() {
        let triangle = |symbol: &str, corners: &str| {
            format!(
                r##"<triangles material="{symbol}" count="1"><input semantic="VERTEX" source="#v"
            offset="0"/><p>{corners}</p></triangles>"##
            )
        };
        // the second one has places on its image
        let places = r##"<source id="t"><float_array id="ta" count="6">0 0 1 0 1 0.5</float_array>
        <technique_common><accessor source="#ta" count="3" stride="2"/></technique_common></source>"##;
        let placed = triangle("b", "0 0 2 1 3 2")
            .replace("<p>", r##"<input semantic="TEXCOORD" source="#t" offset="1" set="0"/><p>"##);
        let faces = triangle("a", "0 1 2") + places + &placed;
        let scene = r##"<node><instance_geometry url="#g"><bind_material><technique_common>
        <instance_material symbol="a" target="#red"/><instance_material symbol="b" target="#wood"/>
        </technique_common></bind_material></instance_geometry></node>
        <node><instance_geometry url="#g"><bind_material><technique_common>
        <instance_material symbol="a" target="#wood"/>
        </technique_common></bind_material></instance_geometry></node>"##;
        let effects = r##"<library_images><image id="i"><init_from>my%20wood.png</init_from></image>
        </library_images><library_effects>
        <effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0.2 0 1</color>
        </diffuse></phong></technique></profile_COMMON></effect>
        <effect id="f"><profile_COMMON><newparam sid="u"><surface type="2D"><init_from>i</init_from>
        </surface></newparam><newparam sid="w"><sampler2D><source>u</source></sampler2D></newparam>
        <technique sid="t"><lambert><diffuse><texture texture="w" texcoord="c"/></diffuse></lambert>
        </technique></profile_COMMON></effect></library_effects><library_materials>
        <material id="red"><instance_effect url="#e"/></material>
        <material id="wood"><instance_effect url="#f"/></material></library_materials>"##;
        let text =
            document("", &faces, scene).replace("<library_geo", &format!("{effects}<library_geo"));
        let image = crate::image::tests::png(1, 1, &[77]);
        let resolve = |name: &str| {
            assert_eq!(name, "my wood.png");
            Ok(image.clone())
        };
        let mesh =
            from_bytes(text.as_bytes(), MeshFormat::Collada, &Limits::default(), &resolve).unwrap();
        let paint = mesh.paint().iter().map(|index| mesh.palette()[usize::from(*index)]);
        let (red, wood) = ([255, 51, 0, 255], [77, 77, 77, 255]);
        assert_eq!(paint.collect::<Vec<_>>(), [red, wood, wood, [255; 4]]);
        let places = [1, 2].map(|triangle| mesh.places(triangle));
        assert_eq!(places, [[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]], [[0.0; 2]; 3]]);
        let skins = mesh.paint().iter().map(|index| mesh.skins()[usize::from(*index)].is_some());
        assert_eq!(skins.collect::<Vec<_>>(), [false, true, true, false]);
        // an image that cannot be read leaves its material white
        let missing = |_: &str| no_other_files("");
        let mesh =
            from_bytes(text.as_bytes(), MeshFormat::Collada, &Limits::default(), &missing).unwrap();
        assert_eq!(mesh.palette(), [[255; 4], red]);
    }
}
