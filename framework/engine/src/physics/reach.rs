//! Which bodies may touch something soon.
//!
//! Every body gets an allowance that grows with its speed. As long as no body has left the circle of
//! its allowance, bodies whose circles met nothing cannot touch anything, so the sorting is done
//! anew only when one has (Verlet 1967, neighbour lists).

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::Ball;
use rapier2d_f64::prelude::*;

use super::body::Movable;

/// An allowance is what a body goes in this time, s, within bounds, m.
const HORIZON: f64 = 0.25;
const LEAST: f64 = 0.05;
const MOST: f64 = 5.0;
/// Distance at which rapier may already act, m.
const MARGIN: f64 = 0.05;

/// What never moves.
pub(super) struct Obstacle {
    /// As messages name it.
    pub name: String,
    pub pose: Pose,
    pub shape: SharedShape,
    /// Number of its span of heights.
    pub span: usize,
}

/// What was in reach at the last sorting.
#[derive(Default)]
pub(super) struct Reach {
    pub(super) obstacles: Vec<Obstacle>,
    /// Of the obstacles; none while one has been added since.
    pub(super) tree: Option<Bvh>,
    /// Centre of mass at the last sorting and how far it may go, m.
    pub(super) sorted: Vec<([f64; 2], f64)>,
}

impl Reach {
    /// Adds what never moves.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) {
        self.obstacles.push(obstacle);
        self.tree = None;
    }

    /// Obstacles whose box meets `around`.
    pub fn obstacles_near<'a>(
        &'a mut self,
        around: &'a Aabb,
    ) -> impl Iterator<Item = &'a Obstacle> {
        let Self { obstacles, tree, .. } = self;
        let tree = tree.get_or_insert_with(|| {
            let boxes: Vec<Aabb> =
                obstacles.iter().map(|one| one.shape.compute_aabb(&one.pose)).collect();
            Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
        });
        tree.intersect_aabb(around).map(|number| &obstacles[number as usize])
    }

    /// Whether a body leaves its circle in this step.
    pub fn is_stale(&self, bodies: &[Movable], dt: f64) -> bool {
        if self.sorted.len() != bodies.len() {
            return true;
        }
        self.sorted.iter().zip(bodies).any(|(([x, y], allowance), movable)| {
            let [now_x, now_y] = movable.centre();
            let [vx, vy] = movable.state.velocity;
            let [dx, dy] = [now_x + dt * vx - x, now_y + dt * vy - y];
            // so that what is no number is stale too
            let stays = dx * dx + dy * dy <= allowance * allowance;
            !stays
        })
    }

    /// Starts new circles and tells which bodies have something in reach.
    pub fn sort(&mut self, bodies: &[Movable]) -> Vec<bool> {
        self.sorted = bodies.iter().map(|movable| (movable.centre(), allowance(movable))).collect();
        let circles: Vec<(Vector, f64)> = self
            .sorted
            .iter()
            .zip(bodies)
            .map(|(([x, y], allowance), movable)| {
                (Vector::new(*x, *y), movable.radius + allowance + MARGIN)
            })
            .collect();
        let boxes: Vec<Aabb> = circles
            .iter()
            .map(|(centre, radius)| Aabb::from_half_extents(*centre, Vector::splat(*radius)))
            .collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        (0..bodies.len())
            .map(|i| {
                let (centre, radius) = circles[i];
                let body = tree.intersect_aabb(&boxes[i]).any(|j| {
                    let (other, other_radius) = circles[j as usize];
                    j as usize != i && (other - centre).length() <= radius + other_radius
                });
                body || self.meets_obstacle(centre, radius, &boxes[i])
            })
            .collect()
    }

    fn meets_obstacle(&mut self, centre: Vector, radius: f64, around: &Aabb) -> bool {
        let ball = Ball::new(radius);
        let at = Pose::from_translation(centre);
        self.obstacles_near(around).any(|one| {
            query::intersection_test(&one.pose, one.shape.as_ref(), &at, &ball)
                .map_or(true, |hit| hit.intersecting)
        })
    }
}

fn allowance(movable: &Movable) -> f64 {
    let [vx, vy] = movable.state.velocity;
    let speed = (vx * vx + vy * vy).sqrt();
    let far = HORIZON * speed;
    // what is no number counts as fast
    if far <= MOST { far.max(LEAST) } else { MOST }
}
