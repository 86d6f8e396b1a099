//! What the triangles that rays have met mean.

use super::{Exact, Placed, Tessellation};
use crate::space::beam::{Beam, Label, Return, Strike, dot};
use crate::space::bundle::{Bundle, beam};
use crate::space::nearest::Nearest;
use crate::space::{Objects, Space};

/// Part of the range by which an exact surface may lie behind the solid around it. Behind a wider gap, the
/// ray may have met something else in between.
const GAP: f64 = 5e-5;

/// The first triangle that a ray has met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Distance, m; infinite for nothing.
    pub range: f32,
    /// Number of the piece, see [`Placed::piece`].
    pub piece: u32,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
}

impl TriangleHit {
    /// The result of a ray that meets no triangle.
    pub const NOTHING: Self = Self { range: f32::INFINITY, piece: 0, triangle: 0 };
}

impl Space {
    /// Writes what each ray of a bundle meets, from the triangle that it has met first of those at the poses
    /// of `moving`. Surfaces that are not among the triangles are cast here. `accepts` is the selection with
    /// which the triangles were cast.
    ///
    /// # Panics
    /// Panics if there are fewer hits or returns than directions.
    pub fn resolve(
        &self,
        tessellation: &Tessellation,
        moving: &[Placed],
        bundle: &Bundle<'_>,
        hits: &[TriangleHit],
        accepts: &dyn Fn(u32) -> bool,
        returns: &mut [Return],
    ) {
        let count = bundle.directions.len();
        assert!(
            hits.len() >= count && returns.len() >= count,
            "one hit and one return for each ray"
        );
        let group = if bundle.poses.is_empty() { count } else { bundle.rays_per_pose }.max(1);
        let rays = bundle.directions.chunks(group).zip(hits.chunks(group));
        for (number, ((directions, hits), returns)) in
            rays.zip(returns.chunks_mut(group)).enumerate()
        {
            let pose = bundle.pose_of(number * group);
            let (origin, rotation) = (pose.position(), pose.rotation());
            for ((direction, hit), found) in directions.iter().zip(hits).zip(returns) {
                let beam = beam(origin, &rotation, *direction, bundle.max_range);
                let strike = beam
                    .and_then(|beam| self.resolve_one(tessellation, moving, &beam, hit, accepts));
                *found = strike.map_or(Return::NOTHING, Return::from);
            }
        }
    }

    fn resolve_one(
        &self,
        tessellation: &Tessellation,
        moving: &[Placed],
        beam: &Beam,
        hit: &TriangleHit,
        accepts: &dyn Fn(u32) -> bool,
    ) -> Option<Strike> {
        let mut nearest = Nearest(None);
        if hit.range.is_finite() {
            let found = tessellation.surface(self, moving, beam, hit);
            let Some(found) = found else { return self.cast(beam, accepts) };
            nearest.offer(beam, Some(found));
        }
        self.cast_rest(tessellation, beam, accepts, &mut nearest);
        nearest.0
    }

    /// Offers the surfaces that are not among the triangles.
    fn cast_rest(
        &self,
        tessellation: &Tessellation,
        beam: &Beam,
        accepts: &dyn Fn(u32) -> bool,
        nearest: &mut Nearest,
    ) {
        let maps = tessellation.maps.iter().map(|at| &self.maps[*at]);
        for map in maps.filter(|map| accepts(map.label.number)) {
            nearest.offer(beam, map.cast(beam, None));
        }
        self.cast_planes(beam, accepts, nearest);
    }
}

impl Tessellation {
    /// Returns what a ray meets where it has met a triangle, or `None` if the ray has to be cast again.
    fn surface(
        &self,
        space: &Space,
        moving: &[Placed],
        beam: &Beam,
        hit: &TriangleHit,
    ) -> Option<Strike> {
        let at = hit.piece as usize;
        let placed = self.fixed.get(at).or_else(|| moving.get(at - self.fixed.len()))?;
        let piece = self.pieces.get(at)?;
        let objects = if at < self.fixed.len() { &space.fixed } else { space.moving.get() };
        let range = f64::from(hit.range);
        if piece.exact == Exact::Triangles {
            let normal = self.normals[placed.mesh].get(hit.triangle as usize)?;
            let normal = placed.rotation.map(|row| dot(row, *normal));
            let Label { number, surface } = piece.label;
            let paint = self.meshes[placed.mesh].paint.get(hit.triangle as usize);
            let surface = surface + u32::from(paint.copied().unwrap_or(0));
            return Some(Strike { range, normal: beam.facing(normal), number, surface });
        }
        let found = exact(space, objects, piece.exact, beam)?;
        ((found.range - range).abs() <= GAP * range).then_some(found)
    }
}

/// Returns what a ray meets of a prism or an instance.
fn exact(space: &Space, objects: &Objects, exact: Exact, beam: &Beam) -> Option<Strike> {
    match exact {
        Exact::Triangles => None,
        Exact::Prism(at) => {
            objects.prisms.iter().nth(at).and_then(|one| objects.prisms.meet(one, beam))
        }
        Exact::Instance(at) => {
            let instance = objects.instances.all.get(at)?;
            let mut nearest = Nearest(None);
            instance.meet(&space.geometries[instance.geometry], beam, &mut nearest);
            nearest.0
        }
    }
}
