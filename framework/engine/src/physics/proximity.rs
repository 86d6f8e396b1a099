//! Whether a body is near something.

use std::cell::LazyCell;

use rapier2d_f64::parry::bounding_volume::Aabb;
use rapier2d_f64::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::RoundShape;
use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{self, Body, BodyInfo, RigidBody};
use super::neighbours::Obstacle;
use super::prescribed::REACH;
use super::world::Physics;

/// Distance by which bodies can move before the boxes of a search are made again, m.
const SLACK: f64 = 1.0;

/// Boxes about bodies, to find those near one of them. An empty search looks at all bodies.
#[derive(Clone, Debug, Default)]
pub struct BodySearch {
    /// Boxes of all bodies when they were made, larger by [`SLACK`].
    tree: Option<Bvh>,
    /// Centre and radius of each body at that time: x, y, radius, m.
    circles: Vec<[f64; 3]>,
}

impl BodySearch {
    /// Brings the search up to the present state of all bodies.
    pub(crate) fn update(&mut self, bodies: &Bodies) {
        let circle = |(body, info): (&RigidBody, &BodyInfo)| {
            let [x, y] = body.centre();
            [x, y, info.radius]
        };
        let now = || bodies.states.iter().zip(&*bodies.infos).map(circle);
        let is_inside = |(known, now): (&[f64; 3], [f64; 3])| {
            let (dx, dy) = (now[0] - known[0], now[1] - known[1]);
            known[2] == now[2] && dx * dx + dy * dy <= SLACK * SLACK
        };
        let Self { tree, circles } = self;
        if circles.len() == bodies.len() && circles.iter().zip(now()).all(is_inside) {
            return;
        }
        circles.clear();
        circles.extend(now());
        let boxes: Vec<Aabb> = circles
            .iter()
            .map(|[x, y, radius]| {
                Aabb::from_half_extents(Vector::new(*x, *y), Vector::splat(radius + SLACK))
            })
            .collect();
        let is_finite = circles.iter().flatten().all(|one| one.is_finite());
        *tree = is_finite.then(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
    }
}

impl Physics {
    /// Returns whether another body or an obstacle that the body can collide with is less than `distance`, m, away now.
    /// Bodies that touch are near at any distance. `search` is empty or brought up to the present state.
    pub fn is_near(&self, body: Body, distance: f64, search: &BodySearch) -> bool {
        let (bodies, counterparts) = (&self.bodies, &self.solver.counterparts);
        let own = &bodies.infos[body.0];
        let border_radius = distance.max(REACH);
        let pose = body::pose(&bodies[body.0].state);
        // an outline with a border of this width overlaps what is nearer; few bodies need it
        let outline = LazyCell::new(|| {
            let inner_shape = own.shape.as_convex_polygon()?.clone();
            Some(RoundShape { inner_shape, border_radius })
        });
        let meets = |at: &Pose, shape: &dyn Shape, span: usize, handle: RigidBodyHandle| {
            bodies.heights.overlap(own.span, span)
                && outline.as_ref().is_some_and(|outline| {
                    query::intersection_test(&pose, outline, at, shape)
                        .is_ok_and(|hit| hit.intersecting)
                })
                && !counterparts.are_joined(body.0, handle)
        };
        let [x, y] = bodies[body.0].centre();
        let is_near = |number: usize| {
            work::count();
            let (info, other) = (&bodies.infos[number], &bodies[number]);
            let [dx, dy] = [other.centre()[0] - x, other.centre()[1] - y];
            let reach = own.radius + info.radius + border_radius;
            number != body.0
                && dx * dx + dy * dy <= reach * reach
                && meets(
                    &body::pose(&other.state),
                    &*info.shape,
                    info.span,
                    counterparts.body(number),
                )
        };
        let half = Vector::splat(own.radius + border_radius);
        let bounds = Aabb::from_half_extents(Vector::new(x, y), half);
        let is_body_near = match &search.tree {
            Some(tree) => tree.intersect_aabb(&bounds).any(|number| is_near(number as usize)),
            None => (0..bodies.len()).any(is_near),
        };
        is_body_near
            || self.obstacles.near(&bounds).any(|(number, Obstacle { pose, shape, span, .. })| {
                meets(pose, &**shape, *span, counterparts.obstacle(number))
            })
    }
}

/// Counts the bodies that are examined, in tests.
pub(super) mod work {
    crate::count_work!();
}
