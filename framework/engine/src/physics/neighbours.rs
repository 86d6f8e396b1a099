//! Neighbour search: which bodies may touch something within the next steps.
//!
//! Every body has an allowance that grows with its speed. While no body has left the circle of its
//! allowance, bodies whose circles overlapped nothing cannot touch anything. The search is repeated
//! only when a body has left its circle (neighbour lists, Verlet 1967).
//!
//! There are two such circles. All bodies have a wide one. Those whose wide circle overlaps something have company, and
//! get a tight circle within it, which is searched more often, and an angle by which they may turn until then; those whose
//! outlines can reach something while they stay there have a neighbour. So a vehicle between walls is left to rapier only
//! when it is about to touch one, and what is alone is looked at seldom.

use std::sync::OnceLock;

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::{Ball, ConvexPolygon};
use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{BodyInfo, Circle, RigidBody, Searched, Surface, pose};

/// Time in which a body covers its allowance at its present speed, s.
const WIDE_HORIZON: f64 = 0.25;
/// As `WIDE_HORIZON`, for the tight circle: this time, but at least some steps.
const TIGHT_HORIZON: f64 = 0.04;
const TIGHT_STEPS: f64 = 4.0;
/// Smallest allowances, and the greatest one, m.
const WIDE_LEAST: f64 = 0.05;
const TIGHT_LEAST: f64 = 0.01;
const MAX_ALLOWANCE: f64 = 5.0;
/// Greatest way in a step, m: beyond, a run has diverged.
const FARTHEST: f64 = 1e6;
/// Factor of that way for rounding.
const ROUNDED_UP: f64 = 1.0 + 1e-9;
/// Sines of the smallest and the greatest angle by which a body with company may turn before the next search. One that
/// turns faster is taken as a disc.
const TURN_LEAST: f64 = 0.02;
const TURN_MOST: f64 = 0.3;
/// Greatest ratio of such an angle to its sine.
const TURNED: f64 = 1.02;
/// Distance at which rapier can already act, m: it predicts contacts up to 0.02 m.
pub(super) const MARGIN: f64 = 0.025;
/// Number of pairs that a search examines, and further ones per body. Beyond, every body counts as one with a neighbour.
const FEW_EXAMINED: usize = 1 << 20;
const EXAMINED_PER_BODY: usize = 32;
/// Number of times that a list can have each obstacle before duplicates are removed.
const MOST_LISTED: usize = 4;

/// Search for neighbours, in memory that is reused from search to search.
#[derive(Default)]
pub(super) struct Neighbours {
    /// Bounding boxes of the circles of the last search.
    boxes: Vec<Aabb>,
    /// Numbers of the bodies of the last search.
    chosen: Vec<usize>,
    /// Memory of a list that a search returned.
    pub reused: Vec<bool>,
    /// Memory of a list of obstacles.
    pub reached: Vec<usize>,
}

impl Neighbours {
    /// Returns the numbers, ascending, of the obstacles that bodies `near` something can reach before the next search of
    /// all bodies, even if one pushes another. Leaves out obstacles for which `is_wanted` is false. The list can be given
    /// back as `reached`, so that the next search does not allocate.
    pub fn reached_obstacles(
        &mut self,
        bodies: &Bodies,
        obstacles: &Obstacles,
        is_wanted: impl Fn(usize) -> bool,
        near: &[bool],
        dt: f64,
    ) -> Vec<usize> {
        let mut reached = std::mem::take(&mut self.reached);
        reached.clear();
        let pairs = || bodies.states.iter().zip(&*bodies.infos);
        let moved = || pairs().zip(near).filter(|(_, near)| **near);
        let fastest = moved().map(|((body, _), _)| allowance(body, [WIDE_HORIZON, dt], WIDE_LEAST));
        let push = fastest.fold(0.0, f64::max);
        for ((body, info), _) in moved() {
            let Circle { centre: [x, y], radius } = body.wide;
            let half = Vector::splat(info.radius + radius + push + MARGIN);
            let bounds = Aabb::from_half_extents(Vector::new(x, y), half);
            let found = obstacles.near(&bounds).map(|(number, _)| number);
            reached.extend(found.filter(|number| is_wanted(*number)));
            if reached.len() > MOST_LISTED * obstacles.all.len() {
                reached.sort_unstable();
                reached.dedup();
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// Starts new circles for a step of `dt` seconds and returns for each body whether it has a neighbour. Wide circles
    /// are kept while all bodies stay within them. The list can be given back as `reused`, so that the next
    /// search allocates none.
    pub fn update(
        &mut self,
        bodies: &mut [RigidBody],
        infos: &[BodyInfo],
        obstacles: &Obstacles,
        dt: f64,
    ) -> Vec<bool> {
        let (mut near, mut chosen) =
            (std::mem::take(&mut self.reused), std::mem::take(&mut self.chosen));
        near.clear();
        near.resize(bodies.len(), false);
        let is_inside = |body: &RigidBody| {
            body.stays_within(&body.wide, 0.0) && body.stays_within(&body.wide, dt)
        };
        if !bodies.iter().all(is_inside) {
            chosen.clear();
            chosen.extend(0..bodies.len());
            for body in bodies.iter_mut() {
                let radius = allowance(body, [WIDE_HORIZON, dt], WIDE_LEAST);
                body.wide = Circle { centre: body.centre(), radius };
            }
            let wide = |body: &RigidBody| Searched::at_will(body.wide);
            self.search(bodies, infos, obstacles, &chosen, &mut near, wide);
            for (body, near) in bodies.iter_mut().zip(&mut near) {
                body.has_company = std::mem::take(near);
            }
        }
        let horizon = TIGHT_HORIZON.max(TIGHT_STEPS * dt).min(WIDE_HORIZON);
        for (body, info) in bodies.iter_mut().zip(infos) {
            body.searched = Searched::at_will(body.wide);
            if body.has_company {
                body.searched = tight(body, info, [horizon, dt]);
            }
        }
        chosen.clear();
        chosen.extend((0..bodies.len()).filter(|number| bodies[*number].has_company));
        self.search(bodies, infos, obstacles, &chosen, &mut near, |body| body.searched);
        self.chosen = chosen;
        near
    }

    /// Determines which of the bodies with the numbers `chosen` can reach another one of these, or an obstacle, while
    /// all stay where `searched` returns.
    fn search(
        &mut self,
        bodies: &[RigidBody],
        infos: &[BodyInfo],
        obstacles: &Obstacles,
        chosen: &[usize],
        near: &mut [bool],
        searched: fn(&RigidBody) -> Searched,
    ) {
        let reach =
            |number: usize| Reach::new(&bodies[number], &infos[number], searched(&bodies[number]));
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(chosen.iter().map(|number| reach(*number).bounds()));
        let tree = (chosen.len() > 1).then(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
        let most = FEW_EXAMINED + EXAMINED_PER_BODY * chosen.len();
        let mut examined = 0;
        for (at, &number) in chosen.iter().enumerate() {
            let own = reach(number);
            let mut is_last = || {
                examined += 1;
                examined > most
            };
            let meets = |other: u32| {
                is_last() || other as usize != at && own.meets(&reach(chosen[other as usize]))
            };
            let body = tree.as_ref().is_some_and(|tree| tree.intersect_aabb(&boxes[at]).any(meets));
            near[number] = body
                || obstacles.near(&boxes[at]).any(|(_, one)| is_last() || own.meets_obstacle(one));
        }
        self.boxes = boxes;
    }
}

/// Returns where a body with company may be until the next search, after `horizon` seconds at its present velocity, but
/// not before it has made a step of `dt` seconds.
fn tight(body: &RigidBody, info: &BodyInfo, [horizon, dt]: [f64; 2]) -> Searched {
    let (centre, wide) = (body.centre(), body.wide);
    let [dx, dy] = [0, 1].map(|axis| centre[axis] - wide.centre[axis]);
    let left = wide.radius - (dx * dx + dy * dy).sqrt();
    let radius = allowance(body, [horizon, dt], TIGHT_LEAST).min(left);
    let turn = (horizon * body.state.omega.abs()).max(TURN_LEAST);
    // also false for NaN
    let is_slow = turn <= TURN_MOST && info.lever > 0.0;
    let turn = if is_slow { turn } else { f64::INFINITY };
    Searched { circle: Circle { centre, radius }, heading: body.state.heading, turn }
}

/// The places that a body can reach before it needs another search.
struct Reach<'b> {
    /// Centre of mass, and the radius of the circle about it that contains all the body can reach, m.
    centre: Vector,
    radius: f64,
    /// The outline, unless the body may turn at will.
    outline: Option<Outline<'b>>,
    /// Distance up to which something is within reach of the outline, m.
    margin: f64,
}

/// A convex outline and its pose.
type Outline<'b> = (Pose, &'b ConvexPolygon);

impl<'b> Reach<'b> {
    fn new(body: &RigidBody, info: &'b BodyInfo, searched: Searched) -> Self {
        let Searched { circle: Circle { centre: [x, y], radius: allowance }, turn, .. } = searched;
        let outline = info.shape.as_convex_polygon().filter(|_| turn < f64::INFINITY);
        let turned = if turn < f64::INFINITY { TURNED * turn * info.lever } else { 0.0 };
        Self {
            centre: Vector::new(x, y),
            radius: info.radius + allowance + MARGIN,
            outline: outline.map(|outline| (pose(&body.state), outline)),
            margin: allowance + MARGIN + turned,
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_half_extents(self.centre, Vector::splat(self.radius))
    }

    /// Returns whether two bodies can touch.
    fn meets(&self, other: &Self) -> bool {
        let is_parted_from = |one: &Self, other: &Self| {
            one.outline.as_ref().is_some_and(|outline| match &other.outline {
                Some((pose, polygon)) => {
                    is_beyond(outline, pose, polygon.points(), one.margin + other.margin)
                }
                None => {
                    let centre = (&Pose::IDENTITY, &[other.centre][..]);
                    is_beyond(outline, centre.0, centre.1, one.margin + other.radius)
                }
            })
        };
        (other.centre - self.centre).length() <= self.radius + other.radius
            && !is_parted_from(self, other)
            && !is_parted_from(other, self)
    }

    /// Returns whether the body can touch an obstacle.
    fn meets_obstacle(&self, Obstacle { pose, shape, .. }: &Obstacle) -> bool {
        let (at, ball) = (Pose::from_translation(self.centre), Ball::new(self.radius));
        let meets = query::intersection_test(pose, shape.as_ref(), &at, &ball);
        let is_parted = |outline: &Outline<'_>, polygon: &ConvexPolygon| {
            is_beyond(outline, pose, polygon.points(), self.margin)
                || is_beyond(&(*pose, polygon), &outline.0, outline.1.points(), self.margin)
        };
        let outlines = self.outline.as_ref().zip(shape.as_convex_polygon());
        meets.map_or(true, |hit| hit.intersecting)
            && !outlines.is_some_and(|(outline, polygon)| is_parted(outline, polygon))
    }
}

/// Returns whether all corners of another outline, with its pose, are beyond one side of an outline by more than `reach`, m.
fn is_beyond((own, outline): &Outline<'_>, pose: &Pose, corners: &[Vector], reach: f64) -> bool {
    let relative = own.inv_mul(pose);
    let mut sides = outline.normals().iter().zip(outline.points());
    sides.any(|(normal, at)| corners.iter().all(|one| normal.dot(relative * *one - *at) > reach))
}

/// Returns the way of a body within `horizon`, s, at its present speed: at least `least`, m, and its way in a
/// step of `dt` seconds.
fn allowance(body: &RigidBody, [horizon, dt]: [f64; 2], least: f64) -> f64 {
    let speed = body.state.speed();
    let distance = horizon * speed;
    // written so that NaN counts as fast
    let usual = if distance <= MAX_ALLOWANCE { distance.max(least) } else { MAX_ALLOWANCE };
    usual.max((dt * speed * ROUNDED_UP).min(FARTHEST))
}

/// An obstacle that never moves.
#[derive(Clone)]
pub(super) struct Obstacle {
    /// Name of the obstacle as messages show it.
    pub name: String,
    pub pose: Pose,
    pub shape: SharedShape,
    /// A cell, if the shape consists of cells.
    pub cell: Option<SharedShape>,
    /// Width at the thinnest, m.
    pub width: f64,
    /// Material of the outline.
    pub surface: Surface,
    /// Index of its height span.
    pub span: usize,
}

/// All obstacles, which do not change after the build.
#[derive(Clone)]
pub(super) struct Obstacles {
    /// In the order in which they were added to the world.
    pub all: Vec<Obstacle>,
    /// Width of the thinnest obstacle, m.
    pub thinnest: f64,
    /// Tree of their bounding boxes, as of the first search.
    tree: OnceLock<Bvh>,
}

impl Default for Obstacles {
    fn default() -> Self {
        Self { all: Vec::new(), thinnest: f64::INFINITY, tree: OnceLock::new() }
    }
}

impl Obstacles {
    /// Adds an obstacle and returns its number.
    pub fn add(&mut self, obstacle: Obstacle) -> usize {
        self.thinnest = self.thinnest.min(obstacle.width);
        self.all.push(obstacle);
        self.tree = OnceLock::new();
        self.all.len() - 1
    }

    /// Returns the obstacles whose bounding boxes intersect `bounds`, with their numbers.
    pub fn near<'a>(&'a self, bounds: &'a Aabb) -> impl Iterator<Item = (usize, &'a Obstacle)> {
        let tree = self.tree.get_or_init(|| {
            let boxes: Vec<Aabb> =
                self.all.iter().map(|one| one.shape.compute_aabb(&one.pose)).collect();
            Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
        });
        let found = tree.intersect_aabb(bounds).map(|number| number as usize);
        found.map(|number| (number, &self.all[number]))
    }
}
