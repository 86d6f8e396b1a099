//! glTF 2 meshes, through the `gltf` crate.
//!
//! The validation and the buffer readers of the crate panic on some defective files, so only its
//! types and its parser are used. References are resolved here with bounds checks. Sparse and
//! compressed buffers are not supported.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::Glb;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked::Valid;
use gltf::json::validation::USize64;
use gltf::json::{Accessor, Index, Node, Root};
use percent_encoding::percent_decode_str;

use super::Resolver;
use super::assembly::{Assembly, Corner, Paint, Part};
use super::material::{Images, color};
use super::placement::{MAX_DEPTH, MAX_NODES, Placement};
use crate::image::encoded;
use crate::{Limits, Problem};

/// Maximum number of objects and list items of the description. The library uses a few hundred
/// bytes for each.
const MAX_ITEMS: usize = 1_000_000;

/// Appends the meshes of a glTF file to an assembly.
pub(super) fn read(
    bytes: &[u8],
    assembly: &mut Assembly,
    images: &Images<'_>,
) -> Result<(), Problem> {
    check_head(bytes)?;
    check_items(bytes)?;
    let (root, rest) = if bytes.starts_with(b"glTF") {
        let file = Glb::from_slice(bytes).map_err(defective)?;
        (Root::from_slice(&file.json), file.bin)
    } else {
        (Root::from_slice(bytes), None)
    };
    let root = root.map_err(defective)?;
    let buffers = buffers(&root, rest.as_deref(), images.limits, images.resolve)?;
    let start = match root.scene {
        Some(index) => Some(get(&root, index)?),
        None => root.scenes.first(),
    };
    let Some(start) = start else { return Err(defective("expected a scene")) };
    let colors = vec![None; root.materials.len()];
    let mut scene = GltfScene { root: &root, buffers, images, colors, assembly, nodes: 0 };
    start.nodes.iter().try_for_each(|&node| scene.node(node, &Placement::IDENTITY, 0))
}

fn defective(detail: impl ToString) -> Problem {
    Problem::syntax("glTF", detail)
}

/// Returns the item that an index refers to.
fn get<T>(root: &Root, index: Index<T>) -> Result<&T, Problem>
where
    Root: gltf::json::root::Get<T>,
{
    root.get(index).ok_or_else(|| defective(format!("item {index} is missing")))
}

/// Rejects a binary file whose announced length is less than its header, which would overflow in
/// the library.
fn check_head(bytes: &[u8]) -> Result<(), Problem> {
    let length = bytes.get(8..12).filter(|_| bytes.starts_with(b"glTF"));
    match length.and_then(|length| length.try_into().ok()).map(u32::from_le_bytes) {
        Some(length) if length < 12 => {
            Err(defective(format!("the header announces a length of {length} bytes")))
        }
        _ => Ok(()),
    }
}

/// Bounds the number of items of the description before it is parsed.
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

fn buffers(
    root: &Root,
    own: Option<&[u8]>,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Vec<Vec<u8>>, Problem> {
    let mut total = 0;
    let mut all = Vec::new();
    for buffer in &root.buffers {
        let bytes = match &buffer.uri {
            None => own.unwrap_or_default().to_vec(),
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => embedded(data)?,
                None => resolve(&percent_decode_str(uri).decode_utf8_lossy())?,
            },
        };
        total += bytes.len() as u64;
        limits.bound_bytes("bytes of all buffers", total)?;
        all.push(bytes);
    }
    Ok(all)
}

/// Decodes `MIME;base64,DATA`.
fn embedded(data: &str) -> Result<Vec<u8>, Problem> {
    let (_, coded) = data
        .split_once(";base64,")
        .ok_or_else(|| Problem::syntax("glTF", "expected base64 in an embedded buffer"))?;
    STANDARD.decode(coded).map_err(|error| Problem::syntax("glTF", error))
}

struct GltfScene<'a> {
    root: &'a Root,
    buffers: Vec<Vec<u8>>,
    images: &'a Images<'a>,
    /// Looks of the materials that were needed so far.
    colors: Vec<Option<Paint>>,
    assembly: &'a mut Assembly,
    nodes: usize,
}

impl GltfScene<'_> {
    fn node(&mut self, index: Index<Node>, outer: &Placement, depth: usize) -> Result<(), Problem> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(defective(
                "its nodes are nested too deeply or refer to each other in a cycle",
            ));
        }
        let root = self.root;
        let node = get(root, index)?;
        let placement = outer.after(&own_placement(node));
        if let Some(mesh) = node.mesh {
            let primitives = &get(root, mesh)?.primitives;
            primitives.iter().try_for_each(|primitive| self.primitive(primitive, &placement))?;
        }
        let children = node.children.as_deref().unwrap_or_default();
        children.iter().try_for_each(|&child| self.node(child, &placement, depth + 1))
    }

    fn primitive(&mut self, primitive: &Primitive, placement: &Placement) -> Result<(), Problem> {
        self.nodes += 1;
        let positions = primitive.attributes.get(&Valid(Semantic::Positions));
        let (Some(&positions), Valid(mode)) = (positions, primitive.mode) else { return Ok(()) };
        if mode == Mode::Points {
            return Ok(());
        }
        let limit = self.assembly.limit();
        let vertices = self.vectors(get(self.root, positions)?, limit)?;
        let indices = match primitive.indices {
            Some(indices) => self.integers(get(self.root, indices)?, limit)?,
            None => (0..vertices.len()).collect(),
        };
        let color = primitive.material.map_or(Paint::WHITE, |index| self.color(index.value()));
        let places = match color.skin() {
            Some(_) => self.places(primitive, limit)?,
            None => Vec::new(),
        };
        let corner = |vertex: usize| {
            let place = places.get(vertex).copied().unwrap_or_default();
            Corner { vertex, place }
        };
        let corners: Vec<Corner> = indices.into_iter().map(corner).collect();
        let mut part = self.assembly.part(vertices, placement)?;
        part.paint(color);
        add(&mut part, mode, &corners)
    }

    /// Returns the place of each vertex on the image of its material, for an image whose set of coordinates has the
    /// number 0.
    fn places(&self, primitive: &Primitive, limit: usize) -> Result<Vec<[f32; 2]>, Problem> {
        let given = primitive.attributes.get(&Valid(Semantic::TexCoords(0)));
        let Some(&given) = given else { return Ok(Vec::new()) };
        let accessor = get(self.root, given)?;
        let (size, scale) = match kind(accessor) {
            Some((ComponentType::F32, Type::Vec2)) => (4, 1.0),
            Some((ComponentType::U8, Type::Vec2)) => (1, 255.0),
            Some((ComponentType::U16, Type::Vec2)) => (2, 65_535.0),
            _ => return Err(unsupported("texture coordinates that are not two numbers")),
        };
        let number = |bytes: &[u8]| match *bytes {
            [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
            [a, b] => f32::from(u16::from_le_bytes([a, b])) / scale,
            _ => f32::from(bytes[0]) / scale,
        };
        // they count from the upper left corner
        let place = |item: &[u8]| [number(&item[..size]), 1.0 - number(&item[size..])];
        Ok(self.items(accessor, 2 * size, limit)?.map(place).collect())
    }

    /// Returns the look of a material: its base colour, times its image. An item that is missing leaves it
    /// white.
    fn color(&mut self, index: usize) -> Paint {
        let Some(material) = self.root.materials.get(index) else { return Paint::WHITE };
        if let Some(known) = self.colors[index] {
            return known;
        }
        let base = &material.pbr_metallic_roughness;
        let [red, green, blue, opacity] = base.base_color_factor.0.map(f64::from);
        let [red, green, blue] = [red, green, blue].map(encoded);
        let own = color([red, green, blue, opacity]);
        let image = base.base_color_texture.as_ref().and_then(|info| {
            let texture = self.root.textures.get(info.index.value())?;
            self.image(own, texture.source.value())
        });
        let found = image.unwrap_or(Paint::plain(own));
        self.colors[index] = Some(found);
        found
    }

    /// Returns a colour with an image.
    fn image(&self, tint: [u8; 4], index: usize) -> Option<Paint> {
        let image = self.root.images.get(index)?;
        if let Some(uri) = &image.uri {
            return Some(match uri.strip_prefix("data:") {
                Some(data) => self.images.paint_with(tint, &embedded(data).ok()?),
                None => self.images.paint(tint, uri),
            });
        }
        let view = self.root.buffer_views.get(image.buffer_view?.value())?;
        let buffer = self.buffers.get(view.buffer.value())?;
        let length = usize::try_from(view.byte_length.0).ok()?;
        Some(self.images.paint_with(tint, piece(buffer, view.byte_offset, length)?))
    }

    fn vectors(&self, accessor: &Accessor, limit: usize) -> Result<Vec<[f64; 3]>, Problem> {
        if kind(accessor) != Some((ComponentType::F32, Type::Vec3)) {
            return Err(unsupported("positions that are not three floats"));
        }
        let float =
            |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        let vector = |item: &[u8]| [float(item), float(&item[4..]), float(&item[8..])];
        Ok(self.items(accessor, 12, limit)?.map(vector).collect())
    }

    fn integers(&self, accessor: &Accessor, limit: usize) -> Result<Vec<usize>, Problem> {
        let size = match kind(accessor) {
            Some((ComponentType::U8, Type::Scalar)) => 1,
            Some((ComponentType::U16, Type::Scalar)) => 2,
            Some((ComponentType::U32, Type::Scalar)) => 4,
            _ => return Err(unsupported("indices that are not unsigned integers")),
        };
        let integer =
            |item: &[u8]| item.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        Ok(self.items(accessor, size, limit.saturating_mul(3))?.map(integer).collect())
    }

    /// Returns the items of an accessor, each of `size` bytes, after checking that all of them
    /// exist.
    fn items(
        &self,
        accessor: &Accessor,
        size: usize,
        limit: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, Problem> {
        if accessor.sparse.is_some() {
            return Err(unsupported("sparse accessors"));
        }
        let Some(view) = accessor.buffer_view else {
            return Err(unsupported("compressed meshes, or accessors without a buffer"));
        };
        let view = get(self.root, view)?;
        Problem::bounded("values of an accessor", accessor.count.0, limit as u64)?;
        let count = accessor.count.0 as usize;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            return Err(defective("the stride of a buffer view is smaller than an item"));
        }
        let bytes = || {
            let length = (count - 1).checked_mul(stride)?.checked_add(size)?;
            let buffer = self.buffers.get(view.buffer.value())?;
            let whole = piece(buffer, view.byte_offset, usize::try_from(view.byte_length.0).ok()?)?;
            piece(whole, accessor.byte_offset, length)
        };
        let bytes = if count == 0 { Some(&[][..]) } else { bytes() };
        let bytes = bytes.ok_or_else(|| defective("an accessor extends beyond its buffer"))?;
        Ok((0..count).map(move |index| &bytes[index * stride..index * stride + size]))
    }
}

fn piece(bytes: &[u8], offset: Option<USize64>, length: usize) -> Option<&[u8]> {
    let start = usize::try_from(offset.map_or(0, |offset| offset.0)).ok()?;
    bytes.get(start..start.checked_add(length)?)
}

/// Returns the transformation of a node: its matrix, or else its translation, rotation and scale.
fn own_placement(node: &Node) -> Placement {
    if let Some(columns) = node.matrix {
        let at = |row: usize, column: usize| f64::from(columns[4 * column + row]);
        return Placement::rows(std::array::from_fn(|row| std::array::from_fn(|c| at(row, c))));
    }
    let translation = node.translation.unwrap_or([0.0; 3]).map(f64::from);
    let [x, y, z, w] = node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |unit| unit.0.map(f64::from));
    let scale = node.scale.unwrap_or([1.0; 3]).map(f64::from);
    let angle = 2.0 * libm::atan2((x * x + y * y + z * z).sqrt(), w);
    Placement::translation(translation)
        .after(&Placement::rotation([x, y, z], angle))
        .after(&Placement::scale(scale))
}

fn kind(accessor: &Accessor) -> Option<(ComponentType, Type)> {
    match (accessor.component_type, accessor.type_) {
        (Valid(component), Valid(shape)) => Some((component.0, shape)),
        _ => None,
    }
}

fn add(part: &mut Part, mode: Mode, corners: &[Corner]) -> Result<(), Problem> {
    let indices = || corners.iter().map(|corner| corner.vertex).collect::<Vec<usize>>();
    match mode {
        Mode::Points => Ok(()),
        Mode::Lines => indices().chunks_exact(2).try_for_each(|ends| part.line([ends[0], ends[1]])),
        Mode::LineStrip | Mode::LineLoop => {
            let indices = indices();
            indices.windows(2).try_for_each(|ends| part.line([ends[0], ends[1]]))?;
            match &indices[..] {
                [first, _, .., last] if mode == Mode::LineLoop => part.line([*last, *first]),
                _ => Ok(()),
            }
        }
        Mode::Triangles => corners
            .chunks_exact(3)
            .try_for_each(|three| part.triangle([three[0], three[1], three[2]])),
        Mode::TriangleStrip => part.strip(corners),
        Mode::TriangleFan => part.polygon(corners),
    }
}

fn unsupported(what: &str) -> Problem {
    Problem::Unsupported {
        detail: format!("{what} are not supported"),
        remedy: "export it as plain glTF without compression",
    }
}

#[cfg(test)]
mod tests;
