//! The triangles and lines of one geometry.

use super::super::assembly::{Assembly, Corner, Paint, Part};
use super::super::placement::Placement;
use super::Colors;
use super::document::{ById, Node, defective, float};
use crate::Problem;

/// Maximum number of values per corner.
const MAX_STRIDE: usize = 1000;

/// Reads a `<geometry>`. One without a `<mesh>` is empty.
pub(super) fn read(
    node: Node,
    by_id: &ById,
    colors: &Colors,
    own: &mut Assembly,
) -> Result<(), Problem> {
    let Some(mesh) = node.child("mesh") else { return Ok(()) };
    let vertices = mesh.child("vertices").ok_or_else(|| defective("a mesh has no <vertices>"))?;
    let source = input(vertices, "POSITION")
        .and_then(|input| target(input, by_id))
        .ok_or_else(|| defective("the POSITION input of <vertices> has no source"))?;
    let positions = rows::<3>(source, by_id, own.limit())?;
    let limit = own.limit();
    let mut part = own.part(positions, &Placement::IDENTITY)?;
    mesh.children().try_for_each(|child| {
        let symbol = child.attribute("material");
        let color = symbol.and_then(|symbol| colors.get(symbol));
        let paint = color.copied().unwrap_or(Paint::WHITE);
        part.paint(paint);
        let places = match paint.skin() {
            Some(_) => texture_places(child, by_id, limit)?,
            None => None,
        };
        primitive(child, places.as_ref(), &mut part)
    })
}

fn input<'d>(node: Node<'d>, semantic: &str) -> Option<Node<'d>> {
    node.children_named("input").find(|input| input.attribute("semantic") == Some(semantic))
}

fn target<'d>(node: Node<'d>, by_id: &ById<'d>) -> Option<Node<'d>> {
    by_id.get(node.attribute("source")?.trim().strip_prefix('#')?).copied()
}

/// Returns an attribute that is a count.
fn count(node: Node, attribute: &str, default: usize) -> Result<usize, Problem> {
    node.attribute(attribute).map_or(Ok(default), |text| integer(text.trim()))
}

fn integer(word: &str) -> Result<usize, Problem> {
    word.parse().map_err(|_| {
        let shown: String = word.chars().take(40).collect();
        defective(format!("expected an index or a count, found `{shown}`"))
    })
}

/// Positions on images, and the offset of their indices within the indices of a corner.
type TexturePlaces = (usize, Vec<[f32; 2]>);

/// Returns the first set of texture coordinates of a primitive.
fn texture_places(
    primitive: Node,
    by_id: &ById,
    limit: usize,
) -> Result<Option<TexturePlaces>, Problem> {
    let Some(input) = input(primitive, "TEXCOORD") else { return Ok(None) };
    let Some(source) = target(input, by_id) else { return Ok(None) };
    let places = rows::<2>(source, by_id, limit)?;
    let places = places.into_iter().map(|place| place.map(|part| part as f32));
    Ok(Some((count(input, "offset", 0)?, places.collect())))
}

/// Returns the first `N` numbers of each item of a source.
fn rows<const N: usize>(
    source: Node,
    by_id: &ById,
    limit: usize,
) -> Result<Vec<[f64; N]>, Problem> {
    let missing = || defective("a source has no accessor, or the accessor no numbers");
    let technique = source.child("technique_common");
    let accessor =
        technique.and_then(|technique| technique.child("accessor")).ok_or_else(missing)?;
    let array = target(accessor, by_id).ok_or_else(missing)?;
    let number = count(accessor, "count", 0)?;
    let (stride, offset) = (count(accessor, "stride", 1)?, count(accessor, "offset", 0)?);
    Problem::bounded("vertices", number as u64, limit as u64)?;
    if !(N..=MAX_STRIDE).contains(&stride) {
        return Err(defective(format!("positions have a stride of {stride}, expected {N}")));
    }
    let mut numbers = array.text().split_ascii_whitespace().skip(offset);
    let mut positions = Vec::new();
    for index in 0..number {
        let mut next = || {
            let word = numbers
                .next()
                .ok_or_else(|| defective(format!("expected {number} positions, found {index}")))?;
            float(word)
        };
        let mut row = [0.0; N];
        for part in &mut row {
            *part = next()?;
        }
        positions.push(row);
        // further values of a position are ignored, and may be missing after the last one
        numbers.by_ref().take(stride - N).for_each(drop);
    }
    Ok(positions)
}

fn primitive(node: Node, places: Option<&TexturePlaces>, part: &mut Part) -> Result<(), Problem> {
    let kind = node.name();
    let known =
        ["triangles", "polylist", "polygons", "tristrips", "trifans", "lines", "linestrips"];
    if !known.contains(&kind) {
        return Ok(());
    }
    let offset = input(node, "VERTEX").map(|input| count(input, "offset", 0)).transpose()?;
    let Some(offset) = offset else { return Ok(()) };
    let mut stride = 1;
    for input in node.children_named("input") {
        let offset = count(input, "offset", 0)?;
        if offset >= MAX_STRIDE {
            return Err(defective(format!("an input has the offset {offset}")));
        }
        stride = stride.max(offset + 1);
    }
    let holed = node.children_named("ph").filter_map(|ph| ph.child("p"));
    for list in node.children_named("p").chain(holed) {
        let numbers = |offset: usize| {
            let words = list.text().split_ascii_whitespace();
            words.skip(offset).step_by(stride).map(integer)
        };
        let mut on_image = places.map(|(offset, places)| (numbers(*offset), places));
        let corners = numbers(offset).map(|vertex| {
            let index = on_image.as_mut().and_then(|(indices, _)| indices.next()).transpose()?;
            let place = places.zip(index).and_then(|((_, places), index)| places.get(index));
            Ok(Corner { vertex: vertex?, place: place.copied().unwrap_or_default() })
        });
        match kind {
            "triangles" => groups(corners, || Some(3), |three| part.polygon(three))?,
            "polylist" => {
                let sizes = node.child("vcount").map_or("", Node::text);
                let mut sizes = sizes.split_ascii_whitespace().map(integer);
                groups(corners, || sizes.next()?.ok(), |face| part.polygon(face))?;
            }
            "polygons" | "trifans" => part.polygon(&corners.collect::<Result<Vec<_>, _>>()?)?,
            "tristrips" => part.strip(&corners.collect::<Result<Vec<_>, _>>()?)?,
            "lines" => {
                groups(corners, || Some(2), |ends| part.line([ends[0].vertex, ends[1].vertex]))?
            }
            _ => {
                let corners = corners.collect::<Result<Vec<_>, _>>()?;
                let line = |ends: &[Corner]| part.line([ends[0].vertex, ends[1].vertex]);
                corners.windows(2).try_for_each(line)?;
            }
        }
    }
    Ok(())
}

/// Splits a list of corners into groups of given sizes. An incomplete group at the end is ignored.
fn groups(
    mut corners: impl Iterator<Item = Result<Corner, Problem>>,
    mut size: impl FnMut() -> Option<usize>,
    mut take: impl FnMut(&[Corner]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut group = Vec::new();
    while let Some(wanted) = size() {
        group.clear();
        for corner in corners.by_ref().take(wanted) {
            group.push(corner?);
        }
        if group.len() < wanted {
            break;
        }
        take(&group)?;
    }
    Ok(())
}
