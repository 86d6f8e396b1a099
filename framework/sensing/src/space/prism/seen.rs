//! Prisms as neighbouring rays of one origin meet them.

use simhost_vectors::Vec2;

use super::{Prism, Top};
use crate::space::pattern::TILE;
use crate::space::rays::{Found, Met, Rays};
use crate::space::slabs::Slabs;

/// A prism with a flat or inclined top, as it is seen from the origin of rays.
pub(in crate::space) struct SeenPrism<'s> {
    /// Corners relative to the origin, m.
    corners: &'s [Vec2],
    /// Height of the lower end above the origin, m.
    bottom: f64,
    /// Height of the origin above the top, m, and rise of the top per length along both axes, m/m.
    top: f64,
    slope: Option<[f64; 3]>,
    /// Index of the surface of the first side. The surfaces of the other sides, of the bottom and
    /// of the top follow.
    first: u64,
}

impl<'s> SeenPrism<'s> {
    /// Looks at a prism with these corners. Returns `None` for a prism with a curved top.
    pub fn new(
        prism: &Prism,
        corners: &[[f64; 2]],
        [x, y, z]: [f64; 3],
        buffer: &'s mut Vec<Vec2>,
        found: &mut Vec<Found>,
    ) -> Option<Self> {
        let [at, [cos, sin]] = prism.place;
        let (top, slope, normal) = match prism.top {
            Top::Flat(top) => (z - top, None, [0.0, 0.0, 1.0]),
            Top::Ramp { base, slope } => {
                let along = cos * (x - at[0]) + sin * (y - at[1]);
                let length = (1.0 + slope * slope).sqrt();
                let normal = [-slope * cos / length, -slope * sin / length, 1.0 / length];
                (z - base - slope * along, Some([slope, cos, sin]), normal)
            }
            Top::Arch { .. } => return None,
        };
        if corners.is_empty() {
            return None;
        }
        let first = found.len() as u64;
        buffer.clear();
        buffer.extend(corners.iter().map(|corner| Vec2::from(*corner) - Vec2::new(x, y)));
        let mut add = |normal| found.push(Found { label: prism.label, normal, is_unit: true });
        let following = buffer.iter().cycle().skip(1);
        buffer.iter().zip(following).for_each(|(a, b)| add(side_normal(*a, *b)));
        add([0.0, 0.0, -1.0]);
        add(normal);
        Some(Self { corners: buffer, bottom: prism.bottom - z, top, slope, first })
    }

    /// Returns the parts of rays between bottom and top, see [`Prism::slab`].
    #[inline(always)]
    fn slabs(&self, rays: &Rays) -> Slabs {
        let bottom = self.first + self.corners.len() as u64;
        let (mut fall, mut rise) = ([0.0; TILE], rays.z);
        for (i, fall) in fall.iter_mut().enumerate() {
            *fall = -rays.z[i];
        }
        if let Some([slope, cos, sin]) = self.slope {
            for (i, rise) in rise.iter_mut().enumerate() {
                let turned = cos * rays.x[i] + sin * rays.y[i];
                *rise = rays.z[i] - slope * turned;
            }
        }
        let mut slabs = Slabs::WHOLE;
        slabs.clip(self.bottom, &fall, bottom);
        slabs.clip(self.top, &rise, bottom + 1);
        slabs
    }

    /// Returns what rays meet, as [`Crossing::first`](super::Crossing::first) does. It leaves out upright rays, and
    /// those along a side.
    #[inline(always)]
    pub fn meet(&self, rays: &Rays) -> Met {
        let slabs = self.slabs(rays);
        let mut sides = Sides { square: [0.0; TILE], inside: [[1.0; TILE]; 2], met: Met::NOTHING };
        for i in 0..TILE {
            let square = rays.x[i] * rays.x[i] + rays.y[i] * rays.y[i];
            sides.square[i] = square;
            sides.met.unsure[i] = if square == 0.0 { 1.0 } else { 0.0 };
        }
        let mut a = self.corners[0];
        for k in 1..=self.corners.len() {
            let b = self.corners[if k == self.corners.len() { 0 } else { k }];
            sides.cross(rays, &slabs, [a, b], self.first + k as u64 - 1);
            a = b;
        }
        sides.finish(&slabs)
    }
}

/// Returns the normal of the side between two corners.
pub(super) fn side_normal(a: Vec2, b: Vec2) -> [f64; 3] {
    let edge = b - a;
    let length = edge.length();
    [edge.y / length, -edge.x / length, 0.0]
}

/// Sides of a prism that rays have met.
struct Sides {
    /// Squares of the level parts of the directions.
    square: [f64; TILE],
    /// −1 where a ray is within the outline at an end of its part between bottom and top, otherwise 1.
    inside: [[f64; TILE]; 2],
    met: Met,
}

impl Sides {
    /// Crosses the side between two corners.
    #[inline(always)]
    fn cross(&mut self, rays: &Rays, slabs: &Slabs, [a, b]: [Vec2; 2], side: u64) {
        let edge = b - a;
        let Self { square, inside: [at_start, at_end], met } = self;
        let [from, to] = &slabs.ends;
        for i in 0..TILE {
            let level = Vec2::new(rays.x[i], rays.y[i]);
            let (side_a, side_b) = (level.cross(a), level.cross(b));
            let is_beside = ((side_a > 0.0) & (side_b > 0.0)) | ((side_a < 0.0) & (side_b < 0.0));
            let is_along = !is_beside & (side_a == side_b);
            met.unsure[i] = if is_along { 1.0 } else { met.unsure[i] };
            let part = side_a / (side_a - side_b);
            let distance = level.dot(a + part * edge) / square[i];
            let is_between = (from[i] <= distance) & (distance <= to[i]);
            let is_ahead = (distance >= 0.0) & (distance < met.ranges[i]);
            let is_met = !is_beside & is_between & is_ahead;
            met.ranges[i] = if is_met { distance } else { met.ranges[i] };
            met.winners[i] = if is_met { side } else { met.winners[i] };
            let is_crossed = !is_beside & ((side_a > 0.0) != (side_b > 0.0));
            let (after_start, after_end) = (distance > from[i], distance > to[i]);
            at_start[i] = if is_crossed & after_start { -at_start[i] } else { at_start[i] };
            at_end[i] = if is_crossed & after_end { -at_end[i] } else { at_end[i] };
        }
    }

    /// Adds the bottom and the top.
    #[inline(always)]
    fn finish(mut self, slabs: &Slabs) -> Met {
        let met = &mut self.met;
        for end in 0..2 {
            for i in 0..TILE {
                let distance = slabs.ends[end][i];
                let is_met =
                    (self.inside[end][i] < 0.0) & (distance >= 0.0) & (distance < met.ranges[i]);
                met.ranges[i] = if is_met { distance } else { met.ranges[i] };
                met.winners[i] = if is_met { slabs.planes[end][i] } else { met.winners[i] };
            }
        }
        for i in 0..TILE {
            let is_part = slabs.ends[0][i] <= slabs.ends[1][i];
            let is_known = is_part & (met.unsure[i] == 0.0);
            met.ranges[i] = if is_known { met.ranges[i] + 0.0 } else { f64::INFINITY };
        }
        self.met
    }
}
