//! Whether a body is near something.

use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::RoundShape;
use rapier2d_f64::prelude::*;

use super::body::{self, Body};
use super::contacts::REACH;
use super::overlaps::are_joined;
use super::world::Physics;

impl Physics {
    /// Returns whether another body or an obstacle that the body can collide with is less than `distance`, m, away now.
    /// Bodies that touch are near at any distance.
    pub fn is_near(&self, body: Body, distance: f64) -> bool {
        let own = &self.infos[body.number()];
        let border_radius = distance.max(REACH);
        // an outline with a border of this width overlaps what is nearer
        let Some(outline) = own.shape.as_convex_polygon() else { return false };
        let outline = RoundShape { inner_shape: outline.clone(), border_radius };
        let pose = body::pose(&self.bodies[body.number()].state);
        let meets = |at: &Pose, shape: &dyn Shape, span: usize, handle: RigidBodyHandle| {
            self.heights.overlap(own.span, span)
                && query::intersection_test(&pose, &outline, at, shape)
                    .is_ok_and(|hit| hit.intersecting)
                && !are_joined(&self.world, own.handle, handle)
        };
        let [x, y] = self.bodies[body.number()].centre();
        let mut others = self.infos.iter().zip(&self.bodies).enumerate();
        others.any(|(number, (info, other))| {
            let [dx, dy] = [other.centre()[0] - x, other.centre()[1] - y];
            let reach = own.radius + info.radius + border_radius;
            number != body.number()
                && dx * dx + dy * dy <= reach * reach
                && meets(&body::pose(&other.state), &*info.shape, info.span, info.handle)
        }) || self.neighbours.any_obstacle_near(&outline.compute_aabb(&pose), |obstacle| {
            meets(&obstacle.pose, &*obstacle.shape, obstacle.span, obstacle.handle)
        })
    }
}
