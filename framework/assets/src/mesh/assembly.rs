//! A mesh under construction.

use std::collections::{BTreeMap, BTreeSet};

use simhost_scene::{Mesh, MeshError};

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
    limit: usize,
}

/// A part of a mesh with its own vertex indices, which start at 0.
pub(super) struct Part<'a> {
    assembly: &'a mut Assembly,
    first: usize,
    /// Colour of the next triangles.
    color: u16,
}

/// Colours, each once.
#[derive(Default)]
struct Palette {
    colors: Vec<[u8; 4]>,
    known: BTreeMap<[u8; 4], u16>,
}

/// Colour of triangles without a material.
pub(super) const WHITE: [u8; 4] = [0xff; 4];

impl Palette {
    /// Returns the index of a colour. Files with more colours than indices repeat the last one.
    fn index(&mut self, color: [u8; 4]) -> u16 {
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
        Self { vertices, triangles, lines, palette: Palette::default(), paint: Vec::new(), limit }
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
        let color = self.palette.index(WHITE);
        Ok(Part { assembly: self, first, color })
    }

    /// Appends another assembly, transformed by `placement`.
    pub(super) fn append(&mut self, other: &Self, placement: &Placement) -> Result<(), Problem> {
        let mut part = self.part(other.vertices.iter().copied(), placement)?;
        for (corners, color) in other.triangles.iter().zip(&other.paint) {
            part.paint(other.palette.colors[usize::from(*color)]);
            part.triangle(corners.map(|index| index as usize))?;
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
        let is_plain = self.palette.colors.iter().all(|color| *color == WHITE);
        Ok(if is_plain { mesh } else { mesh.painted(self.palette.colors, self.paint) })
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
    /// Sets the colour of the triangles that follow: red, green, blue and opacity, sRGB.
    pub(super) fn paint(&mut self, color: [u8; 4]) {
        self.color = self.assembly.palette.index(color);
    }

    /// Adds a triangle.
    pub(super) fn triangle(&mut self, corners: [usize; 3]) -> Result<(), Problem> {
        let number = self.assembly.triangles.len();
        self.assembly.check("triangles", number)?;
        let [a, b, c] = corners;
        let indices = [self.index(a, number)?, self.index(b, number)?, self.index(c, number)?];
        self.assembly.triangles.push(indices);
        self.assembly.paint.push(self.color);
        Ok(())
    }

    /// Adds a polygon as a fan of triangles around its first corner. Fewer than three corners are
    /// ignored.
    pub(super) fn polygon(&mut self, corners: &[usize]) -> Result<(), Problem> {
        let Some((&first, rest)) = corners.split_first() else { return Ok(()) };
        rest.windows(2).try_for_each(|pair| self.triangle([first, pair[0], pair[1]]))
    }

    /// Adds a triangle strip, in which each corner forms a triangle with the two before it.
    pub(super) fn strip(&mut self, corners: &[usize]) -> Result<(), Problem> {
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

    #[test]
    fn each_part_has_its_own_indices() {
        let mut whole = assembly(100);
        for _ in 0..2 {
            let mut part = whole.part(SQUARE, &Placement::IDENTITY).unwrap();
            part.polygon(&[0, 1, 2, 3]).unwrap();
        }
        let mesh = whole.mesh().unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
    }

    #[test]
    fn colours_are_kept_once_and_follow_their_triangles() {
        let mut other = assembly(100);
        let mut part = other.part(SQUARE, &Placement::IDENTITY).unwrap();
        part.triangle([0, 1, 2]).unwrap();
        part.paint([9, 8, 7, 255]);
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
        let mut whole = assembly(100);
        for _ in 0..2 {
            let mut part = whole.part(SQUARE, &Placement::IDENTITY).unwrap();
            part.polygon(&[0, 1, 2, 3]).unwrap();
        }
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
