//! Bodies that overlap before the first step.

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::*;

use super::body;
use super::crowd::Crowd;
use super::world::Physics;

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
}

impl Physics {
    /// Returns the pairs of bodies and obstacles that overlap now.
    ///
    /// Also decides which bodies rapier moves from the first step on.
    ///
    /// # Errors
    /// There are more pairs than rapier can solve.
    pub fn overlaps(&mut self) -> Result<Overlaps, Crowd> {
        let near = self.neighbours.update(&mut self.bodies, &self.infos, self.dt);
        if let Some(crowd) = self.crowd(&near) {
            return Err(crowd);
        }
        let numbers: Vec<usize> = (0..self.bodies.len()).filter(|i| near[*i]).collect();
        let boxes: Vec<Aabb> = numbers.iter().map(|i| self.circle_bounds(*i)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut overlaps = Overlaps::default();
        let mut found = Vec::new();
        for (leaf, &i) in numbers.iter().enumerate() {
            let later = tree.intersect_aabb(&boxes[leaf]).map(|other| numbers[other as usize]);
            found.clear();
            found.extend(later.filter(|j| *j > i));
            found.sort_unstable();
            for &j in &found {
                let [one, other] = [i, j].map(|body| self.infos[body].handle);
                if self.bodies_overlap(i, j) && !are_joined(&self.world, one, other) {
                    overlaps.add(&self.infos[i].name, &self.infos[j].name);
                }
            }
            self.add_obstacles(i, &mut overlaps);
        }
        self.set_solved(&near);
        self.neighbours.reused = near;
        Ok(overlaps)
    }

    /// Returns a box around the bounding circle of a body.
    fn circle_bounds(&self, body: usize) -> Aabb {
        let [x, y] = self.bodies[body].centre();
        let size = x.abs().max(y.abs());
        let half = self.infos[body].radius + SLACK * (size + self.infos[body].radius);
        Aabb::from_half_extents(Vector::new(x, y), Vector::splat(half))
    }

    fn shape(&self, body: usize) -> (Pose, &dyn Shape) {
        (body::pose(&self.bodies[body].state), self.infos[body].shape.as_ref())
    }

    fn bodies_overlap(&self, i: usize, j: usize) -> bool {
        work::count();
        let (own, its) = (&self.infos[i], &self.infos[j]);
        let reach = own.radius + its.radius;
        let (first, other) = (self.bodies[i].centre(), self.bodies[j].centre());
        let [dx, dy] = [0, 1].map(|axis| first[axis] - other[axis]);
        let close = dx * dx + dy * dy <= reach * reach;
        close
            && self.heights.overlap(own.span, its.span)
            && intersects(self.shape(i), self.shape(j))
    }

    /// Adds the obstacles that a body overlaps.
    fn add_obstacles(&mut self, body: usize, overlaps: &mut Overlaps) {
        let Self { bodies, infos, neighbours, heights, world, .. } = self;
        let info = &infos[body];
        let (pose, shape) = (body::pose(&bodies[body].state), info.shape.as_ref());
        let bounds = shape.compute_aabb(&pose);
        for (_, obstacle, handle) in neighbours.counterparts_near(&bounds) {
            if heights.overlap(info.span, obstacle.span)
                && intersects((pose, shape), (obstacle.pose, obstacle.shape.as_ref()))
                && !are_joined(world, info.handle, handle)
            {
                overlaps.add(&info.name, &obstacle.name);
            }
        }
    }
}

/// Returns whether a joint links two bodies, which then do not collide.
pub(super) fn are_joined(
    world: &PhysicsWorld,
    one: RigidBodyHandle,
    other: RigidBodyHandle,
) -> bool {
    let mut attached = world.impulse_joints.attached_joints(one);
    attached.any(|(a, b, ..)| a == other || b == other)
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
        for i in 0..self.bodies.len() {
            for j in 0..i {
                if self.infos[i].is_kinematic() && self.infos[j].is_kinematic() {
                    continue;
                }
                if self.heights.overlap(self.infos[i].span, self.infos[j].span) {
                    let names = (self.infos[i].name.clone(), self.infos[j].name.clone());
                    depths.push((depth(self.shape(i), self.shape(j)), names.0, names.1));
                }
            }
            for obstacle in &*self.neighbours.obstacles {
                if self.heights.overlap(self.infos[i].span, obstacle.span)
                    && !self.infos[i].is_kinematic()
                {
                    let fixed = (obstacle.pose, obstacle.shape.as_ref());
                    let names = (self.infos[i].name.clone(), obstacle.name.clone());
                    depths.push((depth(self.shape(i), fixed), names.0, names.1));
                }
            }
        }
        depths.retain(|one| one.0 > least);
        depths
    }
}

fn intersects((pose, shape): (Pose, &dyn Shape), (other, other_shape): (Pose, &dyn Shape)) -> bool {
    let hit = query::intersection_test(&pose, shape, &other, other_shape);
    hit.is_ok_and(|hit| hit.intersecting)
}

/// Counts the pairs of bodies that are examined, in tests.
pub(super) mod work {
    crate::count_work!();
}
