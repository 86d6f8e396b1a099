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
            let _ = from_bytes(&bytes, MeshFormat::Collada, &Limits::default(), &no_other_files);
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
        parse(&format!("<COLLADA{attributes}/>")).unwrap_err().to_string().contains("attributes")
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
