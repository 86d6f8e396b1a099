//! Closed outlines, which are projected into a scan.
//!
//! For each edge of an outline, the rays between the bearings of its ends are intersected with it.
//! All other rays would miss it, so that the ranges equal the result of every ray against every
//! edge.

mod quads;
mod shape;

use simhost_scene::Pose2;

use crate::bearing::{Interval, RayIndex, bearing};
use crate::ray_angles::TILE;
use crate::scan::{Fan, Scan, Visibility};
use crate::tree::{Bounds, Sight, Tree, Visitor};
pub use shape::Shape;

/// An edge that covers almost half a turn can be met by any ray. The part of half a turn that counts as
/// almost.
const ALMOST: f64 = 1.0 - 1e-4;
/// Sine of the angle up to which a ray is near a corner.
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
    quads: Vec<quads::Quads>,
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
            let mut quads = quads::Quads::EMPTY;
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

/// Neighbouring corners as a fan sees them.
#[derive(Clone, Copy, Debug, Default)]
struct CornerTile {
    /// Position relative to the origin, m.
    x: [f64; CORNERS],
    y: [f64; CORNERS],
    /// Fractional ray number.
    number: [f64; CORNERS],
}

/// Corners of outlines as a fan sees them.
#[derive(Debug, Default)]
pub(crate) struct Corners {
    /// Corners of one outline.
    tiles: Vec<CornerTile>,
    count: usize,
    /// Corners of a group of outlines with four corners.
    quads: quads::QuadEdges,
}

impl Corners {
    /// Takes the corners of an outline, without their ray numbers.
    #[inline(always)]
    fn place(&mut self, corners: &[[f64; 2]], origin: [f64; 2]) {
        self.count = corners.len();
        let tiles = self.count.div_ceil(CORNERS);
        if self.tiles.len() < tiles {
            self.tiles.resize(tiles, CornerTile::default());
        }
        for (at, [x, y]) in corners.iter().enumerate() {
            let tile = &mut self.tiles[at / CORNERS];
            (tile.x[at % CORNERS], tile.y[at % CORNERS]) = (x - origin[0], y - origin[1]);
        }
    }

    /// Computes the ray numbers of the corners.
    #[inline(always)]
    fn count_rays(&mut self, index: &RayIndex) {
        for at in 0..self.count.div_ceil(CORNERS) {
            let tile = &mut self.tiles[at];
            for i in 0..CORNERS {
                tile.number[i] = index.number(bearing(tile.x[i], tile.y[i]));
            }
        }
    }

    /// Returns the position of a corner relative to the origin, m.
    #[inline(always)]
    fn at(&self, corner: usize) -> [f64; 2] {
        let (tile, i) = (&self.tiles[corner / CORNERS], corner % CORNERS);
        [tile.x[i], tile.y[i]]
    }

    /// Returns the squared distance of a corner, m².
    #[inline(always)]
    fn square(&self, corner: usize) -> f64 {
        let [x, y] = self.at(corner);
        x * x + y * y
    }

    /// Returns which edges of a convex outline with this winding face the origin, as bits by their first corner. `None`
    /// if the outline is not convex or has more than 64 corners, the origin is inside, or an edge is seen almost end on.
    #[inline(always)]
    fn facing(&self, winding: f64) -> Option<u64> {
        let mut facing = 0;
        for a in 0..self.count {
            let b = if a + 1 == self.count { 0 } else { a + 1 };
            let ([ax, ay], [bx, by]) = (self.at(a), self.at(b));
            let cross = winding * (ax * by - ay * bx);
            let is_clear = cross * cross > END_ON * END_ON * self.square(a) * self.square(b);
            if !is_clear || a >= 64 {
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
        let number = |at: usize| self.tiles[at / CORNERS].number[at % CORNERS];
        let turned = number(b) - number(a);
        let half = 0.5 * index.period;
        let turned = if turned > half {
            turned - index.period
        } else if turned < -half {
            turned + index.period
        } else {
            turned
        };
        // seen from a point on it, a segment can cover either half plane
        if turned.abs() > half * ALMOST || self.square(a) < AT_ORIGIN || self.square(b) < AT_ORIGIN
        {
            return Interval::ALL;
        }
        let (low, high) = if turned < 0.0 { (turned, 0.0) } else { (0.0, turned) };
        let (low, high) = (number(a) + low, number(a) + high);
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
        let Self { outlines, scan, corners, .. } = self;
        let outline = &outlines.all[item];
        corners.place(outlines.corners_of(outline), scan.origin);
        let runs = scan.index.runs(sight.rays);
        let mut tiles = 0;
        for (from, to, _) in runs {
            tiles += to / TILE - from / TILE + 1;
        }
        let has_few = tiles * outline.count <= FEW;
        let mut facing = if has_few { None } else { corners.facing(outline.winding) };
        let edges = facing.map_or(outline.count, |facing| facing.count_ones() as usize);
        let mut rays = Some(sight.rays).filter(|_| tiles * edges <= FEW);
        if rays.is_none() {
            corners.count_rays(&scan.index);
        }
        // a second time if all edges have to be intersected
        while self.meet_edges(facing, rays) {
            (facing, rays) = (None, Some(sight.rays));
        }
    }

    #[inline(always)]
    fn visit_group(&mut self, group: usize) -> u64 {
        let Self { outlines, fan, scan, corners } = self;
        if scan.index.is_fine() {
            corners.quads.project(&outlines.quads[group], fan, scan)
        } else {
            u64::MAX
        }
    }
}

/// Returns whether an edge faces the origin, by the bits of those that do. Without bits, all edges do.
#[inline(always)]
fn faces(facing: Option<u64>, edge: usize) -> bool {
    facing.is_none_or(|facing| facing >> edge & 1 != 0)
}

impl OutlineProjection<'_, '_> {
    /// Intersects the edges of an outline one by one, and of a convex one those that face the origin, with `rays` or, without
    /// these, with those that can meet them. Returns whether all edges have to be intersected with all rays.
    ///
    /// At the corners of a convex outline between sides that face the origin and sides that do not,
    /// near rays must be intersected with all edges. Any other ray hits the near side first: if it
    /// passes these corners by more than [`BESIDE`], it runs in the outline for at least 1e-6 times
    /// their distance, which is far more than rounding errors. The ranges are therefore
    /// bit-identical to the result of all edges.
    #[inline(always)]
    fn meet_edges(&mut self, facing: Option<u64>, rays: Option<Interval>) -> bool {
        let Self { scan, corners: seen, .. } = self;
        let mut is_beside = false;
        for a in 0..seen.count {
            if !faces(facing, a) {
                continue;
            }
            let before = if a == 0 { seen.count } else { a } - 1;
            let b = if a + 1 == seen.count { 0 } else { a + 1 };
            let rays = if let Some(rays) = rays { rays } else { seen.rays(a, b, scan) };
            let ends = [seen.at(a), seen.at(b)];
            let width = |[x, y]: [f64; 2], other: usize| {
                if faces(facing, other) { -1.0 } else { BESIDE * (x.abs() + y.abs()) }
            };
            let beside = [width(ends[0], before), width(ends[1], b)];
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
