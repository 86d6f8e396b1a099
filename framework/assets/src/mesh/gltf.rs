//! glTF 2, through the `gltf` library. Buffers are read here, with bounds; sparse and compressed ones
//! are refused.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Primitive, Semantic, buffer};

use super::Resolver;
use super::assembly::{Assembly, Part};
use super::placement::{MAX_DEPTH, MAX_NODES, Placement};
use crate::{Limits, Problem};

pub(super) fn read(
    bytes: &[u8],
    assembly: &mut Assembly,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<(), Problem> {
    let file = Gltf::from_slice(bytes).map_err(|error| Problem::syntax("glTF", error))?;
    let buffers = buffers(&file, limits, resolve)?;
    let mut scene = Scene { buffers, assembly, nodes: 0 };
    let Some(roots) = file.default_scene().or_else(|| file.scenes().next()) else {
        return Err(Problem::syntax("glTF", "it has no scene"));
    };
    roots.nodes().try_for_each(|node| scene.node(&node, &Placement::IDENTITY, 0))
}

fn buffers(file: &Gltf, limits: &Limits, resolve: &Resolver) -> Result<Vec<Vec<u8>>, Problem> {
    let mut total = 0;
    let mut all = Vec::new();
    for buffer in file.buffers() {
        let bytes = match buffer.source() {
            buffer::Source::Bin => file.blob.clone().unwrap_or_default(),
            buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
                Some(data) => embedded(data)?,
                None => resolve(&decoded(uri))?,
            },
        };
        total += bytes.len() as u64;
        Problem::bounded("bytes of all buffers", total, limits.max_file_bytes)?;
        all.push(bytes);
    }
    Ok(all)
}

/// `MIME;base64,DATA`.
fn embedded(data: &str) -> Result<Vec<u8>, Problem> {
    let (_, coded) = data
        .split_once(";base64,")
        .ok_or_else(|| Problem::syntax("glTF", "an embedded buffer is not coded in base64"))?;
    STANDARD.decode(coded).map_err(|error| Problem::syntax("glTF", error))
}

/// A relative address with its `%20` and the like resolved.
fn decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| uri.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

struct Scene<'a> {
    buffers: Vec<Vec<u8>>,
    assembly: &'a mut Assembly,
    nodes: usize,
}

impl Scene<'_> {
    fn node(&mut self, node: &Node, outer: &Placement, depth: usize) -> Result<(), Problem> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(Problem::syntax("glTF", "its nodes are nested too deeply or in a circle"));
        }
        let columns = node.transform().matrix().map(|column| column.map(f64::from));
        let rows = std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]));
        let placement = outer.after(&Placement::rows(rows));
        if let Some(mesh) = node.mesh() {
            mesh.primitives().try_for_each(|primitive| self.primitive(&primitive, &placement))?;
        }
        node.children().try_for_each(|child| self.node(&child, &placement, depth + 1))
    }

    fn primitive(&mut self, primitive: &Primitive, placement: &Placement) -> Result<(), Problem> {
        self.nodes += 1;
        let Some(positions) = primitive.get(&Semantic::Positions) else { return Ok(()) };
        if primitive.mode() == Mode::Points {
            return Ok(());
        }
        let limit = self.assembly.limit();
        let vertices = vectors(&self.buffers, &positions, limit)?;
        let indices = match primitive.indices() {
            Some(indices) => integers(&self.buffers, &indices, limit)?,
            None => (0..vertices.len()).collect(),
        };
        let mut part = self.assembly.part(vertices, placement)?;
        add(&mut part, primitive.mode(), &indices)
    }
}

fn add(part: &mut Part, mode: Mode, indices: &[usize]) -> Result<(), Problem> {
    match mode {
        Mode::Points => Ok(()),
        Mode::Lines => indices.chunks_exact(2).try_for_each(|ends| part.line([ends[0], ends[1]])),
        Mode::LineStrip | Mode::LineLoop => {
            indices.windows(2).try_for_each(|ends| part.line([ends[0], ends[1]]))?;
            match indices {
                [first, _, .., last] if mode == Mode::LineLoop => part.line([*last, *first]),
                _ => Ok(()),
            }
        }
        Mode::Triangles => indices
            .chunks_exact(3)
            .try_for_each(|three| part.triangle([three[0], three[1], three[2]])),
        Mode::TriangleStrip => part.strip(indices),
        Mode::TriangleFan => part.polygon(indices),
    }
}

fn vectors(
    buffers: &[Vec<u8>],
    accessor: &Accessor,
    limit: usize,
) -> Result<Vec<[f64; 3]>, Problem> {
    let kind = (accessor.data_type(), accessor.dimensions());
    if kind != (DataType::F32, Dimensions::Vec3) {
        return Err(unsupported("positions that are not three floats"));
    }
    let float =
        |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let vector = |item: &[u8]| [float(item), float(&item[4..]), float(&item[8..])];
    Ok(items(buffers, accessor, 12, limit)?.map(vector).collect())
}

fn integers(buffers: &[Vec<u8>], accessor: &Accessor, limit: usize) -> Result<Vec<usize>, Problem> {
    let size = match (accessor.data_type(), accessor.dimensions()) {
        (DataType::U8, Dimensions::Scalar) => 1,
        (DataType::U16, Dimensions::Scalar) => 2,
        (DataType::U32, Dimensions::Scalar) => 4,
        _ => return Err(unsupported("indices that are not unsigned integers")),
    };
    let integer =
        |item: &[u8]| item.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
    Ok(items(buffers, accessor, size, limit.saturating_mul(3))?.map(integer).collect())
}

/// Pieces of `size` bytes, all of which are there.
fn items<'a>(
    buffers: &'a [Vec<u8>],
    accessor: &Accessor,
    size: usize,
    limit: usize,
) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, Problem> {
    if accessor.sparse().is_some() {
        return Err(unsupported("sparse accessors"));
    }
    let Some(view) = accessor.view() else {
        return Err(unsupported("compressed meshes, or accessors without a buffer"));
    };
    let (count, stride) = (accessor.count(), view.stride().unwrap_or(size));
    Problem::bounded("values of an accessor", count as u64, limit as u64)?;
    let bytes = || {
        let buffer = buffers.get(view.buffer().index())?;
        let whole = buffer.get(view.offset()..view.offset().checked_add(view.length())?)?;
        let length = count.checked_sub(1)?.checked_mul(stride)?.checked_add(size)?;
        whole.get(accessor.offset()..accessor.offset().checked_add(length)?)
    };
    if count > 0 && stride < size {
        return Err(Problem::syntax("glTF", "the stride of a buffer view is less than an item"));
    }
    let bytes = if count == 0 { Some(&[][..]) } else { bytes() };
    let bytes = bytes.ok_or_else(|| {
        let number = accessor.index();
        Problem::syntax("glTF", format!("accessor {number} reaches beyond its buffer"))
    })?;
    Ok((0..count).map(move |index| &bytes[index * stride..index * stride + size]))
}

fn unsupported(what: &str) -> Problem {
    Problem::Unsupported {
        detail: format!("has {what}, which are not read"),
        remedy: "export it as plain glTF without compression",
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, from_bytes, no_other_files};
    use super::*;
    use simhost_scene::Mesh;

    /// Three corners and three indices.
    fn numbers() -> Vec<u8> {
        let floats = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];
        let mut bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        bytes.extend([0u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
        bytes
    }

    /// A triangle in a node that is turned upright within one that is moved.
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
        from_bytes(bytes, Format::Gltf, &Limits::default(), resolve)
    }

    fn is_the_triangle(mesh: &Mesh) {
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
    fn buffers_embedded_beside_and_in_one_file() {
        let coded = STANDARD.encode(numbers());
        let uri = format!(r#""uri":"data:application/octet-stream;base64,{coded}","#);
        is_the_triangle(&parse(json(&uri).as_bytes(), &no_other_files).unwrap());

        let beside = json(r#""uri":"my%20data.bin","#);
        let resolve = |name: &str| {
            assert_eq!(name, "my data.bin");
            Ok(numbers())
        };
        is_the_triangle(&parse(beside.as_bytes(), &resolve).unwrap());
        assert!(parse(beside.as_bytes(), &no_other_files).is_err());

        is_the_triangle(&parse(&glb(&json("")), &no_other_files).unwrap());
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

    #[test]
    fn what_reaches_beyond_or_goes_in_circles_is_told() {
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
        assert!(error.to_string().contains("names vertex 9"), "{error}");
    }
}
