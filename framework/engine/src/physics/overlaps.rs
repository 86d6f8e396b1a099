//! Bodies that overlap before the first step.

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::counterparts::Counterparts;
use super::neighbours::Obstacles;
use super::world::Physics;
use super::{Crowd, body};

/// Relative enlargement of the boxes in the tree, which covers the rounding of their corners.
const SLACK: f64 = 1e-9;

/// Number of overlaps whose names are kept.
const MOST_NAMED: usize = 16;

/// Pairs of bodies and obstacles that overlap before the first step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    /// Names of the first pairs, at most 16, as messages show them. The first of each pair can move.
    pub named: Vec<(String, String)>,
    /// Number of all pairs.
    pub count: usize,
}

impl Overlaps {
    fn add(&mut self, one: &str, other: &str) {
        self.count += 1;
        if self.named.len() < MOST_NAMED {
            self.named.push((one.to_owned(), other.to_owned()));
        }
    }

    /// Adds the obstacles that a body overlaps.
    fn add_obstacles(
        &mut self,
        body: usize,
        bodies: &Bodies,
        obstacles: &Obstacles,
        counterparts: &Counterparts,
    ) {
        let (info, (pose, shape)) = (&bodies.infos[body], bodies.shape(body));
        let bounds = shape.compute_aabb(&pose);
        for (number, obstacle) in obstacles.near(&bounds) {
            if bodies.heights.overlap(info.span, obstacle.span)
                && intersects(pose, shape, obstacle.pose, obstacle.shape.as_ref())
                && !counterparts.are_joined(body, counterparts.obstacle(number))
            {
                self.add(&info.name, &obstacle.name);
            }
        }
    }
}

impl Physics {
    /// Returns the pairs of bodies and obstacles that overlap now.
    ///
    /// Also decides which bodies rapier moves from the first step on.
    ///
    /// # Errors
    /// There are more pairs than rapier can solve.
    pub fn overlaps(&mut self) -> Result<Overlaps, Crowd> {
        let near = self.find_near(self.dt);
        if let Some(crowd) = Crowd::among(&self.bodies, &self.obstacles, &near) {
            return Err(crowd);
        }
        let (bodies, counterparts) = (&self.bodies, &self.solver.counterparts);
        let numbers: Vec<usize> = (0..bodies.len()).filter(|i| near[*i]).collect();
        let boxes: Vec<Aabb> = numbers.iter().map(|i| bodies.circle_bounds(*i)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut overlaps = Overlaps::default();
        let mut found = Vec::new();
        for (leaf, &i) in numbers.iter().enumerate() {
            let later = tree.intersect_aabb(&boxes[leaf]).map(|other| numbers[other as usize]);
            found.clear();
            found.extend(later.filter(|j| *j > i));
            found.sort_unstable();
            for &j in &found {
                if bodies.overlap(i, j) && !counterparts.are_joined(i, counterparts.body(j)) {
                    overlaps.add(&bodies.infos[i].name, &bodies.infos[j].name);
                }
            }
            overlaps.add_obstacles(i, bodies, &self.obstacles, counterparts);
        }
        self.set_solved(&near);
        self.neighbours.reused = near;
        Ok(overlaps)
    }
}

impl Bodies {
    /// Returns a box around the bounding circle of a body.
    fn circle_bounds(&self, body: usize) -> Aabb {
        let [x, y] = self[body].centre();
        let size = x.abs().max(y.abs());
        let half = self.infos[body].radius + SLACK * (size + self.infos[body].radius);
        Aabb::from_half_extents(Vector::new(x, y), Vector::splat(half))
    }

    fn shape(&self, body: usize) -> (Pose, &dyn Shape) {
        (body::pose(&self[body].state), self.infos[body].shape.as_ref())
    }

    fn overlap(&self, i: usize, j: usize) -> bool {
        work::count();
        let (own, its) = (&self.infos[i], &self.infos[j]);
        let reach = own.radius + its.radius;
        let (first, other) = (self[i].centre(), self[j].centre());
        let [dx, dy] = [0, 1].map(|axis| first[axis] - other[axis]);
        if dx * dx + dy * dy > reach * reach || !self.heights.overlap(own.span, its.span) {
            return false;
        }
        let ((pose, shape), (other, other_shape)) = (self.shape(i), self.shape(j));
        intersects(pose, shape, other, other_shape)
    }
}

#[cfg(test)]
impl Physics {
    /// Returns the depths of all overlaps that are deeper than `least`, m, with the names of the
    /// bodies.
    pub fn depths(&self, least: f64) -> Vec<(f64, String, String)> {
        let mut depths = Vec::new();
        let depth = |(pose, shape): (Pose, &dyn Shape),
                     (other, other_shape): (Pose, &dyn Shape)| {
            let contact = query::contact(&pose, shape, &other, other_shape, 0.0);
            contact.ok().flatten().map_or(0.0, |contact| -contact.dist)
        };
        let Self { bodies, obstacles, .. } = self;
        let Bodies { infos, heights, .. } = bodies;
        for i in 0..bodies.len() {
            for j in 0..i {
                if infos[i].is_kinematic() && infos[j].is_kinematic() {
                    continue;
                }
                if heights.overlap(infos[i].span, infos[j].span) {
                    let names = (infos[i].name.clone(), infos[j].name.clone());
                    depths.push((depth(bodies.shape(i), bodies.shape(j)), names.0, names.1));
                }
            }
            for obstacle in &obstacles.all {
                if heights.overlap(infos[i].span, obstacle.span) && !infos[i].is_kinematic() {
                    let fixed = (obstacle.pose, obstacle.shape.as_ref());
                    let names = (infos[i].name.clone(), obstacle.name.clone());
                    depths.push((depth(bodies.shape(i), fixed), names.0, names.1));
                }
            }
        }
        depths.retain(|one| one.0 > least);
        depths
    }
}

fn intersects(pose: Pose, shape: &dyn Shape, other: Pose, other_shape: &dyn Shape) -> bool {
    let hit = query::intersection_test(&pose, shape, &other, other_shape);
    hit.is_ok_and(|hit| hit.intersecting)
}

/// Counts the pairs of bodies that are examined, in tests.
pub(super) mod work {
    crate::count_work!();
}
