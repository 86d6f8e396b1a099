//! What overlaps before the first step.

use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::*;

use super::Physics;
use super::body;

impl Physics {
    /// Pairs of things that overlap now, as messages name them: the body that moves first.
    ///
    /// Bodies with nothing in reach move on their own from the first step on.
    pub fn overlaps(&mut self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let shapes: Vec<(Pose, SharedShape)> = self
            .bodies
            .iter()
            .map(|movable| {
                let shape = self.world.colliders[movable.collider].shared_shape().clone();
                (body::pose(&movable.state), shape)
            })
            .collect();
        let Self { bodies, reach, heights, .. } = self;
        let near = reach.sort(bodies);
        for (i, movable) in bodies.iter().enumerate().filter(|(i, _)| near[*i]) {
            let (pose, shape) = &shapes[i];
            let meets = |other: &Pose, other_shape: &SharedShape| {
                let hit =
                    query::intersection_test(pose, shape.as_ref(), other, other_shape.as_ref());
                hit.is_ok_and(|hit| hit.intersecting)
            };
            for (j, other) in bodies.iter().enumerate().skip(i + 1).filter(|(j, _)| near[*j]) {
                let reach = movable.radius + other.radius;
                let [dx, dy] = [0, 1].map(|axis| movable.centre()[axis] - other.centre()[axis]);
                let close = dx * dx + dy * dy <= reach * reach;
                let (other_pose, other_shape) = &shapes[j];
                if close && heights.meet(movable.span, other.span) && meets(other_pose, other_shape)
                {
                    pairs.push((movable.name.clone(), other.name.clone()));
                }
            }
            let around = shape.compute_aabb(pose);
            for obstacle in reach.obstacles_near(&around) {
                if heights.meet(movable.span, obstacle.span)
                    && meets(&obstacle.pose, &obstacle.shape)
                {
                    pairs.push((movable.name.clone(), obstacle.name.clone()));
                }
            }
        }
        self.hold(&near);
        pairs
    }
}
