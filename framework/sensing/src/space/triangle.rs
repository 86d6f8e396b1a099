//! Triangles whose corners are relative to the origin of a ray.

use simhost_vectors::Vec3;

use super::beam::{Beam, Label};
use super::pattern::TILE;
use super::rays::{Found, Met, Rays};

/// A triangle as it is seen from the origin of rays.
///
/// The sides on which a ray passes the edges decide whether it meets the triangle. Triangles that share
/// an edge compute the same side for it, so that no ray passes between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// Normals of the planes through the origin and each edge, of any length.
    pub edges: [Vec3; 3],
    /// Normal of the triangle, of any length.
    pub normal: Vec3,
    /// Product of the normal and a corner.
    pub offset: f64,
}

impl Facet {
    /// Creates a triangle from its corners relative to the origin, m.
    #[inline(always)]
    pub fn new([a, b, c]: [[f64; 3]; 3]) -> Self {
        let (a, b, c) = (Vec3::from(a), Vec3::from(b), Vec3::from(c));
        let normal = (b - a).cross(c - a);
        Self { edges: [a.cross(b), b.cross(c), c.cross(a)], normal, offset: normal.dot(a) }
    }

    /// Returns the distance along a unit direction, m, or infinity if the ray misses the triangle or
    /// lies in its plane. A degenerate triangle is never met.
    #[inline(always)]
    pub fn range(&self, direction: [f64; 3]) -> f64 {
        let direction = Vec3::from(direction);
        // `array::map` is not always inlined, which would end the vector loop
        let [a, b, c] = &self.edges;
        let (a, b, c) = (direction.dot(*a), direction.dot(*b), direction.dot(*c));
        let range = self.offset / self.normal.dot(direction);
        let low = if a < b { a } else { b };
        let low = if c < low { c } else { low };
        let high = if a > b { a } else { b };
        let high = if c > high { c } else { high };
        // of one sign; with NaN, the range is NaN
        let is_inside = (low >= 0.0) | (high <= 0.0);
        let range = if is_inside { range } else { f64::INFINITY };
        // also false for NaN
        let range = if range >= 0.0 { range } else { f64::INFINITY };
        range + 0.0
    }

    /// Returns the triangle as a surface that rays meet.
    #[inline(always)]
    pub fn surface(&self, label: Label) -> Found {
        Found { label, normal: self.normal.to_array(), is_unit: false }
    }

    /// Returns what neighbouring rays meet of the triangle, whose surface has this index.
    #[inline(always)]
    pub fn met(&self, rays: &Rays, surface: u64) -> Met {
        let mut met = Met { winners: [surface; TILE], ..Met::NOTHING };
        for i in 0..TILE {
            met.ranges[i] = self.range(rays.direction(i));
        }
        met
    }

    /// Returns the unit normal. The numbers of a degenerate triangle are NaN.
    pub fn unit_normal(&self) -> [f64; 3] {
        self.normal.unit().to_array()
    }

    /// Returns range and normal of a ray at the triangle.
    pub fn meet(&self, beam: &Beam) -> Option<(f64, [f64; 3])> {
        let range = self.range(beam.direction);
        (range < f64::INFINITY).then(|| (range, beam.facing(self.unit_normal())))
    }
}
