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
/// Squared distance below which a corner counts as the origin, m².
const AT_ORIGIN: f64 = 1e-200;

/// A closed outline in its own frame.
#[derive(Clone, Debug)]
pub struct Shape {
    corners: Arc<[[f64; 2]]>,
    radius: f64,
}

impl Shape {
    /// Creates an outline from its corners, m. Either direction is allowed.
    pub fn new(corners: &[[f64; 2]]) -> Self {
        let radius = polygon::bounding_radius(corners, [0.0, 0.0]);
        Self { corners: corners.into(), radius }
    }

    /// Returns the corners, m.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }
}

/// An outline in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    owner: u32,
    heights: [f64; 2],
    centre: [f64; 2],
    radius: f64,
    bounds: Bounds,
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
        self.all.push(Outline {
            owner,
            heights,
            centre: [pose.x, pose.y],
            radius: shape.radius,
            bounds,
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
    fn visit(&mut self, item: usize, _: &Sight) {
        let outline = &self.outlines.all[item];
        let corners = &self.outlines.corners[outline.first..outline.first + outline.count];
        self.corners.load(corners, self.scan);
        for a in 0..outline.count {
            let b = if a + 1 == outline.count { 0 } else { a + 1 };
            let rays = self.corners.rays(a, b, self.scan);
            let at = |corner: usize| [self.corners.x[corner], self.corners.y[corner]];
            self.scan.meet_segment(at(a), at(b), rays);
        }
    }
}

impl Fan<'_> {
    /// Returns whether the fan detects outlines that move.
    pub(crate) fn sees_moving(&self) -> bool {
        self.see == Visibility::All
    }
}
