//! Neighbour search: which bodies may touch something within the next steps.
//!
//! Every body has an allowance that grows with its speed. While no body has left the circle of its
//! allowance, bodies whose circles overlapped nothing cannot touch anything. The search is repeated
//! only when a body has left its circle (neighbour lists, Verlet 1967).
//!
//! There are two such circles. All bodies have a wide one. Those whose wide circle overlaps something have company, and
//! get a tight circle within it, which is searched more often; those whose tight circle overlaps something have a
//! neighbour. So a vehicle between walls is left to rapier only when it is about to touch one, and what is alone is
//! looked at seldom.

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::Ball;
use rapier2d_f64::prelude::*;

use super::body::{BodyInfo, Circle, RigidBody, Surface};

/// Time in which a body covers its allowance at its present speed, s.
const WIDE_HORIZON: f64 = 0.25;
/// As `WIDE_HORIZON`, for the tight circle: this time, but at least some steps.
const TIGHT_HORIZON: f64 = 0.04;
const TIGHT_STEPS: f64 = 4.0;
/// Smallest allowances, and the greatest one, m.
const WIDE_LEAST: f64 = 0.05;
const TIGHT_LEAST: f64 = 0.01;
const MAX_ALLOWANCE: f64 = 5.0;
/// Distance at which rapier can already act, m.
const MARGIN: f64 = 0.05;

/// An obstacle that never moves.
pub(super) struct Obstacle {
    /// Name of the obstacle as messages show it.
    pub name: String,
    pub pose: Pose,
    pub shape: SharedShape,
    /// Width at the thinnest, m.
    pub width: f64,
    /// Material of the outline.
    pub surface: Surface,
    /// Index of its height span.
    pub span: usize,
    /// Its counterpart in rapier.
    pub handle: RigidBodyHandle,
}

/// Neighbours as of the last search.
pub(super) struct Neighbours {
    pub obstacles: Vec<Obstacle>,
    /// Width of the thinnest obstacle, m.
    pub thinnest: f64,
    /// Tree of the obstacles; `None` after one has been added.
    pub tree: Option<Bvh>,
    /// Bounding boxes of the circles of the last search.
    boxes: Vec<Aabb>,
    /// Numbers of the bodies of the last search.
    chosen: Vec<usize>,
    /// Memory of a list that a search returned.
    pub reused: Vec<bool>,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            obstacles: Vec::new(),
            thinnest: f64::INFINITY,
            tree: None,
            boxes: Vec::new(),
            chosen: Vec::new(),
            reused: Vec::new(),
        }
    }
}

impl Neighbours {
    /// Adds an obstacle and returns its number.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> usize {
        self.thinnest = self.thinnest.min(obstacle.width);
        self.obstacles.push(obstacle);
        self.tree = None;
        self.obstacles.len() - 1
    }

    /// Returns the obstacles whose bounding boxes intersect `bounds`.
    pub fn obstacles_near<'a>(
        &'a mut self,
        bounds: &'a Aabb,
    ) -> impl Iterator<Item = &'a Obstacle> {
        let Self { obstacles, tree, .. } = self;
        let tree = tree.get_or_insert_with(|| {
            let boxes: Vec<Aabb> =
                obstacles.iter().map(|one| one.shape.compute_aabb(&one.pose)).collect();
            Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
        });
        tree.intersect_aabb(bounds).map(|number| &obstacles[number as usize])
    }

    /// Starts new circles for a step of `dt` seconds and returns for each body whether it has a neighbour. Wide circles
    /// are kept while all bodies stay within them. The list can be given back as `reused`, so that the next
    /// search allocates none.
    pub fn update(&mut self, bodies: &mut [RigidBody], infos: &[BodyInfo], dt: f64) -> Vec<bool> {
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
                let radius = allowance(body, WIDE_HORIZON, WIDE_LEAST);
                body.wide = Circle { centre: body.centre(), radius };
            }
            self.search(bodies, infos, (&chosen, &mut near), |body| body.wide);
            for (body, near) in bodies.iter_mut().zip(&mut near) {
                body.has_company = std::mem::take(near);
            }
        }
        let horizon = TIGHT_HORIZON.max(TIGHT_STEPS * dt).min(WIDE_HORIZON);
        for body in bodies.iter_mut() {
            body.searched = body.wide;
            if body.has_company {
                let (centre, wide) = (body.centre(), body.wide);
                let [dx, dy] = [0, 1].map(|axis| centre[axis] - wide.centre[axis]);
                let left = wide.radius - (dx * dx + dy * dy).sqrt();
                let radius = allowance(body, horizon, TIGHT_LEAST).min(left);
                body.searched = Circle { centre, radius };
            }
        }
        chosen.clear();
        chosen.extend((0..bodies.len()).filter(|number| bodies[*number].has_company));
        self.search(bodies, infos, (&chosen, &mut near), |body| body.searched);
        self.chosen = chosen;
        near
    }

    /// Determines which of the bodies with the numbers `chosen` have a circle that overlaps that of another one of
    /// these, or an obstacle.
    fn search(
        &mut self,
        bodies: &[RigidBody],
        infos: &[BodyInfo],
        (chosen, near): (&[usize], &mut [bool]),
        circle: impl Fn(&RigidBody) -> Circle,
    ) {
        let reach = |number: usize| {
            let Circle { centre: [x, y], radius } = circle(&bodies[number]);
            (Vector::new(x, y), infos[number].radius + radius + MARGIN)
        };
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(chosen.iter().map(|number| {
            let (centre, radius) = reach(*number);
            Aabb::from_half_extents(centre, Vector::splat(radius))
        }));
        let tree = (chosen.len() > 1).then(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
        for (at, &number) in chosen.iter().enumerate() {
            let (centre, radius) = reach(number);
            let meets = |other: u32| {
                let (its, its_radius) = reach(chosen[other as usize]);
                other as usize != at && (its - centre).length() <= radius + its_radius
            };
            let body = tree.as_ref().is_some_and(|tree| tree.intersect_aabb(&boxes[at]).any(meets));
            near[number] = body || self.has_obstacle(centre, radius, &boxes[at]);
        }
        self.boxes = boxes;
    }

    fn has_obstacle(&mut self, centre: Vector, radius: f64, bounds: &Aabb) -> bool {
        let ball = Ball::new(radius);
        let at = Pose::from_translation(centre);
        self.obstacles_near(bounds).any(|one| {
            query::intersection_test(&one.pose, one.shape.as_ref(), &at, &ball)
                .map_or(true, |hit| hit.intersecting)
        })
    }
}

/// Returns the way of a body within `horizon`, s, at its present speed: at least `least`, m.
fn allowance(body: &RigidBody, horizon: f64, least: f64) -> f64 {
    let distance = horizon * body.state.speed();
    // written so that NaN counts as fast
    if distance <= MAX_ALLOWANCE { distance.max(least) } else { MAX_ALLOWANCE }
}
