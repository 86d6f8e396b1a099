//! The points at which bodies touch, as the last step has left them.

use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::Body;
use super::counterparts::restitution;
use super::solver::Solver;

/// Distance up to which bodies touch, m.
pub(super) const TOUCH: f64 = 1e-3;

/// Gap up to which bodies touch, m. Bodies with prescribed velocities stop at [`TOUCH`].
pub(super) const REACH: f64 = 1.5 * TOUCH;

/// A point at which a body touches another one or an obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touching {
    /// The body.
    pub body: Body,
    /// The other body; `None` for an obstacle.
    pub other: Option<Body>,
    /// Point of the body, world frame, m.
    pub point: [f64; 2],
    /// Direction in which the other pushes the body, world frame.
    pub normal: [f64; 2],
    /// Normal force, N.
    pub force: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
}

/// Returns the places of a point of contact on the two bodies or obstacles, each in its frame, m: first on
/// that of the first collider if `is_first`. rapier has them in the frames of the parts that touch, which are
/// cells in an occupancy grid.
pub(super) fn places(
    manifold: &ContactManifold,
    point: &TrackedContact<ContactData>,
    is_first: bool,
) -> [Vector; 2] {
    let whole = |part: Option<&Pose>, at: Vector| part.map_or(at, |part| part.transform_point(at));
    let first = whole(manifold.subshape_pos1(), point.local_p1);
    let second = whole(manifold.subshape_pos2(), point.local_p2);
    if is_first { [first, second] } else { [second, first] }
}

impl Solver {
    /// Passes every point at which a body touches something to `take`; a point between two bodies twice,
    /// once for each. Points that carry a load touch, and those without a load at most [`REACH`] apart.
    pub fn for_each_touch(&self, bodies: &Bodies, mut take: impl FnMut(&Touching)) {
        let counterparts = &self.counterparts;
        for &number in &self.solved {
            let info = &bodies.infos[number];
            for pair in counterparts.pairs(number) {
                let other = counterparts.partner(pair, number);
                let other_body = counterparts.body_of(other);
                if other_body.is_some_and(|other| !bodies[other].solved) {
                    continue;
                }
                let is_first = pair.collider1 == counterparts.collider(number);
                let its = restitution(&counterparts.world.colliders[other]);
                let restitution = info.surface.restitution.max(its);
                for manifold in pair.manifolds() {
                    if manifold.data.num_active_contacts() == 0 {
                        continue;
                    }
                    let sign = if is_first { -1.0 } else { 1.0 };
                    let normal = [sign * manifold.data.normal.x, sign * manifold.data.normal.y];
                    for point in &manifold.points {
                        let [own, its] = places(manifold, point, is_first);
                        let at = bodies[number].state.transform([own.x, own.y]);
                        let its = self.place_of(bodies, other, (other_body, its));
                        let gap = (at[0] - its[0]) * normal[0] + (at[1] - its[1]) * normal[1];
                        let force = point.data.impulse.max(0.0) / self.part_dt;
                        if force > 0.0 || gap <= REACH {
                            let (body, other) = (Body(number), other_body.map(Body));
                            take(&Touching { body, other, point: at, normal, force, restitution });
                        }
                    }
                }
            }
        }
    }

    /// Returns a point of a body or of an obstacle in the world frame, m.
    fn place_of(
        &self,
        bodies: &Bodies,
        collider: ColliderHandle,
        (body, point): (Option<usize>, Vector),
    ) -> [f64; 2] {
        match body {
            Some(number) => bodies[number].state.transform([point.x, point.y]),
            None => {
                let at =
                    self.counterparts.world.colliders[collider].position().transform_point(point);
                [at.x, at.y]
            }
        }
    }
}
