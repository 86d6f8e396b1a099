//! Triangle meshes that many instances share, with a tree of boxes over their triangles.

use simhost_scene::{Mesh, Skin, SkinPlaces};
use simhost_vectors::Vec3;

use super::beam::Label;

/// Number of triangles of a leaf.
const LEAF: usize = 4;
/// Number of bins that are compared to divide a node.
const BINS: usize = 16;
/// Depth from which nodes are divided at the median.
const DEEP: usize = 30;
/// Depth of the deepest tree: [`DEEP`] and the levels for 2³² triangles.
pub(super) const DEPTH: usize = DEEP + 32;

/// A node of the tree: a box, and either its triangles or its two halves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Smallest coordinates, m, rounded down.
    pub min: [f32; 3],
    /// Largest coordinates, m, rounded up.
    pub max: [f32; 3],
    /// First triangle of a leaf, or the second half of a node. The first half follows the node.
    pub link: u32,
    /// Number of triangles of a leaf, or 0.
    pub count: u32,
}

/// A mesh with its tree. Triangles without an area are left out.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub(super) vertices: Vec<[f64; 3]>,
    /// Indices of corners, leaf by leaf.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) nodes: Vec<Node>,
    /// Place of the colour of each triangle in the palette of the mesh; empty for a mesh without colours.
    pub(super) paint: Vec<u16>,
    /// Image of each colour of the palette; empty for a mesh without images.
    skins: Vec<Option<Skin>>,
    /// SkinPlaces of the corners of each triangle on its image; empty for a mesh without images.
    places: Vec<SkinPlaces>,
}

/// A box around points, m.
#[derive(Clone, Copy)]
struct Extent {
    min: [f64; 3],
    max: [f64; 3],
}

impl Extent {
    const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    fn with(self, point: [f64; 3]) -> Self {
        self.union(Self { min: point, max: point })
    }

    fn union(self, other: Self) -> Self {
        Self {
            min: [0, 1, 2].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1, 2].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    fn sides(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.max[axis] - self.min[axis])
    }

    /// Returns half of the area, m²; 0 for an empty box.
    fn half_area(&self) -> f64 {
        let [x, y, z] = self.sides().map(|side| side.max(0.0));
        x * y + y * z + z * x
    }
}

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Part {
    corners: [u32; 3],
    /// Index of the triangle in the mesh.
    number: usize,
    paint: u16,
    extent: Extent,
    centre: [f64; 3],
}

impl Body {
    /// Builds the tree of a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let part = |(number, (corners, paint)): (usize, (&[u32; 3], u16))| {
            let at = corners.map(|corner| mesh.vertices()[corner as usize]);
            let extent = at.into_iter().fold(Extent::EMPTY, Extent::with);
            let centre = [0, 1, 2].map(|axis| 0.5 * (extent.min[axis] + extent.max[axis]));
            let [a, b, c] = at.map(Vec3::from);
            let has_area = (b - a).cross(c - a) != Vec3::ZERO;
            has_area.then_some(Part { corners: *corners, number, paint, extent, centre })
        };
        let paint = mesh.paint().iter().copied().chain(std::iter::repeat(0));
        let triangles = mesh.triangles().iter().zip(paint).enumerate();
        let mut parts: Vec<Part> = triangles.filter_map(part).collect();
        let mut body = Self { vertices: mesh.vertices().to_vec(), ..Self::default() };
        body.triangles.reserve(parts.len());
        if !parts.is_empty() {
            body.divide(&mut parts, 0);
        }
        if !mesh.skins().is_empty() {
            // the parts are in the order of the leaves now
            body.skins = mesh.skins().to_vec();
            body.places = parts.iter().map(|part| mesh.places(part.number)).collect();
        }
        if mesh.paint().is_empty() {
            body.paint.clear();
        }
        body
    }

    /// Returns the number of triangles with an area.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns the label of a triangle of an instance with this label, whose surface has the first
    /// colour.
    #[inline(always)]
    pub(super) fn label_of(&self, triangle: usize, label: Label) -> Label {
        let paint = self.paint.get(triangle).copied().unwrap_or(0);
        Label { surface: label.surface + u32::from(paint), ..label }
    }

    /// Returns whether some triangles have an image.
    pub(super) fn has_skins(&self) -> bool {
        !self.skins.is_empty()
    }

    /// Returns the colour of the triangle nearest to a point, and its distance, of those with this colour of the
    /// palette that has an image. A triangle farther away than `reach` is not found.
    pub(super) fn skin_at(
        &self,
        point: [f64; 3],
        paint: u32,
        reach: f64,
    ) -> Option<(f64, [u8; 4])> {
        let skin = self.skins.get(paint as usize)?.as_ref()?;
        let mut nearest: Option<(f64, [f64; 2])> = None;
        let (mut waiting, mut count) = ([0u32; DEPTH + 1], 1);
        while count > 0 {
            count -= 1;
            let at = waiting[count];
            let node = &self.nodes[at as usize];
            let is_near = |axis: usize| {
                let (low, high) = (f64::from(node.min[axis]), f64::from(node.max[axis]));
                (low - reach..=high + reach).contains(&point[axis])
            };
            if !(0..3).all(is_near) {
                continue;
            }
            if node.count == 0 {
                (waiting[count], waiting[count + 1]) = (at + 1, node.link);
                count += 2;
                continue;
            }
            for triangle in node.link as usize..(node.link + node.count) as usize {
                if u32::from(self.paint.get(triangle).copied().unwrap_or(0)) != paint {
                    continue;
                }
                let (distance, weights) = self.weights(triangle, point);
                if distance <= reach && nearest.is_none_or(|(least, _)| distance < least) {
                    let places = self.places[triangle].map(|place| place.map(f64::from));
                    let part = |k: usize| (0..3).map(|at| weights[at] * places[at][k]).sum();
                    nearest = Some((distance, [part(0), part(1)]));
                }
            }
        }
        nearest.map(|(distance, place)| (distance, skin.color_at(place)))
    }

    /// Returns how far a point is from a triangle, and the weights of its corners there.
    fn weights(&self, triangle: usize, point: [f64; 3]) -> (f64, [f64; 3]) {
        let [a, b, c] = self.triangles[triangle].map(|at| Vec3::from(self.vertices[at as usize]));
        let (ab, ac, ap) = (b - a, c - a, Vec3::from(point) - a);
        let normal = ab.cross(ac);
        let square = normal.dot(normal);
        let own = [ap.cross(ac).dot(normal) / square, ab.cross(ap).dot(normal) / square];
        let weights = [1.0 - own[0] - own[1], own[0], own[1]];
        let lifted = ap.dot(normal).abs() / square.sqrt();
        // beyond an edge by its weight times the height above that edge, which the longest side bounds
        let side = ab.dot(ab).max(ac.dot(ac)).sqrt();
        let beyond = weights.iter().fold(0.0f64, |most, weight| most.max(-weight * side));
        (lifted.max(beyond), weights)
    }

    /// Returns whether there are no triangles with an area.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns the smallest and the largest coordinates, m, or zeros without triangles.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.nodes
            .first()
            .map_or([[0.0; 3]; 2], |node| [node.min, node.max].map(|end| end.map(f64::from)))
    }

    fn divide(&mut self, parts: &mut [Part], depth: usize) {
        let extent = parts.iter().fold(Extent::EMPTY, |all, part| all.union(part.extent));
        let at = self.nodes.len();
        self.nodes.push(Node {
            min: extent.min.map(|value| (value as f32).next_down()),
            max: extent.max.map(|value| (value as f32).next_up()),
            link: self.triangles.len() as u32,
            count: parts.len() as u32,
        });
        if parts.len() <= LEAF {
            self.triangles.extend(parts.iter().map(|part| part.corners));
            self.paint.extend(parts.iter().map(|part| part.paint));
            return;
        }
        let half = split(parts, depth);
        let (low, high) = parts.split_at_mut(half);
        self.divide(low, depth + 1);
        (self.nodes[at].link, self.nodes[at].count) = (self.nodes.len() as u32, 0);
        self.divide(high, depth + 1);
    }
}

/// Orders triangles into two halves, by the surface area heuristic over bins of their centres (Wald
/// 2007), or at the median if that fails. Returns the number of the first half.
fn split(parts: &mut [Part], depth: usize) -> usize {
    let centres = parts.iter().fold(Extent::EMPTY, |all, part| all.with(part.centre));
    let sides = centres.sides();
    let axis = (0..3).fold(0, |best, axis| if sides[axis] > sides[best] { axis } else { best });
    let (low, scale) = (centres.min[axis], BINS as f64 / sides[axis]);
    let median = parts.len() / 2;
    if depth < DEEP && scale.is_finite() {
        let bin = |part: &Part| (((part.centre[axis] - low) * scale) as usize).min(BINS - 1);
        if let Some(cut) = best_cut(parts, bin) {
            return partition(parts, |part| bin(part) < cut);
        }
    }
    parts.select_nth_unstable_by(median, |a, b| a.centre[axis].total_cmp(&b.centre[axis]));
    median
}

/// Returns the first bin of the second half with the smallest cost, or `None` if one half is empty.
fn best_cut(parts: &[Part], bin: impl Fn(&Part) -> usize) -> Option<usize> {
    let mut bins = [(Extent::EMPTY, 0usize); BINS];
    for part in parts {
        let (extent, count) = &mut bins[bin(part)];
        (*extent, *count) = (extent.union(part.extent), *count + 1);
    }
    let cost = |bins: &[(Extent, usize)]| {
        let all = bins.iter().fold((Extent::EMPTY, 0), |(all, sum), (extent, count)| {
            (all.union(*extent), sum + count)
        });
        (all.1, all.0.half_area() * all.1 as f64)
    };
    let mut best = None;
    for cut in 1..BINS {
        let ((low, low_cost), (high, high_cost)) = (cost(&bins[..cut]), cost(&bins[cut..]));
        let total = low_cost + high_cost;
        if low > 0 && high > 0 && best.is_none_or(|(_, least)| total < least) {
            best = Some((cut, total));
        }
    }
    best.map(|(cut, _)| cut)
}

/// Moves the parts of the first half to the front. Returns their number.
fn partition(parts: &mut [Part], is_first: impl Fn(&Part) -> bool) -> usize {
    let mut count = 0;
    for at in 0..parts.len() {
        if is_first(&parts[at]) {
            parts.swap(at, count);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles, and two without an area.
    #[test]
    fn degenerate_triangles_are_left_out() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 2, 0], [1, 2, 3]];
        let body = Body::new(&Mesh::new(corners.to_vec(), triangles).expect("a valid mesh"));
        assert_eq!(body.len(), 2);
        assert!(Body::new(&Mesh::default()).is_empty());
    }

    /// Triangles that all have the same centre are divided at the median.
    #[test]
    fn a_tree_ends_although_all_centres_are_equal() {
        let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let body = Body::new(&Mesh::new(corners, vec![[0, 1, 2]; 1000]).expect("a valid mesh"));
        assert_eq!(body.len(), 1000);
        assert_eq!(body.nodes.iter().map(|node| node.count).sum::<u32>(), 1000);
    }
}
