//! A mesh under construction.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use simhost_scene::{ColorImage, Mesh, MeshError, Skin, SkinPlaces};

use super::placement::Placement;
use crate::{Limits, Problem};

/// The triangles and lines collected from a file.
pub(super) struct Assembly {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    lines: Vec<[u32; 2]>,
    palette: Palette,
    /// Colour of each triangle.
    paint: Vec<u16>,
    /// SkinPlaces of the corners of each triangle on its image, up to the last triangle that has one.
    places: Vec<SkinPlaces>,
    /// Images of the palette, by their numbers.
    images: Vec<Arc<ColorImage>>,
    limit: usize,
}

/// Colour of triangles without a material.
pub(super) const WHITE: [u8; 4] = [0xff; 4];

/// How triangles look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Paint {
    /// Red, green, blue and opacity, sRGB, with the mean colour of the image.
    pub color: [u8; 4],
    /// Colour with which the image is multiplied.
    pub tint: [u8; 4],
    /// Number of the image.
    pub image: Option<u32>,
}

impl Paint {
    pub const WHITE: Self = Self::plain(WHITE);

    /// Returns a colour without an image.
    pub const fn plain(color: [u8; 4]) -> Self {
        Self { color, tint: color, image: None }
    }

    /// Returns the number of the image and its tint.
    pub fn skin(self) -> Option<(u32, [u8; 4])> {
        self.image.map(|image| (image, self.tint))
    }
}

/// A corner of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// Index of its vertex.
    pub vertex: usize,
    /// Place on the image, from its lower left corner.
    pub place: [f32; 2],
}

impl From<usize> for Corner {
    fn from(vertex: usize) -> Self {
        Self { vertex, place: [0.0; 2] }
    }
}

/// A part of a mesh with its own vertex indices, which start at 0.
pub(super) struct Part<'a> {
    assembly: &'a mut Assembly,
    first: usize,
    /// Colour of the next triangles, and whether it has an image.
    color: u16,
    has_image: bool,
}

/// Colours, each once.
#[derive(Default)]
struct Palette {
    colors: Vec<Paint>,
    known: BTreeMap<Paint, u16>,
}

impl Palette {
    /// Returns the index of a colour. Files with more colours than indices repeat the last one.
    fn index(&mut self, color: Paint) -> u16 {
        let Self { colors, known } = self;
        let next = colors.len();
        *known.entry(color).or_insert_with(|| {
            let index = next.min(usize::from(u16::MAX));
            if index == next {
                colors.push(color);
            }
            index as u16
        })
    }
}

impl Assembly {
    pub(super) fn new(limits: &Limits) -> Self {
        // indices are 32 bits wide
        let limit = limits.max_vertices.min(u32::MAX as usize / 2);
        Self::empty(limit)
    }

    fn empty(limit: usize) -> Self {
        let (vertices, triangles, lines) = (Vec::new(), Vec::new(), Vec::new());
        let (palette, paint) = (Palette::default(), Vec::new());
        let (places, images) = (Vec::new(), Vec::new());
        Self { vertices, triangles, lines, palette, paint, places, images, limit }
    }

    /// Adds the images to which colours refer.
    pub(super) fn set_images(&mut self, images: Vec<Arc<ColorImage>>) {
        self.images = images;
    }

    /// Returns the maximum number of vertices, of triangles and of lines.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Starts a part.
    pub(super) fn part(
        &mut self,
        vertices: impl IntoIterator<Item = [f64; 3]>,
        placement: &Placement,
    ) -> Result<Part<'_>, Problem> {
        let first = self.vertices.len();
        for vertex in vertices {
            self.check("vertices", self.vertices.len())?;
            self.vertices.push(placement.apply(vertex));
        }
        let color = self.palette.index(Paint::WHITE);
        Ok(Part { assembly: self, first, color, has_image: false })
    }

    /// Appends another assembly, transformed by `placement`.
    pub(super) fn append(&mut self, other: &Self, placement: &Placement) -> Result<(), Problem> {
        let mut part = self.part(other.vertices.iter().copied(), placement)?;
        let places = other.places.iter().copied().chain(std::iter::repeat(SkinPlaces::default()));
        for ((corners, color), places) in other.triangles.iter().zip(&other.paint).zip(places) {
            part.paint(other.palette.colors[usize::from(*color)]);
            let corner = |at: usize| Corner { vertex: corners[at] as usize, place: places[at] };
            part.triangle([0, 1, 2].map(corner))?;
        }
        other.lines.iter().try_for_each(|ends| part.line(ends.map(|index| index as usize)))
    }

    /// Creates an empty assembly with the same limits.
    pub(super) fn like(&self) -> Self {
        Self::empty(self.limit)
    }

    fn check(&self, what: &'static str, count: usize) -> Result<(), Problem> {
        Problem::bounded(what, count as u64 + 1, self.limit as u64)
    }

    /// Returns the triangles.
    pub(super) fn mesh(self) -> Result<Mesh, Problem> {
        if self.triangles.is_empty() {
            return Err(Problem::Unsupported {
                detail: "the file has no triangles".to_owned(),
                remedy: "expected a mesh with faces that is part of the scene",
            });
        }
        let mesh = Mesh::new(self.vertices, self.triangles)?;
        let paints = self.palette.colors;
        if paints.iter().all(|paint| *paint == Paint::WHITE) {
            return Ok(mesh);
        }
        let mesh = mesh.painted(paints.iter().map(|paint| paint.color).collect(), self.paint);
        let skin = |paint: &Paint| {
            let (number, tint) = paint.skin()?;
            Some(Skin { image: Arc::clone(self.images.get(number as usize)?), tint })
        };
        let skins: Vec<Option<Skin>> = paints.iter().map(skin).collect();
        let has_images = skins.iter().any(Option::is_some);
        Ok(if has_images { mesh.skinned(skins, self.places) } else { mesh })
    }

    /// Returns the lines, or each edge of the triangles once if there are none.
    pub(super) fn wireframe(self) -> Result<Vec<WireLine>, Problem> {
        let mesh = Mesh::new(self.vertices, self.triangles)?;
        let mut pairs = self.lines;
        if pairs.is_empty() {
            let mut seen = BTreeSet::new();
            for &[a, b, c] in mesh.triangles() {
                let fresh = |pair: &[u32; 2]| seen.insert(edge_key(&mesh, *pair));
                pairs.extend([[a, b], [b, c], [c, a]].into_iter().filter(fresh));
            }
        }
        if pairs.is_empty() {
            return Err(Problem::Unsupported {
                detail: "the file has neither lines nor triangles".to_owned(),
                remedy: "expected a mesh with edges that is part of the scene",
            });
        }
        let line = |pair: [u32; 2]| pair.map(|index| mesh.vertices()[index as usize]);
        Ok(pairs.into_iter().map(line).collect())
    }
}

/// Returns a key that is equal for both directions of an edge and for repeated vertices.
fn edge_key(mesh: &Mesh, pair: [u32; 2]) -> [[u64; 3]; 2] {
    // adding 0 turns -0 into 0
    let mut ends = pair.map(|i| mesh.vertices()[i as usize].map(|value| (value + 0.0).to_bits()));
    ends.sort_unstable();
    ends
}

impl Part<'_> {
    /// Sets how the triangles that follow look.
    pub(super) fn paint(&mut self, paint: Paint) {
        self.color = self.assembly.palette.index(paint);
        self.has_image = paint.skin().is_some();
    }

    /// Adds a triangle.
    pub(super) fn triangle<C: Into<Corner>>(&mut self, corners: [C; 3]) -> Result<(), Problem> {
        let number = self.assembly.triangles.len();
        self.assembly.check("triangles", number)?;
        let corners = corners.map(Into::into);
        let [a, b, c] = corners.map(|corner| corner.vertex);
        let indices = [self.index(a, number)?, self.index(b, number)?, self.index(c, number)?];
        self.assembly.triangles.push(indices);
        self.assembly.paint.push(self.color);
        if self.has_image {
            self.assembly.places.resize(number, SkinPlaces::default());
            self.assembly.places.push(corners.map(|corner| corner.place));
        }
        Ok(())
    }

    /// Adds a polygon as a fan of triangles around its first corner. Fewer than three corners are
    /// ignored.
    pub(super) fn polygon<C: Into<Corner> + Copy>(&mut self, corners: &[C]) -> Result<(), Problem> {
        let Some((&first, rest)) = corners.split_first() else { return Ok(()) };
        rest.windows(2).try_for_each(|pair| self.triangle([first, pair[0], pair[1]]))
    }

    /// Adds a triangle strip, in which each corner forms a triangle with the two before it.
    pub(super) fn strip<C: Into<Corner> + Copy>(&mut self, corners: &[C]) -> Result<(), Problem> {
        corners.windows(3).try_for_each(|three| self.triangle([three[0], three[1], three[2]]))
    }

    /// Adds a line.
    pub(super) fn line(&mut self, ends: [usize; 2]) -> Result<(), Problem> {
        let number = self.assembly.lines.len();
        self.assembly.check("lines", number)?;
        let ends = [self.index(ends[0], number)?, self.index(ends[1], number)?];
        self.assembly.lines.push(ends);
        Ok(())
    }

    fn index(&self, index: usize, number: usize) -> Result<u32, Problem> {
        let vertices = self.assembly.vertices.len() - self.first;
        if index >= vertices {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            return Err(MeshError::Index { triangle: number, index, vertices }.into());
        }
        // the limit keeps the number of vertices within 32 bits
        Ok((self.first + index) as u32)
    }
}

/// The ends of a line in m.
pub type WireLine = [[f64; 3]; 2];

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    fn assembly(limit: usize) -> Assembly {
        Assembly::new(&Limits { max_vertices: limit, ..Limits::default() })
    }

    fn two_squares() -> Assembly {
        let mut whole = assembly(100);
        for _ in 0..2 {
            let mut part = whole.part(SQUARE, &Placement::IDENTITY).unwrap();
            part.polygon(&[0, 1, 2, 3]).unwrap();
        }
        whole
    }

    #[test]
    fn each_part_has_its_own_indices() {
        let whole = two_squares();
        let mesh = whole.mesh().unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
    }

    #[test]
    fn colours_are_kept_once_and_follow_their_triangles() {
        let mut other = assembly(100);
        let mut part = other.part(SQUARE, &Placement::IDENTITY).unwrap();
        part.triangle([0, 1, 2]).unwrap();
        part.paint(Paint::plain([9, 8, 7, 255]));
        part.triangle([0, 2, 3]).unwrap();
        let mut whole = assembly(100);
        whole.append(&other, &Placement::IDENTITY).unwrap();
        whole.append(&other, &Placement::IDENTITY).unwrap();
        let mesh = whole.mesh().unwrap();
        let colors: Vec<_> =
            mesh.paint().iter().map(|index| mesh.palette()[usize::from(*index)]).collect();
        let grey = [9, 8, 7, 255];
        assert_eq!(colors, [WHITE, grey, WHITE, grey]);
        assert_eq!(mesh.palette().len(), 2);
        // a mesh of one part without a material has no colours
        let mut plain = assembly(100);
        plain.part(SQUARE, &Placement::IDENTITY).unwrap().triangle([0, 1, 2]).unwrap();
        assert!(plain.mesh().unwrap().palette().is_empty());
    }

    #[test]
    fn each_edge_is_returned_once() {
        let whole = two_squares();
        // four sides and the diagonal
        assert_eq!(whole.wireframe().unwrap().len(), 5);
    }

    #[test]
    fn indices_and_limits_are_checked() {
        let mut whole = assembly(4);
        let mut part = whole.part(SQUARE, &Placement::IDENTITY).unwrap();
        assert!(matches!(part.triangle([0, 1, 4]), Err(Problem::Mesh(_))));
        assert!(part.strip(&[0, 1, 2, 3, 0, 1]).is_ok());
        assert!(matches!(part.triangle([0, 1, 2]), Err(Problem::TooMuch { .. })));
        assert!(matches!(whole.part(SQUARE, &Placement::IDENTITY), Err(Problem::TooMuch { .. })));
        assert!(assembly(4).mesh().is_err() && assembly(4).wireframe().is_err());
    }
}
