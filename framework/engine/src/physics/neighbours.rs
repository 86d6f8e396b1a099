//! Neighbour search: which bodies may touch something within the next steps.
//!
//! Every body has an allowance that grows with its speed. While no body has left the circle of its
//! allowance, bodies whose circles overlapped nothing cannot touch anything. The search is repeated
//! only when a body has left its circle (neighbour lists, Verlet 1967).

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::Ball;
use rapier2d_f64::prelude::*;

use super::body::{BodyInfo, RigidBody, Surface};

/// Time in which a body covers its allowance at its present speed, s.
const HORIZON: f64 = 0.25;
/// Smallest and greatest allowance, m.
const MIN_ALLOWANCE: f64 = 0.05;
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

    /// Starts new circles and returns for each body whether it has a neighbour. The list can be given back
    /// as `reused`, so that the next search allocates none.
    pub fn update(&mut self, bodies: &mut [RigidBody], infos: &[BodyInfo]) -> Vec<bool> {
        for body in bodies.iter_mut() {
            body.searched = (body.centre(), allowance(body));
        }
        let circle = |i: usize| {
            let ([x, y], allowance) = bodies[i].searched;
            (Vector::new(x, y), infos[i].radius + allowance + MARGIN)
        };
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend((0..bodies.len()).map(|i| {
            let (centre, radius) = circle(i);
            Aabb::from_half_extents(centre, Vector::splat(radius))
        }));
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut near = std::mem::take(&mut self.reused);
        near.clear();
        near.extend((0..bodies.len()).map(|i| {
            let (centre, radius) = circle(i);
            let body = tree.intersect_aabb(&boxes[i]).any(|j| {
                let (other, other_radius) = circle(j as usize);
                j as usize != i && (other - centre).length() <= radius + other_radius
            });
            body || self.has_obstacle(centre, radius, &boxes[i])
        }));
        self.boxes = boxes;
        near
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

fn allowance(body: &RigidBody) -> f64 {
    let [vx, vy] = body.state.velocity;
    let speed = (vx * vx + vy * vy).sqrt();
    let distance = HORIZON * speed;
    // written so that NaN counts as fast
    if distance <= MAX_ALLOWANCE { distance.max(MIN_ALLOWANCE) } else { MAX_ALLOWANCE }
}
