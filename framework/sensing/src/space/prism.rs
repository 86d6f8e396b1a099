//! Upright prisms over closed outlines.

mod seen;

use simhost_scene::{Pose2, Rotation};
use simhost_vectors::Vec2;

use super::beam::{Beam, Label, Strike};
use super::nearest::{Course, Nearest};
use super::slab::Slab;
use crate::tree::{Bounds, MARGIN, Tree};
pub(super) use seen::SeenPrism;

/// Upper end of a prism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Top {
    /// A level plane at this height, m, world frame.
    Flat(f64),
    /// A plane through the origin of the outline at height `base`, m, world frame, that rises by
    /// `slope` along the x axis of the outline.
    Ramp {
        /// Height of the origin, m.
        base: f64,
        /// Rise per length, m/m.
        slope: f64,
    },
    /// Half an ellipse across the y axis of the outline: z = base + height √(1 − (2y/width)²).
    Arch {
        /// Height of the origin, m, world frame.
        base: f64,
        /// Length along y, m.
        width: f64,
        /// Height at y = 0, m.
        height: f64,
    },
}

impl Top {
    /// Returns the top raised by a height, m.
    #[must_use]
    pub fn raised(self, z: f64) -> Self {
        match self {
            Self::Flat(top) => Self::Flat(top + z),
            Self::Ramp { base, slope } => Self::Ramp { base: base + z, slope },
            Self::Arch { base, width, height } => Self::Arch { base: base + z, width, height },
        }
    }
}

/// A prism in its own frame. Instances can be placed at any inclination.
#[derive(Clone, Debug)]
pub struct Extrusion(Prisms);

impl Extrusion {
    /// Creates the prism over an outline from height `bottom`, m, to its top.
    pub fn new(outline: &[[f64; 2]], bottom: f64, top: Top) -> Self {
        let mut prisms = Prisms::default();
        prisms.add(Label::default(), outline, Pose2::default(), bottom, top);
        Self(prisms)
    }

    /// Returns the smallest and the largest coordinates, m.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.0.all[0].space_bounds()
    }

    /// Returns range and normal of what a ray in its frame meets.
    pub(super) fn meet(&self, beam: &Beam) -> Option<(f64, [f64; 3])> {
        let strike = self.0.meet(&self.0.all[0], beam)?;
        Some((strike.range, strike.normal))
    }

    /// Returns the prism as the only one of a set.
    pub(super) fn prisms(&self) -> &Prisms {
        &self.0
    }
}

/// Prisms in the world frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Prisms {
    all: Vec<Prism>,
    corners: Vec<[f64; 2]>,
    tree: Tree,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Prism {
    pub label: Label,
    bottom: f64,
    top: Top,
    /// Position of the outline, and cosine and sine of its heading.
    place: [[f64; 2]; 2],
    bounds: Bounds,
    /// First corner and number of corners.
    first: usize,
    count: usize,
}

impl Prisms {
    pub fn clear(&mut self) {
        self.all.clear();
        self.corners.clear();
    }

    pub fn add(&mut self, label: Label, outline: &[[f64; 2]], pose: Pose2, bottom: f64, top: Top) {
        let (first, count) = (self.corners.len(), outline.len());
        let (sin, cos) = libm::sincos(pose.yaw);
        let place = |[x, y]: &[f64; 2]| [pose.x + cos * x - sin * y, pose.y + sin * x + cos * y];
        self.corners.extend(outline.iter().map(place));
        let point = |corner: &[f64; 2]| Bounds { min: *corner, max: *corner };
        let bounds = self.corners[first..].iter().map(point).fold(Bounds::EMPTY, Bounds::union);
        let place = [[pose.x, pose.y], [cos, sin]];
        self.all.push(Prism { label, bottom, top, place, bounds, first, count });
    }

    /// Prepares the prisms for rays.
    pub fn prepare(&mut self) {
        self.tree.build(self.all.len(), |item| self.all[item].bounds);
    }

    /// Offers the nearest prism that a ray meets.
    pub fn cast(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        let meet = |item: usize, nearest: &mut Nearest| {
            let prism = &self.all[item];
            if accepts(prism.label.number) {
                nearest.offer(beam, self.meet(prism, beam));
            }
        };
        self.tree.walk(&mut Course { beam, nearest, meet });
    }

    /// As [`Self::cast`], with every prism.
    pub fn cast_by_force(&self, beam: &Beam, accepts: &dyn Fn(u32) -> bool, nearest: &mut Nearest) {
        for prism in self.all.iter().filter(|prism| accepts(prism.label.number)) {
            nearest.offer(beam, self.meet(prism, beam));
        }
    }

    /// Returns all prisms.
    pub fn iter(&self) -> std::slice::Iter<'_, Prism> {
        self.all.iter()
    }

    /// Returns a prism.
    pub fn at(&self, index: usize) -> &Prism {
        &self.all[index]
    }

    /// Returns the label of a prism, and position and axes of its outline at its lower end, m.
    pub fn pose(&self, at: usize) -> (Label, [f64; 3], Rotation) {
        let Prism { label, bottom, place: [[x, y], [cos, sin]], .. } = self.all[at];
        (label, [x, y, bottom], [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    }

    /// Returns the outline of a prism in its own frame, m, its lower end and its upper end.
    pub fn local(&self, at: usize) -> (Vec<[f64; 2]>, f64, Top) {
        let Prism { bottom, top, place: [[x, y], [cos, sin]], first, count, .. } = self.all[at];
        let back = |corner: &[f64; 2]| {
            let [u, v] = [corner[0] - x, corner[1] - y];
            [cos * u + sin * v, cos * v - sin * u]
        };
        (self.corners[first..first + count].iter().map(back).collect(), bottom, top)
    }

    /// Returns the corners of a prism, m.
    pub fn corners_of(&self, prism: &Prism) -> &[[f64; 2]] {
        &self.corners[prism.first..prism.first + prism.count]
    }

    /// Returns what a ray meets of a prism.
    pub fn meet(&self, prism: &Prism, beam: &Beam) -> Option<Strike> {
        let corners = self.corners_of(prism);
        let slab = prism.slab(beam)?;
        let (range, normal) = Crossing::new(beam, slab).first(corners)?;
        let Label { number, surface } = prism.label;
        Some(Strike { range: range + 0.0, normal, number, surface })
    }
}

impl Prism {
    /// Returns the smallest and the largest coordinates, m.
    pub fn space_bounds(&self) -> [[f64; 3]; 2] {
        let Bounds { min, max } = self.bounds;
        let [[x, y], [cos, sin]] = self.place;
        let top = match self.top {
            Top::Flat(top) => top,
            Top::Arch { base, height, .. } => base + height,
            // linear, so largest at a corner of the box
            Top::Ramp { base, slope } => {
                let at = |u: f64, v: f64| base + slope * (cos * (u - x) + sin * (v - y));
                let ends = [
                    at(min[0], min[1]),
                    at(min[0], max[1]),
                    at(max[0], min[1]),
                    at(max[0], max[1]),
                ];
                ends.into_iter().fold(f64::NEG_INFINITY, f64::max)
            }
        };
        let margin = MARGIN * (1.0 + min.iter().chain(&max).fold(top.abs(), |a, b| a.max(b.abs())));
        [
            [min[0] - margin, min[1] - margin, self.bottom - margin],
            [max[0] + margin, max[1] + margin, top.max(self.bottom) + margin],
        ]
    }

    /// Returns the part of a ray between bottom and top.
    fn slab(&self, beam: &Beam) -> Option<Slab> {
        let ([x, y, z], [dx, dy, dz]) = (beam.origin, beam.direction);
        let mut slab = Slab::WHOLE;
        slab.clip(self.bottom - z, -dz, [0.0, 0.0, -1.0]);
        let [at, [cos, sin]] = self.place;
        match self.top {
            Top::Flat(top) => slab.clip(z - top, dz, [0.0, 0.0, 1.0]),
            Top::Ramp { base, slope } => {
                let along = cos * (x - at[0]) + sin * (y - at[1]);
                let turned = cos * dx + sin * dy;
                let length = (1.0 + slope * slope).sqrt();
                let normal = [-slope * cos / length, -slope * sin / length, 1.0 / length];
                slab.clip(z - base - slope * along, dz - slope * turned, normal);
            }
            Top::Arch { base, width, height } => {
                // in units of the half axes: |p + t q| ≤ 1
                let (across, turned) = (cos * (y - at[1]) - sin * (x - at[0]), cos * dy - sin * dx);
                let half = 0.5 * width;
                let (p, q) = ([across / half, (z - base) / height], [turned / half, dz / height]);
                slab.clip_disc(p, q, |[v, w]| {
                    let [v, w] = [v / half, w / height];
                    let length = (v * v + w * w).sqrt();
                    [-sin * v / length, cos * v / length, w / length]
                });
            }
        }
        (slab.from <= slab.to).then_some(slab)
    }
}

/// A ray and the part of it between bottom and top of a prism.
struct Crossing<'b> {
    beam: &'b Beam,
    level: Vec2,
    slab: Slab,
    /// Nearest surface so far.
    best: Option<(f64, [f64; 3])>,
}

impl<'b> Crossing<'b> {
    fn new(beam: &'b Beam, slab: Slab) -> Self {
        Self { beam, level: Vec2::new(beam.direction[0], beam.direction[1]), slab, best: None }
    }

    /// Returns range and normal of the first surface: a side between bottom and top, or bottom or top
    /// within the outline.
    ///
    /// An edge is met if its ends lie on different sides of the ray seen from above, or one of them on
    /// it. Where the ray passes bottom and top, it is within the outline if it crosses an odd number of
    /// edges further on. Both use the same distances, so that no ray passes between a side and a top.
    fn first(mut self, corners: &[[f64; 2]]) -> Option<(f64, [f64; 3])> {
        let [x, y, _] = self.beam.origin;
        let relative = |corner: &[f64; 2]| Vec2::from(*corner) - Vec2::new(x, y);
        let ends = [self.slab.from, self.slab.to];
        let mut inside = [false; 2];
        let mut along = false;
        let following = corners.iter().cycle().skip(1);
        for (a, b) in corners.iter().zip(following) {
            let (a, b) = (relative(a), relative(b));
            if self.beam.is_upright() {
                let is_inside = crosses_above(a, b) != inside[0];
                (inside, along) = ([is_inside; 2], along || holds_origin(a, b));
                continue;
            }
            let sides = [self.level.cross(a), self.level.cross(b)];
            if sides[0] > 0.0 && sides[1] > 0.0 || sides[0] < 0.0 && sides[1] < 0.0 {
                continue;
            }
            if sides[0] == sides[1] {
                along = true;
                continue;
            }
            let distance = self.meet_side(a, b, sides);
            if (sides[0] > 0.0) != (sides[1] > 0.0) {
                inside = [0, 1].map(|end| inside[end] != (distance > ends[end]));
            }
        }
        if self.beam.is_upright() && along {
            inside = [true; 2];
        } else if along {
            self.meet_edges_along(corners);
        }
        for (end, is_inside) in inside.into_iter().enumerate() {
            if is_inside {
                self.offer(ends[end], self.slab.normals[end]);
            }
        }
        self.best
    }

    /// Offers a side, given the sides of the ray on which its ends lie. Returns the distance at which
    /// the ray passes it, seen from above.
    fn meet_side(&mut self, a: Vec2, b: Vec2, sides: [f64; 2]) -> f64 {
        let part = sides[0] / (sides[0] - sides[1]);
        let edge = b - a;
        let distance = self.distance_to(a + part * edge);
        self.offer_side(distance, seen::side_normal(a, b));
        distance
    }

    /// Offers the ends of the sides that lie along the ray, seen from above.
    #[cold]
    fn meet_edges_along(&mut self, corners: &[[f64; 2]]) {
        let [x, y, _] = self.beam.origin;
        let length = self.beam.level_square.sqrt();
        let normal = [-self.level.x / length, -self.level.y / length, 0.0];
        let on_line = |corner: &[f64; 2]| {
            let at = Vec2::from(*corner) - Vec2::new(x, y);
            (self.level.cross(at) == 0.0).then(|| self.distance_to(at))
        };
        let distances = corners.iter().filter_map(on_line);
        let nearest = distances.filter(|distance| *distance >= 0.0 && self.slab.holds(*distance));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        if nearest < f64::INFINITY {
            self.offer_side(nearest, normal);
        }
    }

    fn distance_to(&self, at: Vec2) -> f64 {
        self.level.dot(at) / self.beam.level_square
    }

    fn offer_side(&mut self, distance: f64, normal: [f64; 3]) {
        if self.slab.holds(distance) {
            self.offer(distance, normal);
        }
    }

    /// Keeps a surface that is ahead and nearer than the present one.
    fn offer(&mut self, distance: f64, normal: [f64; 3]) {
        let is_ahead = (0.0..f64::INFINITY).contains(&distance);
        if is_ahead && self.best.is_none_or(|(best, _)| distance < best) {
            self.best = Some((distance, self.beam.facing(normal)));
        }
    }
}

/// Returns whether an edge crosses the positive x axis.
fn crosses_above(a: Vec2, b: Vec2) -> bool {
    if (a.y > 0.0) == (b.y > 0.0) {
        return false;
    }
    // the origin is left of the edge, seen along the edge upwards
    (a.cross(b) > 0.0) == (b.y > a.y)
}

/// Returns whether an edge passes through the origin.
fn holds_origin(a: Vec2, b: Vec2) -> bool {
    a.cross(b) == 0.0 && a.dot(b) <= 0.0
}
