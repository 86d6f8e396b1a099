//! Velocities that are prescribed, and that contacts limit.
//!
//! A controller or a dynamics class that prescribes a velocity sets it anew in every step, whatever
//! contacts have done to it. So that it does not press a body into another, the part of the velocity
//! that a contact has taken away is not restored: before a step an impulse at each contact reduces the
//! speed of approach to 0, or to [`PUSH_SPEED`] where the other body can give way. Two bodies with
//! prescribed velocities that meet give way in proportion to their shares in the approach.

use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{Body, BodyInfo, BodyState};
use super::bounds::{gyration, vigour};
use super::counterparts::{PUSH_SPEED, restitution};
use super::separation::DEEP;
use super::solver::Solver;

/// Greatest number of rounds through the contacts of a body.
const ROUNDS: usize = 64;
/// Greatest number of passes through all bodies.
const PASSES: usize = 8;
/// Speed of approach that counts as none, m/s.
const STILL: f64 = 1e-6;

impl Solver {
    /// Takes away from prescribed velocities what contacts of the last step prevent, for a step of
    /// `dt` seconds.
    pub fn limit_prescribed(&mut self, bodies: &mut Bodies, dt: f64) {
        // where one body yields, those behind it have to yield as well
        for _ in 0..PASSES {
            // all yield to the velocities that the others have in this pass
            self.yielded.clear();
            let mut changed = false;
            for &number in self.solved.iter().filter(|one| bodies.infos[**one].is_prescribed) {
                let state = self.yielding(bodies, number, dt);
                changed |= state != bodies[number].state;
                self.yielded.push((number, state));
            }
            if !changed {
                break;
            }
            for (number, state) in &self.yielded {
                bodies[*number].state = *state;
            }
        }
    }

    /// Returns the state of a body with the velocity that its contacts permit.
    fn yielding(&self, bodies: &Bodies, number: usize, dt: f64) -> BodyState {
        let (mut state, info) = (bodies[number].state, &bodies.infos[number]);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for pair in self.counterparts.pairs(number) {
                let is_first = pair.collider1 == self.counterparts.collider(number);
                let other = self.counterparts.partner(pair, number);
                for manifold in pair.manifolds() {
                    if manifold.data.num_active_contacts() == 0 {
                        continue;
                    }
                    let sign = if is_first { 1.0 } else { -1.0 };
                    let normal = [sign * manifold.data.normal.x, sign * manifold.data.normal.y];
                    for point in &manifold.points {
                        let [own, its] = places(manifold, point, is_first);
                        let contact = Touch { normal, own, its, other };
                        changed |= self.yield_at(bodies, number, &mut state, &contact, dt);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        // between contacts that cannot both be kept, impulses would grow
        let (bound, reached) = (self.driving_speed(bodies, number), vigour(&state, gyration(info)));
        if reached > bound {
            state.velocity = state.velocity.map(|v| v * (bound / reached));
            state.omega *= bound / reached;
        }
        state
    }

    /// Returns the greatest w, as in [`bounds`](super::bounds), of a body and of those that touch it, m/s.
    fn driving_speed(&self, bodies: &Bodies, number: usize) -> f64 {
        let own = vigour(&bodies[number].state, gyration(&bodies.infos[number]));
        let speeds = self.counterparts.touched(number).flatten().map(|other| {
            let (state, info) = (&bodies[other].state, &bodies.infos[other]);
            if info.is_kinematic() {
                state.top_speed(info.lever)
            } else {
                vigour(state, gyration(info))
            }
        });
        speeds.fold(own, f64::max)
    }

    /// Reduces the speed of approach at one point of contact. Returns whether that was necessary.
    fn yield_at(
        &self,
        bodies: &Bodies,
        number: usize,
        state: &mut BodyState,
        touch: &Touch,
        dt: f64,
    ) -> bool {
        let (body, info) = (&bodies[number], &bodies.infos[number]);
        let at = state.transform([touch.own.x, touch.own.y]);
        let other = self.counterparts.body_of(touch.other);
        let (its_point, its_velocity) = match other {
            Some(other) => {
                let its = &bodies[other];
                let [x, y] = its.state.transform([touch.its.x, touch.its.y]);
                let velocity = velocity_at(&its.state, its.centre(), [x, y]);
                // the state of a body that follows a plan is that at the end of the step
                let ago = if bodies.infos[other].is_kinematic() { dt } else { 0.0 };
                ([x - velocity[0] * ago, y - velocity[1] * ago], velocity)
            }
            None => {
                let pose = self.counterparts.world.colliders[touch.other].position();
                let point = pose.transform_point(touch.its);
                ([point.x, point.y], [0.0; 2])
            }
        };
        let [nx, ny] = touch.normal;
        let gap = (its_point[0] - at[0]) * nx + (its_point[1] - at[1]) * ny;
        let own_velocity = velocity_at(state, body.centre(), at);
        let own = own_velocity[0] * nx + own_velocity[1] * ny;
        let its = its_velocity[0] * nx + its_velocity[1] * ny;
        let other_info = other.map(|other| &bodies.infos[other]);
        let gives_way = other_info.is_some_and(|info| !info.is_kinematic());
        // the deeper it presses, the less it pushes
        let push = PUSH_SPEED * (1.0 + gap / DEEP).clamp(0.0, 1.0);
        let permitted = (gap - TOUCH).max(0.0) / dt + if gives_way { push } else { 0.0 };
        let mut excess = own - its - permitted;
        if other_info.is_some_and(|info| info.is_prescribed) {
            // the other yields as well
            let (own, its) = (own.max(0.0), (-its).max(0.0));
            excess *= if own + its > 0.0 { own / (own + its) } else { 0.0 };
        }
        if excess <= STILL {
            return false;
        }
        take_away(state, info, body.centre(), at, touch.normal, excess);
        true
    }
}

/// A point of contact, as one of the two bodies sees it.
struct Touch {
    /// Direction to the other, world frame.
    normal: [f64; 2],
    /// Point in the frame of the body, m.
    own: Vector,
    /// Point in the frame of the other, m.
    its: Vector,
    other: ColliderHandle,
}

/// Reduces the velocity of the point `at` along `normal` by `excess`, m/s, by an impulse at that point.
fn take_away(
    state: &mut BodyState,
    info: &BodyInfo,
    centre: [f64; 2],
    at: [f64; 2],
    [nx, ny]: [f64; 2],
    excess: f64,
) {
    let [mass, inertia] = info.mass;
    let lever = (at[0] - centre[0]) * ny - (at[1] - centre[1]) * nx;
    let impulse = excess / (1.0 / mass + lever * lever / inertia);
    state.velocity[0] -= impulse / mass * nx;
    state.velocity[1] -= impulse / mass * ny;
    state.omega -= impulse * lever / inertia;
}

/// Returns the velocity of a point of a body, m/s.
fn velocity_at(state: &BodyState, centre: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    let [vx, vy] = state.velocity;
    [vx - state.omega * (y - centre[1]), vy + state.omega * (x - centre[0])]
}

/// Distance up to which bodies touch, m.
const TOUCH: f64 = 1e-3;

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
                        let its = self.place_of(bodies, other, other_body, its);
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
        body: Option<usize>,
        point: Vector,
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
