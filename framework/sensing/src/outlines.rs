//! Closed outlines, which are projected into a scan.
//!
//! For each edge of an outline, the rays between the bearings of its ends are intersected with it. All
//! other rays would miss it, so that the ranges equal those of every ray against every edge.

use std::sync::Arc;

use simhost_scene::{Pose2, polygon};

use crate::bearing::{Interval, bearing};
use crate::fan::{Fan, Visibility};
use crate::scan::{Scan, TILE};
use crate::tree::{Bounds, Sight, Tree, Visitor};

/// An edge that covers almost half a turn can be met by any ray. The part of half a turn that counts as
/// almost.
const ALMOST: f64 = 1.0 - 1e-4;
/// Number of intersections of edges with tiles of rays that take less time than to find those that can meet.
const FEW: usize = 12;
/// Sine of the angle under which an edge is seen that is seen end on.
const END_ON: f64 = 1e-6;
/// Squared distance below which a corner counts as the origin, m².
const AT_ORIGIN: f64 = 1e-200;

/// A closed outline in its own frame.
#[derive(Clone, Debug)]
pub struct Shape {
    corners: Arc<[[f64; 2]]>,
    radius: f64,
    /// Direction of a convex outline without sharp or flat corners, see [`winding`]; otherwise 0.
    winding: f64,
    /// Length of the shortest edge, m.
    shortest: f64,
}

impl Shape {
    /// Creates an outline from its corners, m. Either direction is allowed.
    pub fn new(corners: &[[f64; 2]]) -> Self {
        let radius = polygon::bounding_radius(corners, [0.0, 0.0]);
        let (winding, shortest) = (winding(corners), shortest(corners));
        Self { corners: corners.into(), radius, winding, shortest }
    }

    /// Returns the corners, m.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }
}

/// Smallest sine of the angle at a corner of an outline whose edges on the far side are left out.
const SHARP: f64 = 0.2;
/// Largest coordinate of such an outline, as a multiple of its shortest edge.
const FAR: f64 = 1e6;

/// Returns 1 for a convex outline that turns left, −1 for one that turns right, and 0 for one that is not convex or
/// has a corner that is almost flat or almost a needle.
fn winding(corners: &[[f64; 2]]) -> f64 {
    let count = corners.len();
    let side = |from: usize| {
        let ([ax, ay], [bx, by]) = (corners[from % count], corners[(from + 1) % count]);
        [bx - ax, by - ay]
    };
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let (mut winding, mut turned) = (0.0, 0.0);
    for at in 0..count {
        let (a, b) = (side(at), side(at + 1));
        let cross = a[0] * b[1] - a[1] * b[0];
        let sine = cross / (length(a) * length(b));
        // false for an edge without length
        let is_clear = sine.abs() >= SHARP;
        if !is_clear || winding * sine < 0.0 {
            return 0.0;
        }
        winding = 1f64.copysign(sine);
        turned += libm::atan2(cross, a[0] * b[0] + a[1] * b[1]);
    }
    // an outline that turns twice is not convex
    if count >= 3 && turned.abs() < 7.0 { winding } else { 0.0 }
}

/// Returns the length of the shortest edge, m.
fn shortest(corners: &[[f64; 2]]) -> f64 {
    let lengths = polygon::edges(corners).map(|(a, b)| {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        (x * x + y * y).sqrt()
    });
    lengths.fold(f64::INFINITY, f64::min)
}

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
}

impl Outlines {
    /// Adds an outline at a pose, which reaches from height `heights[0]` to `heights[1]`, m. Fans can
    /// ignore the outlines of an owner.
    pub fn add(&mut self, owner: u32, shape: &Shape, pose: Pose2, heights: [f64; 2]) {
        let first = self.corners.len();
        let (sin, cos) = libm::sincos(pose.yaw);
        let place = |[x, y]: &[f64; 2]| [pose.x + cos * x - sin * y, pose.y + sin * x + cos * y];
        self.corners.extend(shape.corners.iter().map(place));
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
            count: shape.corners.len(),
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
    }

    /// Returns the corners of every outline that a fan can detect, if it detects moving ones.
    pub(crate) fn visible_to(&self, fan: &Fan) -> impl Iterator<Item = &[[f64; 2]]> {
        let visible = self.all.iter().filter(move |outline| outline.is_visible_to(fan));
        visible.map(|outline| &self.corners[outline.first..outline.first + outline.count])
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
    /// Position relative to the origin, m. Padded to whole tiles.
    x: Vec<f64>,
    y: Vec<f64>,
    /// Fractional ray number.
    number: Vec<f64>,
}

impl Corners {
    #[inline(always)]
    fn load(&mut self, corners: &[[f64; 2]], scan: &Scan) {
        let padded = corners.len().next_multiple_of(TILE);
        for column in [&mut self.x, &mut self.y, &mut self.number] {
            if column.len() < padded {
                column.resize(padded, 0.0);
            }
        }
        for ((corner, x), y) in corners.iter().zip(&mut self.x).zip(&mut self.y) {
            [*x, *y] = [corner[0] - scan.origin[0], corner[1] - scan.origin[1]];
        }
        let x = self.x[..padded].as_chunks::<TILE>().0;
        let y = self.y[..padded].as_chunks::<TILE>().0;
        let number = self.number[..padded].as_chunks_mut::<TILE>().0;
        for ((x, y), number) in x.iter().zip(y).zip(number) {
            for i in 0..TILE {
                number[i] = scan.index.number(bearing(x[i], y[i]));
            }
        }
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
        let corners = &self.outlines.corners[outline.first..outline.first + outline.count];
        let runs = self.scan.index.runs(sight.rays);
        let tiles = runs.map(|(from, to, _)| to / TILE - from / TILE + 1);
        if tiles.sum::<usize>() * corners.len() <= FEW {
            return self.scan.meet_outline(corners, sight.rays);
        }
        self.corners.load(corners, self.scan);
        let count = outline.count;
        let is_convex = outline.winding != 0.0 && count <= 64;
        let facing = if is_convex { self.corners.facing(count, outline.winding) } else { None };
        match facing {
            Some(facing) => self.meet_near_side(count, facing),
            None => (0..count).for_each(|a| self.meet_edge(a, count)),
        }
    }
}

impl OutlineProjection<'_, '_> {
    #[inline(always)]
    fn meet_edge(&mut self, a: usize, count: usize) {
        let b = if a + 1 == count { 0 } else { a + 1 };
        let rays = self.corners.rays(a, b, self.scan);
        let at = |corner: usize| [self.corners.x[corner], self.corners.y[corner]];
        self.scan.meet_segment(at(a), at(b), rays);
    }

    /// Intersects the edges of a convex outline that face the origin, as bits, with all rays, and those on its far side
    /// with the rays past the corners where both sides meet.
    ///
    /// Any other ray meets the near side first: beside these corners by more than [`RayIndex::about`] covers, it runs in
    /// the outline for at least 1e-6 times their distance, which is far more than rounding changes. So the ranges
    /// have the bits that all edges give.
    #[inline(always)]
    fn meet_near_side(&mut self, count: usize, facing: u64) {
        for a in 0..count {
            if facing >> a & 1 != 0 {
                self.meet_edge(a, count);
            }
            let before = if a == 0 { count - 1 } else { a - 1 };
            if (facing >> a ^ facing >> before) & 1 == 0 {
                continue;
            }
            let rays = self.scan.index.about(self.corners.number[a]);
            if self.scan.index.can_meet(rays) {
                let far = if facing >> a & 1 != 0 { before } else { a };
                let end = if far + 1 == count { 0 } else { far + 1 };
                let at = |corner: usize| [self.corners.x[corner], self.corners.y[corner]];
                self.scan.meet_segment(at(far), at(end), rays);
            }
        }
    }
}

impl Fan<'_> {
    /// Returns whether the fan detects outlines that move.
    pub(crate) fn sees_moving(&self) -> bool {
        self.see == Visibility::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use crate::scene::PlanarScene;

    /// Draws numbers from 0 to 1 (Knuth 1997, MMIX).
    fn draw(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a regular outline whose corners are shifted, in either direction.
    fn outline(corners: usize, state: &mut u64) -> Shape {
        let size = 0.05 + 2.0 * draw(state);
        let flat = if draw(state) < 0.3 { 0.05 } else { 1.0 };
        let mut points: Vec<[f64; 2]> = (0..corners)
            .map(|at| {
                let (sin, cos) = libm::sincos(at as f64 * std::f64::consts::TAU / corners as f64);
                let shift = 0.1 * draw(state);
                [size * cos + shift, flat * size * sin - shift]
            })
            .collect();
        if draw(state) < 0.5 {
            points.reverse();
        }
        Shape::new(&points)
    }

    #[test]
    fn the_far_sides_of_outlines_change_no_bit() {
        let (state, mut culled) = (&mut 1, 0);
        for round in 0..3000 {
            let mut all = Outlines::default();
            let away = if round % 50 == 0 { 1e5 } else { 4.0 };
            for owner in 0..1 + round % 4 {
                let shape = outline(3 + round as usize % 6, state);
                let [x, y, yaw] = [away, 4.0, 7.0].map(|reach| reach * (draw(state) - 0.5));
                all.add(owner, &shape, Pose2 { x, y, yaw }, [0.0, 1.0]);
                culled += usize::from(all.all[owner as usize].winding != 0.0);
            }
            let corners = all.corners.clone();
            let [x, y, yaw] = [4.0, 4.0, 7.0].map(|reach| reach * (draw(state) - 0.5));
            let mut origin = Pose2 { x, y, yaw };
            if round % 7 == 0 {
                // on an edge, or in line with it
                let (a, b, part) = (corners[0], corners[1], 3.0 * draw(state) - 1.0);
                (origin.x, origin.y) = (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]));
            }
            let noise = if round % 3 == 0 { 0.02 } else { 0.0 };
            let mut angles: Vec<f64> =
                (0..90).map(|ray| f64::from(ray) * 0.07 - 3.1 + noise * draw(state)).collect();
            for (ray, corner) in corners.iter().enumerate() {
                // rays at and beside corners
                let to = libm::atan2(corner[1] - origin.y, corner[0] - origin.x) - origin.yaw;
                let beside = [0.0, 1e-16, 1e-13, 1e-8, 1e-6, 3e-6][round as usize % 6];
                let at = (3 * ray + round as usize) % 90;
                angles[at] =
                    if noise > 0.0 { to + beside * (draw(state) - 0.5) } else { angles[at] };
                if round % 3 == 1 {
                    // the whole fan turns so that one of its rays meets the corner
                    origin.yaw += to - angles[at] + beside * (draw(state) - 0.5);
                }
            }
            let scene = PlanarScene::new(Vec::new(), all);
            let see = Visibility::All;
            let fan = Fan { origin, z: 0.5, angles: &angles, max_range: 8.0, ignore: None, see };
            let (mut found, mut expected) = ([0.0; 90], [0.0; 90]);
            scene.cast(&fan, &mut found);
            reference::cast(&scene, &fan, &mut expected);
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "round {round}");
        }
        assert!(culled > 3000, "{culled}");
    }
}
