use std::io::Write;

use super::super::{MeshFormat, from_bytes, no_other_files};
use super::*;
use crate::Limits;
use simhost_scene::Mesh;

/// A record to be written.
pub(crate) struct Node {
    name: &'static str,
    values: Vec<Vec<u8>>,
    children: Vec<Node>,
}

fn node(name: &'static str, values: Vec<Vec<u8>>, children: Vec<Node>) -> Node {
    Node { name, values, children }
}

fn tagged(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[kind], bytes].concat()
}

fn long(value: i64) -> Vec<u8> {
    tagged(b'L', &value.to_le_bytes())
}

fn int(value: i32) -> Vec<u8> {
    tagged(b'I', &value.to_le_bytes())
}

fn double(value: f64) -> Vec<u8> {
    tagged(b'D', &value.to_le_bytes())
}

fn text(value: &str) -> Vec<u8> {
    [&tagged(b'S', &(value.len() as u32).to_le_bytes()), value.as_bytes()].concat()
}

fn array(kind: u8, count: u32, packed: bool, plain: &[u8]) -> Vec<u8> {
    let mut bytes = plain.to_vec();
    if packed {
        let mut coder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        coder.write_all(plain).unwrap();
        bytes = coder.finish().unwrap();
    }
    let head = [count, u32::from(packed), bytes.len() as u32];
    let head: Vec<u8> = head.iter().flat_map(|value| value.to_le_bytes()).collect();
    [&tagged(kind, &head), &bytes[..]].concat()
}

fn doubles(values: &[f64], packed: bool) -> Vec<u8> {
    let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(b'd', values.len() as u32, packed, &plain)
}

fn ints(values: &[i32]) -> Vec<u8> {
    let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(b'i', values.len() as u32, false, &plain)
}

fn property(name: &str, values: Vec<Vec<u8>>) -> Node {
    let head = ["", "", ""].iter().map(|part| text(part));
    node("P", [text(name)].into_iter().chain(head).chain(values).collect(), vec![])
}

fn write(node: &Node, wide: bool, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let length = |value: u64| {
        if wide { value.to_le_bytes().to_vec() } else { (value as u32).to_le_bytes().to_vec() }
    };
    let values = node.values.concat();
    bytes.extend(length(0));
    bytes.extend(length(node.values.len() as u64));
    bytes.extend(length(values.len() as u64));
    bytes.push(node.name.len() as u8);
    bytes.extend(node.name.as_bytes());
    bytes.extend(values);
    node.children.iter().for_each(|child| write(child, wide, bytes));
    if !node.children.is_empty() {
        bytes.extend(vec![0; if wide { 25 } else { 13 }]);
    }
    let end = length(bytes.len() as u64);
    bytes[start..start + end.len()].copy_from_slice(&end);
}

fn file(version: u32, nodes: &[Node]) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(version.to_le_bytes());
    nodes.iter().for_each(|node| write(node, version >= 7500, &mut bytes));
    bytes.extend(vec![0; if version >= 7500 { 25 } else { 13 }]);
    bytes
}

/// Returns a file with z up and a quadrangle of 2 × 1 in a model that is rotated by 90° about z and
/// translated.
pub(crate) fn sample(version: u32, packed: bool, indices: &[i32]) -> Vec<u8> {
    painted_sample(version, packed, indices, None)
}

/// Returns the file of [`sample`], whose polygons have the materials `places` among red and grey.
fn painted_sample(version: u32, packed: bool, indices: &[i32], places: Option<&[i32]>) -> Vec<u8> {
    let corners = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let layer = places.map_or(vec![], |places| {
        let mapping = text("ByPolygon");
        vec![
            node("MappingInformationType", vec![mapping], vec![]),
            node("Materials", vec![ints(places)], vec![]),
        ]
    });
    let material = |id: i64, [red, green, blue]: [f64; 3]| {
        let color = vec![double(red), double(green), double(blue)];
        let properties = node("Properties70", vec![], vec![property("DiffuseColor", color)]);
        node("Material", vec![long(id), text("c"), text("")], vec![properties])
    };
    let geometry = node(
        "Geometry",
        vec![long(1), text("g"), text("Mesh")],
        vec![
            node("Vertices", vec![doubles(&corners, packed)], vec![]),
            node("PolygonVertexIndex", vec![ints(indices)], vec![]),
            node("LayerElementMaterial", vec![int(0)], layer),
        ],
    );
    let places = vec![
        property("Lcl Translation", vec![double(10.0), double(0.0), double(5.0)]),
        property("Lcl Rotation", vec![double(0.0), double(0.0), double(90.0)]),
        property("Lcl Scaling", vec![double(1.0), double(3.0), double(1.0)]),
    ];
    let model = node(
        "Model",
        vec![long(2), text("m"), text("Mesh")],
        vec![node("Properties70", vec![], places)],
    );
    let axes = [("UpAxis", 2), ("FrontAxis", 1), ("FrontAxisSign", -1), ("CoordAxis", 0)];
    let axes = axes.into_iter().map(|(name, value)| property(name, vec![int(value)])).collect();
    let [red, grey] = [(3, [1.0, 0.0, 0.0]), (4, [0.5; 3])].map(|(id, color)| material(id, color));
    let connect =
        |[child, parent]: [i64; 2]| node("C", vec![text("OO"), long(child), long(parent)], vec![]);
    file(
        version,
        &[
            node("GlobalSettings", vec![], vec![node("Properties70", vec![], axes)]),
            node("Objects", vec![], vec![geometry, model, red, grey]),
            node("Connections", vec![], [[1, 2], [3, 2], [4, 2], [2, 0]].map(connect).into()),
        ],
    )
}

fn parse(bytes: &[u8]) -> Result<Mesh, Problem> {
    from_bytes(bytes, MeshFormat::Fbx, &Limits::default(), &no_other_files)
}

#[test]
fn models_are_placed_with_y_up() {
    for (version, packed) in [(7400, false), (7400, true), (7700, true)] {
        let mesh = parse(&sample(version, packed, &[0, 1, 2, -4])).unwrap();
        assert_eq!(mesh.triangles().len(), 2);
        // z up: x from 7 to 10, y from 0 to 2, z = 5; then (x, y, z) → (x, z, −y)
        let bounds = mesh.bounds().unwrap();
        let expected = [[7.0, 5.0, -2.0], [10.0, 5.0, 0.0]];
        for (found, expected) in [bounds.min, bounds.max].iter().zip(expected) {
            let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(close, "{version}: {bounds:?}");
        }
    }
}

/// The materials of polygons are counted among the materials of their model.
#[test]
fn polygons_have_the_colours_of_materials() {
    let faces = [0, 1, -3, 0, 2, -4];
    let colors = |places: Option<&[i32]>| {
        let mesh = parse(&painted_sample(7400, false, &faces, places)).unwrap();
        let paint = mesh.paint().iter().map(|index| mesh.palette()[usize::from(*index)]);
        paint.collect::<Vec<_>>()
    };
    let (red, grey) = ([255, 0, 0, 255], [128, 128, 128, 255]);
    assert_eq!(colors(Some(&[1, 0])), [grey, red]);
    assert_eq!(colors(Some(&[1])), [grey; 2]);
    assert_eq!(colors(Some(&[0, 7])), [red, [255; 4]]);
    assert!(colors(None).is_empty());
}

#[test]
fn invalid_files_are_rejected() {
    let whole = sample(7400, true, &[0, 1, 2, -4]);
    for length in [5, 26, 40, whole.len() / 2, whole.len() - 30] {
        assert!(parse(&whole[..length]).is_err(), "{length}");
    }
    let error = parse(&sample(7400, true, &[0, 1, 9, -4])).unwrap_err().to_string();
    assert!(error.contains("refers to vertex 9"), "{error}");
    let error = parse(b"; FBX 7.3.0 project file").unwrap_err().to_string();
    assert!(error.contains("only binary FBX"), "{error}");
    let error = parse(&sample(6100, false, &[0, 1, -3])).unwrap_err().to_string();
    assert!(error.contains("version 6100"), "{error}");
}

#[test]
fn huge_arrays_are_rejected() {
    let small = Limits { max_vertices: 1, ..Limits::default() };
    let bytes = sample(7400, true, &[0, 1, 2, -4]);
    let error = from_bytes(&bytes, MeshFormat::Fbx, &small, &no_other_files).unwrap_err();
    assert!(matches!(error, Problem::TooMuch { count: 12, .. }), "{error}");
}
