//! The part of a mesh between two heights, as an outline in the plane.

use crate::mesh::Mesh;
use crate::polygon;

/// Number of points that are collected before they are reduced to their hull.
const POINTS_AT_ONCE: usize = 1 << 16;

/// Outline and heights of the part of a body within a range of heights.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Convex outline in m, counter-clockwise.
    pub polygon: Vec<[f64; 2]>,
    /// Lowest point in m.
    pub z_min: f64,
    /// Highest point in m.
    pub z_max: f64,
}

impl Section {
    /// Returns the convex outline and the heights of both sections together.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            polygon: polygon::convex_hull(&[&self.polygon[..], &other.polygon[..]].concat()),
            z_min: self.z_min.min(other.z_min),
            z_max: self.z_max.max(other.z_max),
        }
    }
}

impl Mesh {
    /// Returns the section between two heights in m, or `None` if it has no area seen from above.
    /// Triangles are cut at the heights, so a tall triangle without a vertex in between is
    /// included.
    pub fn section(&self, z_min: f64, z_max: f64) -> Option<Section> {
        let mut points = Points::default();
        for face in self.faces() {
            let (part, count) = clip(face, z_min, z_max);
            part[..count].iter().for_each(|&point| points.push(point));
        }
        let polygon = polygon::convex_hull(&points.plane);
        let has_area = polygon.len() >= 3 && polygon::area(&polygon) > 0.0;
        has_area.then_some(Section { polygon, z_min: points.lowest, z_max: points.highest })
    }
}

/// Corners of the clipped triangles. They are reduced to their hull from time to time to bound
/// memory.
struct Points {
    plane: Vec<[f64; 2]>,
    reduce_at: usize,
    lowest: f64,
    highest: f64,
}

impl Default for Points {
    fn default() -> Self {
        let (lowest, highest) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { plane: Vec::new(), reduce_at: POINTS_AT_ONCE, lowest, highest }
    }
}

impl Points {
    fn push(&mut self, [x, y, z]: [f64; 3]) {
        self.lowest = self.lowest.min(z);
        self.highest = self.highest.max(z);
        self.plane.push([x, y]);
        if self.plane.len() >= self.reduce_at {
            self.plane = polygon::convex_hull(&self.plane);
            self.reduce_at = POINTS_AT_ONCE.max(2 * self.plane.len());
        }
    }
}

/// Returns the part of a triangle between two heights (Sutherland & Hodgman 1974) as corners and
/// their number.
fn clip(face: [[f64; 3]; 3], z_min: f64, z_max: f64) -> ([[f64; 3]; 5], usize) {
    let (above, count) = cut(&face, z_min, |z| z >= z_min);
    cut(&above[..count], z_max, |z| z <= z_max)
}

/// Cuts a convex polygon of up to four corners at a height. A cut adds at most one corner.
fn cut(corners: &[[f64; 3]], height: f64, keep: impl Fn(f64) -> bool) -> ([[f64; 3]; 5], usize) {
    let mut kept = [[0.0; 3]; 5];
    let mut count = 0;
    for (index, &corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        if keep(corner[2]) {
            kept[count] = corner;
            count += 1;
        }
        if keep(corner[2]) != keep(next[2]) {
            let t = (height - corner[2]) / (next[2] - corner[2]);
            let between = |axis: usize| corner[axis] + t * (next[axis] - corner[axis]);
            kept[count] = [between(0), between(1), height];
            count += 1;
        }
    }
    (kept, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a pyramid over the square ±1 m with a height of 2 m.
    fn pyramid() -> Mesh {
        let vertices = vec![
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
            [0.0, 0.0, 2.0],
        ];
        Mesh::new(vertices, vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]).unwrap()
    }

    #[test]
    fn triangles_are_cut_between_vertices() {
        let section = pyramid().section(1.0, 1.5).unwrap();
        // half way up the pyramid is half as wide
        assert!((polygon::area(&section.polygon) - 1.0).abs() < 1e-12, "{section:?}");
        assert_eq!((section.z_min, section.z_max), (1.0, 1.5));
    }

    #[test]
    fn heights_are_those_of_the_mesh() {
        let section = pyramid().section(-5.0, 5.0).unwrap();
        assert_eq!((section.z_min, section.z_max), (0.0, 2.0));
        assert_eq!(polygon::area(&section.polygon), 4.0);
        assert_eq!(pyramid().section(3.0, 4.0), None);
        // the tip alone has no area, and a window that is upside down contains nothing
        assert_eq!(pyramid().section(2.0, 3.0), None);
        assert_eq!(pyramid().section(1.0, 0.5), None);
    }

    #[test]
    fn a_union_contains_both() {
        let left = pyramid().section(0.0, 1.0).unwrap();
        let moved = crate::Pose3 { x: 4.0, z: 1.0, ..crate::Pose3::default() };
        let right = pyramid().transformed(1.0, &moved).unwrap().section(0.0, 3.0).unwrap();
        let both = left.union(&right);
        assert_eq!(polygon::area(&both.polygon), 12.0);
        assert_eq!((both.z_min, both.z_max), (0.0, 3.0));
    }

    #[test]
    fn reducing_points_keeps_the_hull() {
        // a disc of 40,000 triangles is reduced on the way
        let rim = |k: u32| {
            let (sin, cos) = libm::sincos(f64::from(k) * std::f64::consts::TAU / 40_000.0);
            [cos, sin, 0.0]
        };
        let mut vertices: Vec<_> = (0..40_000).map(rim).collect();
        vertices.push([0.0, 0.0, 0.0]);
        let triangles = (0..40_000).map(|k| [40_000, k, (k + 1) % 40_000]).collect();
        let section = Mesh::new(vertices, triangles).unwrap().section(-1.0, 1.0).unwrap();
        assert_eq!(section.polygon.len(), 40_000);
    }
}
