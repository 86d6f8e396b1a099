//! Bodies that overlap before the first step.

use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::*;

use super::body;
use super::world::Physics;

impl Physics {
    /// Returns the names of all pairs of bodies and obstacles that overlap now, as messages show
    /// them. The first of each pair can move.
    ///
    /// Also decides which bodies rapier moves from the first step on.
    pub fn overlaps(&mut self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let shapes: Vec<(Pose, SharedShape)> = self
            .bodies
            .iter()
            .zip(&self.infos)
            .map(|(body, info)| (body::pose(&body.state), info.shape.clone()))
            .collect();
        let Self { bodies, infos, neighbours, heights, .. } = self;
        let near = neighbours.update(bodies, infos);
        for (i, first) in bodies.iter().enumerate().filter(|(i, _)| near[*i]) {
            let (pose, shape) = &shapes[i];
            let intersects = |other: &Pose, other_shape: &SharedShape| {
                let hit =
                    query::intersection_test(pose, shape.as_ref(), other, other_shape.as_ref());
                hit.is_ok_and(|hit| hit.intersecting)
            };
            for (j, other) in bodies.iter().enumerate().skip(i + 1).filter(|(j, _)| near[*j]) {
                let (own, its) = (&infos[i], &infos[j]);
                let reach = own.radius + its.radius;
                let [dx, dy] = [0, 1].map(|axis| first.centre()[axis] - other.centre()[axis]);
                let close = dx * dx + dy * dy <= reach * reach;
                let (pose, shape) = &shapes[j];
                if close && heights.overlap(own.span, its.span) && intersects(pose, shape) {
                    pairs.push((own.name.clone(), its.name.clone()));
                }
            }
            let bounds = shape.compute_aabb(pose);
            for obstacle in neighbours.obstacles_near(&bounds) {
                if heights.overlap(infos[i].span, obstacle.span)
                    && intersects(&obstacle.pose, &obstacle.shape)
                {
                    pairs.push((infos[i].name.clone(), obstacle.name.clone()));
                }
            }
        }
        self.set_solved(&near);
        pairs
    }
}
