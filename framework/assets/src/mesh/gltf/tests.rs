use super::super::{MeshFormat, from_bytes, no_other_files};
use super::*;
use simhost_scene::Mesh;

/// Returns three corners and three indices as bytes.
fn numbers() -> Vec<u8> {
    let floats = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];
    let mut bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
    bytes
}

/// Returns a file with a triangle in a rotated node within a translated node.
fn json(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[10,0,0],"children":[1]}},
            {{"mesh":0,"rotation":[0.70710678,0,0,0.70710678],"scale":[1,2,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{{buffer}"byteLength":42}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},
            {{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
            "min":[0,0,0],"max":[1,2,0]}},
            {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}]}}"#
    )
}

fn parse(bytes: &[u8], resolve: &Resolver) -> Result<Mesh, Problem> {
    from_bytes(bytes, MeshFormat::Gltf, &Limits::default(), resolve)
}

fn assert_is_the_triangle(mesh: &Mesh) {
    let bounds = mesh.bounds().unwrap();
    for (found, expected) in bounds.min.into_iter().zip([10.0, 0.0, 0.0]) {
        assert!((found - expected).abs() < 1e-6, "{bounds:?}");
    }
    for (found, expected) in bounds.max.into_iter().zip([11.0, 0.0, 4.0]) {
        assert!((found - expected).abs() < 1e-6, "{bounds:?}");
    }
    assert_eq!(mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn buffers_can_be_embedded_external_or_in_the_same_file() {
    let coded = STANDARD.encode(numbers());
    let uri = format!(r#""uri":"data:application/octet-stream;base64,{coded}","#);
    assert_is_the_triangle(&parse(json(&uri).as_bytes(), &no_other_files).unwrap());

    let beside = json(r#""uri":"my%20data.bin","#);
    let resolve = |name: &str| {
        assert_eq!(name, "my data.bin");
        Ok(numbers())
    };
    assert_is_the_triangle(&parse(beside.as_bytes(), &resolve).unwrap());
    assert!(parse(beside.as_bytes(), &no_other_files).is_err());

    assert_is_the_triangle(&parse(&glb(&json("")), &no_other_files).unwrap());
}

fn glb(json: &str) -> Vec<u8> {
    let padded = |mut bytes: Vec<u8>, with: u8| {
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, data) = (padded(json.into(), b' '), padded(numbers(), 0));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + data.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", data)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

/// Found by fuzzing: subtracting the header from the length underflowed.
#[test]
fn a_header_with_a_length_of_0_is_rejected() {
    let mut bytes = glb(&json(""));
    bytes[8..12].copy_from_slice(&0u32.to_le_bytes());
    assert!(parse(&bytes, &no_other_files).unwrap_err().to_string().contains("length of 0"));
}

#[test]
fn a_huge_description_is_rejected() {
    let whole = json("").replace("[1]", &format!("[{}1]", "1,".repeat(2_000_000)));
    assert!(matches!(parse(whole.as_bytes(), &no_other_files), Err(Problem::TooMuch { .. })));
    assert!(matches!(parse(&glb(&whole), &no_other_files), Err(Problem::TooMuch { .. })));
    let wrong = json("").replace("[1]", &format!("[{}1]", "9,".repeat(10_000)));
    assert!(parse(wrong.as_bytes(), &no_other_files).unwrap_err().to_string().len() < 1000);
}

#[test]
fn references_out_of_range_and_cycles_are_rejected() {
    let resolve = |_: &str| Ok(numbers());
    let whole = json(r#""uri":"a","#);
    for (from, to) in [
        (r#""count":3,"type":"SCALAR""#, r#""count":4,"type":"SCALAR""#),
        (r#""byteLength":36}"#, r#""byteLength":36,"byteStride":252}"#),
        (r#""bufferView":1,"componentType":5123"#, r#""bufferView":9,"componentType":5123"#),
        (r#""children":[1]"#, r#""children":[0]"#),
        (r#""byteOffset":36"#, r#""byteOffset":18446744073709551615"#),
    ] {
        assert!(whole.contains(from));
        assert!(parse(whole.replace(from, to).as_bytes(), &resolve).is_err(), "{to}");
    }
    assert!(parse(whole.as_bytes(), &|_| Ok(numbers()[..38].to_vec())).is_err());
    let mut wrong = numbers();
    wrong[40] = 9;
    let error = parse(whole.as_bytes(), &move |_| Ok(wrong.clone())).unwrap_err();
    assert!(error.to_string().contains("refers to vertex 9"), "{error}");
}

/// Found by fuzzing: the library uses accessors before it checks that they exist.
#[test]
fn missing_accessors_are_reported() {
    for (from, to) in [("\"POSITION\":0", "\"POSITION\":7"), ("\"indices\":1", "\"indices\":7")] {
        let text = json(r#""uri":"a","#).replace(from, to);
        let error = parse(text.as_bytes(), &|_| Ok(numbers())).unwrap_err();
        assert!(error.to_string().contains("item 7 is missing"), "{error}");
    }
}

#[test]
fn primitives_have_the_base_colours_of_materials() {
    let image = STANDARD.encode(crate::image::tests::png(1, 1, &[100]));
    let coded = STANDARD.encode(numbers());
    let uri = format!(r#""uri":"data:application/octet-stream;base64,{coded}","#);
    let textured = |material: &str| {
        let materials = format!(
            r#""materials":[{{"pbrMetallicRoughness":{{{material}}}}}],"textures":[{{"source":0}}],
            "images":[{{"uri":"data:image/png;base64,{image}"}}],"meshes""#
        );
        let text = json(&uri).replacen(r#""meshes""#, &materials, 1);
        let text = text.replace(r#""indices":1"#, r#""indices":1,"material":0"#);
        // places on the image are the first six of the numbers
        let text = text.replace(r#""POSITION":0"#, r#""POSITION":0,"TEXCOORD_0":2"#);
        let accessor = r#""SCALAR"},{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}"#;
        let text = text.replace(r#""SCALAR"}"#, accessor);
        parse(text.as_bytes(), &no_other_files).unwrap()
    };
    let color = |mesh: Mesh| mesh.paint().first().map(|at| mesh.palette()[usize::from(*at)]);
    let read = |material: &str| color(textured(material));
    // factors are light: half of it is 188 in sRGB
    assert_eq!(read(r#""baseColorFactor":[1,0.5,0,1]"#), Some([255, 188, 0, 255]));
    assert_eq!(read(r#""baseColorTexture":{"index":0}"#), Some([100, 100, 100, 255]));
    assert_eq!(read(""), None);
    // they count from the upper left corner
    let mesh = textured(r#""baseColorFactor":[1,0,0,1],"baseColorTexture":{"index":0}"#);
    assert_eq!(mesh.places(0), [[0.0, 1.0], [0.0, 0.0], [0.0, 1.0]]);
    let skin = mesh.skins()[usize::from(mesh.paint()[0])].as_ref().unwrap();
    assert_eq!((skin.tint, skin.color_at([0.3, 0.3])), ([255, 0, 0, 255], [100, 0, 0, 255]));
    assert_eq!(read(r#""baseColorTexture":{"index":7}"#), None);
}
