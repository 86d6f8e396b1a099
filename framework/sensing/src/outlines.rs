//! Closed outlines, which are projected into a scan.
//!
//! For each edge of an outline, the rays between the bearings of its ends are intersected with it. All
//! other rays would miss it, so that the ranges equal those of every ray against every edge.

mod quads;
mod shape;

use simhost_scene::Pose2;

use crate::bearing::{Interval, RayIndex, bearing};
use crate::fan::{Fan, Visibility};
use crate::ray_angles::TILE;
use crate::scan::Scan;
use crate::tree::{Bounds, Sight, Tree, Visitor};
use quads::Quads;
pub use shape::Shape;

/// An edge that covers almost half a turn can be met by any ray. The part of half a turn that counts as
/// almost.
const ALMOST: f64 = 1.0 - 1e-4;
/// Sine of the angle up to which a ray is beside a corner.
const BESIDE: f64 = 1e-5;
/// Number of intersections of edges with tiles of rays that take less time than to find those that can meet.
const FEW: usize = 16;
/// Sine of the angle under which an edge is seen that is seen end on.
const END_ON: f64 = 1e-6;
/// Number of corners that are computed together.
const CORNERS: usize = 4;
/// Squared distance below which a corner counts as the origin, m².
const AT_ORIGIN: f64 = 1e-200;

/// Largest coordinate of such an outline, as a multiple of its shortest edge.
const FAR: f64 = 1e6;

/// An outline in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    owner: u32,
    heights: [f64; 2],
    centre: [f64; 2],
    radius: f64,
    bounds: Bounds,
    /// See [`Shape`]; 0 for an outline far from the origin of the world, whose corners are rounded.
    winding: f64,
    /// First corner and number of corners.
    first: usize,
    count: usize,
}

impl Outline {
    /// Returns whether a fan can detect the outline, if it detects moving ones.
    #[inline(always)]
    fn is_visible_to(&self, fan: &Fan) -> bool {
        let [dx, dy] = [self.centre[0] - fan.origin.x, self.centre[1] - fan.origin.y];
        let reach = fan.max_range + self.radius;
        fan.ignore != Some(self.owner)
            && (self.heights[0]..=self.heights[1]).contains(&fan.z)
            && dx * dx + dy * dy <= reach * reach
    }
}

/// Outlines in the world frame.
#[derive(Clone, Debug, Default)]
pub struct Outlines {
    all: Vec<Outline>,
    corners: Vec<[f64; 2]>,
    tree: Tree,
    /// The convex ones with four corners, by groups of the tree.
    quads: Vec<Quads>,
}

impl Outlines {
    /// Adds an outline at a pose, which reaches from height `heights[0]` to `heights[1]`, m. Fans can
    /// ignore the outlines of an owner.
    pub fn add(&mut self, owner: u32, shape: &Shape, pose: Pose2, heights: [f64; 2]) {
        let first = self.corners.len();
        let (sin, cos) = libm::sincos(pose.yaw);
        let place = |[x, y]: &[f64; 2]| [pose.x + cos * x - sin * y, pose.y + sin * x + cos * y];
        self.corners.extend(shape.corners().iter().map(place));
        let point = |corner: &[f64; 2]| Bounds { min: *corner, max: *corner };
        let bounds = self.corners[first..].iter().map(point).fold(Bounds::EMPTY, Bounds::union);
        let reach =
            bounds.min.iter().chain(&bounds.max).fold(0.0, |most: f64, at| most.max(at.abs()));
        let winding = if reach <= FAR * shape.shortest { shape.winding } else { 0.0 };
        self.all.push(Outline {
            owner,
            heights,
            centre: [pose.x, pose.y],
            radius: shape.radius,
            bounds,
            winding,
            first,
            count: shape.corners().len(),
        });
    }

    /// Removes all outlines and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.corners.clear();
    }

    /// Prepares the outlines for scans.
    pub(crate) fn prepare(&mut self) {
        self.tree.build(self.all.len(), |item| self.all[item].bounds);
        self.quads.clear();
        for items in self.tree.leaves() {
            let mut quads = Quads::EMPTY;
            for (slot, item) in items.iter().enumerate() {
                let outline = &self.all[*item as usize];
                quads.set(slot, outline, self.corners_of(outline));
            }
            self.quads.push(quads);
        }
    }

    /// Returns the corners of an outline, m.
    #[inline(always)]
    fn corners_of(&self, outline: &Outline) -> &[[f64; 2]] {
        &self.corners[outline.first..outline.first + outline.count]
    }

    /// Returns the corners of every outline that a fan can detect, if it detects moving ones.
    pub(crate) fn visible_to(&self, fan: &Fan) -> impl Iterator<Item = &[[f64; 2]]> {
        let visible = self.all.iter().filter(move |outline| outline.is_visible_to(fan));
        visible.map(|outline| self.corners_of(outline))
    }

    /// Projects the outlines into a scan.
    #[inline(always)]
    pub(crate) fn scan(&self, fan: &Fan, scan: &mut Scan, corners: &mut Corners) {
        let (origin, index, limit) = (scan.origin, scan.index, scan.max_range);
        let mut projection = OutlineProjection { outlines: self, fan, scan, corners };
        let groups = self.tree.search(origin, &index, limit, &mut projection);
        scan.work.groups += groups;
    }
}

/// Corners of one outline as a fan sees them.
#[derive(Debug, Default)]
pub(crate) struct Corners {
    /// Position relative to the origin, m. Padded to a multiple of [`CORNERS`].
    x: Vec<f64>,
    y: Vec<f64>,
    /// Fractional ray number.
    number: Vec<f64>,
}

impl Corners {
    /// Takes the corners of an outline, without their ray numbers.
    #[inline(always)]
    fn place(&mut self, corners: &[[f64; 2]], origin: [f64; 2]) {
        let padded = corners.len().next_multiple_of(CORNERS);
        for column in [&mut self.x, &mut self.y, &mut self.number] {
            if column.len() < padded {
                column.resize(padded, 0.0);
            }
        }
        for ((corner, x), y) in corners.iter().zip(&mut self.x).zip(&mut self.y) {
            [*x, *y] = [corner[0] - origin[0], corner[1] - origin[1]];
        }
    }

    /// Computes the ray numbers of the corners.
    #[inline(always)]
    fn count_rays(&mut self, count: usize, index: &RayIndex) {
        let padded = count.next_multiple_of(CORNERS);
        let x = self.x[..padded].as_chunks::<CORNERS>().0;
        let y = self.y[..padded].as_chunks::<CORNERS>().0;
        let number = self.number[..padded].as_chunks_mut::<CORNERS>().0;
        for ((x, y), number) in x.iter().zip(y).zip(number) {
            for i in 0..CORNERS {
                number[i] = index.number(bearing(x[i], y[i]));
            }
        }
    }

    /// Returns the position of a corner relative to the origin, m.
    fn at(&self, corner: usize) -> [f64; 2] {
        [self.x[corner], self.y[corner]]
    }

    /// Returns which edges of a convex outline with this winding face the origin, as bits by their first corner. `None`
    /// if the origin is inside, or an edge is seen almost end on.
    #[inline(always)]
    fn facing(&self, count: usize, winding: f64) -> Option<u64> {
        let mut facing = 0;
        for a in 0..count {
            let b = if a + 1 == count { 0 } else { a + 1 };
            let square = |at: usize| self.x[at] * self.x[at] + self.y[at] * self.y[at];
            let cross = winding * (self.x[a] * self.y[b] - self.y[a] * self.x[b]);
            let is_clear = cross * cross > END_ON * END_ON * square(a) * square(b);
            if !is_clear {
                return None;
            }
            facing |= u64::from(cross < 0.0) << a;
        }
        (facing != 0).then_some(facing)
    }

    /// Returns the rays that can meet the edge between two corners.
    #[inline(always)]
    fn rays(&self, a: usize, b: usize, scan: &Scan) -> Interval {
        let index = &scan.index;
        let square = |at: usize| self.x[at] * self.x[at] + self.y[at] * self.y[at];
        let turned = self.number[b] - self.number[a];
        let half = 0.5 * index.period;
        let turned = if turned > half {
            turned - index.period
        } else if turned < -half {
            turned + index.period
        } else {
            turned
        };
        // seen from a point on it, a segment can cover either half plane
        if turned.abs() > half * ALMOST || square(a) < AT_ORIGIN || square(b) < AT_ORIGIN {
            return Interval::ALL;
        }
        let (low, high) = if turned < 0.0 { (turned, 0.0) } else { (0.0, turned) };
        let (low, high) = (self.number[a] + low, self.number[a] + high);
        index.guarded(low, high)
    }
}

/// Outlines that are being projected into a scan.
struct OutlineProjection<'p, 'f> {
    outlines: &'p Outlines,
    fan: &'p Fan<'f>,
    scan: &'p mut Scan,
    corners: &'p mut Corners,
}

impl Visitor for OutlineProjection<'_, '_> {
    #[inline(always)]
    fn is_hidden(&self, sight: &Sight) -> bool {
        self.scan.is_hidden(sight)
    }

    #[inline(always)]
    fn is_relevant(&mut self, item: usize) -> bool {
        self.scan.work.candidates += 1;
        self.outlines.all[item].is_visible_to(self.fan)
    }

    #[inline(always)]
    fn visit(&mut self, item: usize, sight: &Sight) {
        let outline = &self.outlines.all[item];
        let count = outline.count;
        let corners = self.outlines.corners_of(outline);
        let runs = self.scan.index.runs(sight.rays);
        let tiles = runs.map(|(from, to, _)| to / TILE - from / TILE + 1).sum::<usize>();
        let has_few = tiles * count <= FEW;
        if has_few || self.meet_edges(corners, outline.winding, (tiles, sight.rays)) {
            self.scan.meet_outline(corners, sight.rays);
        }
    }

    #[inline(always)]
    fn visit_group(&mut self, group: usize) -> u64 {
        if !self.scan.index.is_fine() {
            return u64::MAX;
        }
        let edges = self.outlines.quads[group].project(self.fan, self.scan);
        edges.meet(self.scan);
        let mut beside = edges.beside();
        while beside != 0 {
            let slot = beside.trailing_zeros() as usize;
            beside &= beside - 1;
            let outline = &self.outlines.all[self.outlines.tree.item(group, slot)];
            let corners = self.outlines.corners_of(outline);
            for rays in edges.rays_beside(slot) {
                self.scan.meet_outline(corners, rays);
            }
        }
        edges.rest
    }
}

/// Returns whether an edge faces the origin, by the bits of those that do. Without bits, all edges do.
#[inline(always)]
fn faces(facing: Option<u64>, edge: usize) -> bool {
    facing.is_none_or(|facing| facing >> edge & 1 != 0)
}

impl OutlineProjection<'_, '_> {
    /// Intersects the edges of an outline one by one, and of a convex one those that face the origin, with the rays that can
    /// meet them, in so many tiles. Returns whether all edges have to be intersected with the rays.
    ///
    /// Of a convex outline, rays beside a corner where the sides meet that face the origin and those that do not have to be
    /// intersected with all edges. Any other ray meets the near side first: beside these corners by more than [`BESIDE`], it
    /// runs in the outline for at least 1e-6 times their distance, which is far more than rounding changes. So the ranges
    /// have the bits that all edges give.
    #[inline(always)]
    fn meet_edges(
        &mut self,
        corners: &[[f64; 2]],
        winding: f64,
        (tiles, rays): (usize, Interval),
    ) -> bool {
        let Self { scan, corners: seen, .. } = self;
        let count = corners.len();
        seen.place(corners, scan.origin);
        let is_convex = winding != 0.0 && count <= 64;
        let facing = if is_convex { seen.facing(count, winding) } else { None };
        let edges = facing.map_or(count, |facing| facing.count_ones() as usize);
        let has_few = tiles * edges <= FEW;
        if !has_few {
            seen.count_rays(count, &scan.index);
        }
        let mut is_beside = false;
        for a in (0..count).filter(|a| faces(facing, *a)) {
            let (before, b) =
                (if a == 0 { count } else { a } - 1, if a + 1 == count { 0 } else { a + 1 });
            let rays = if has_few { rays } else { seen.rays(a, b, scan) };
            if !has_few && !scan.index.can_meet(rays) {
                continue;
            }
            let ends = [a, b].map(|corner| seen.at(corner));
            let beside = [(ends[0], before), (ends[1], b)].map(|([x, y], other)| {
                if faces(facing, other) { -1.0 } else { BESIDE * (x.abs() + y.abs()) }
            });
            is_beside |= scan.meet_segment(ends, beside, rays);
        }
        is_beside
    }
}

impl Fan<'_> {
    /// Returns whether the fan detects outlines that move.
    pub(crate) fn sees_moving(&self) -> bool {
        self.see == Visibility::All
    }
}

#[cfg(test)]
mod tests;
