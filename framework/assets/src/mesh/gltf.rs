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

/// Objects and list items of the description: the library spends some hundred bytes on each.
const MAX_ITEMS: usize = 1_000_000;

pub(super) fn read(
    bytes: &[u8],
    assembly: &mut Assembly,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<(), Problem> {
    check_head(bytes)?;
    check_items(bytes)?;
    let file = Gltf::from_slice(bytes).map_err(|error| Problem::syntax("glTF", error))?;
    let buffers = buffers(&file, limits, resolve)?;
    let mut scene = Scene { buffers, assembly, nodes: 0 };
    let Some(roots) = file.default_scene().or_else(|| file.scenes().next()) else {
        return Err(Problem::syntax("glTF", "it has no scene"));
    };
    roots.nodes().try_for_each(|node| scene.node(&node, &Placement::IDENTITY, 0))
}

/// Refuses a binary file that claims to be shorter than its own head: the library would overflow.
fn check_head(bytes: &[u8]) -> Result<(), Problem> {
    let length = bytes.get(8..12).filter(|_| bytes.starts_with(b"glTF"));
    match length.and_then(|length| length.try_into().ok()).map(u32::from_le_bytes) {
        Some(length) if length < 12 => {
            Err(Problem::syntax("glTF", format!("its head claims a length of {length} bytes")))
        }
        _ => Ok(()),
    }
}

/// Counts what a description holds, from the text alone.
fn check_items(bytes: &[u8]) -> Result<(), Problem> {
    let head = bytes.get(12..16).filter(|_| bytes.starts_with(b"glTF"));
    let description = match head.and_then(|length| length.try_into().ok()) {
        Some(length) => {
            let rest = bytes.get(20..).unwrap_or_default();
            &rest[..rest.len().min(u32::from_le_bytes(length) as usize)]
        }
        None => bytes,
    };
    let items = description.iter().filter(|byte| matches!(byte, b'{' | b'[' | b',')).count();
    Problem::bounded("items of the description", items as u64, MAX_ITEMS as u64)
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
mod tests;
