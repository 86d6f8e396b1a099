//! Bounds of the speed that contacts and joints can give to a body.
//!
//! Contacts and joints pass on motion, but do not create it. An impact with the coefficient of
//! restitution e separates two bodies at most at e times the speed at which they met, so that no body
//! leaves faster than 1 + e times the fastest point of the bodies that are connected to it by contacts
//! and joints. An impact at the distance a from the centre of mass that sets the point of contact in
//! motion at the speed v gives a body with the radius of gyration k the yaw rate v a/(k² + a²), which is
//! at most v/2k. A solver that has not converged, above all where bodies overlap or are squeezed,
//! exceeds these bounds. Overlapping bodies are moved apart in addition, at no more than
//! [`PUSH_SPEED`], which leaves no velocity behind.
//!
//! Springs store energy. Bodies that are connected to one are not bounded.

use rapier2d_f64::prelude::*;

use super::body::BodyState;
use super::world::{PUSH_SPEED, Physics};
use simhost_sdk::math;

/// Relative excess of a bound that rounding explains.
const ROUNDING: f64 = 1e-9;

/// Bodies that are connected by contacts and joints.
#[derive(Default)]
pub(super) struct Connected {
    /// Numbers of the bodies.
    members: Vec<usize>,
    /// Number of the search that has found a body last, for each body.
    found_by: Vec<u64>,
    /// Number of the present search.
    search: u64,
}

/// Greatest speed and restitution of connected bodies.
#[derive(Clone, Copy, Default)]
pub(super) struct Vigour {
    /// Greatest speed of a point before the step, m/s.
    pub speed: f64,
    /// Greatest coefficient of restitution.
    pub restitution: f64,
    /// Whether a spring acts.
    pub has_spring: bool,
    /// Whether a body is connected to anything.
    pub is_connected: bool,
}

impl Connected {
    /// Makes room for `count` bodies, so that searches do not allocate.
    pub fn reserve(&mut self, count: usize) {
        self.members.reserve(count.saturating_sub(self.members.len()));
        self.found_by.resize(count, 0);
    }

    fn start(&mut self, first: usize) {
        self.search += 1;
        self.members.clear();
        self.add(first);
    }

    fn add(&mut self, number: usize) {
        if std::mem::replace(&mut self.found_by[number], self.search) != self.search {
            self.members.push(number);
        }
    }
}

impl Physics {
    /// Reduces velocities and displacements of the last step of `dt` seconds that exceed what
    /// contacts and joints can cause.
    pub(super) fn bound_motion(&mut self, dt: f64) {
        for index in 0..self.solved.len() {
            let (number, before) = (self.solved[index], self.before[index]);
            if self.infos[number].is_kinematic() {
                continue;
            }
            let state = self.bodies[number].state;
            let slow = Bound { speed: speed(before.velocity), yaw_rate: before.omega.abs() };
            if slow.allows(&before, &state, self.bodies[number].centre, dt, 0.0) {
                continue;
            }
            let connected = self.connected(number);
            if connected.has_spring || !connected.is_connected {
                continue;
            }
            let gained = connected.speed * (1.0 + connected.restitution);
            let [mass, inertia] = self.infos[number].mass;
            let gyration = (inertia / mass).sqrt();
            let bound =
                Bound { speed: gained, yaw_rate: before.omega.abs() + 0.5 * gained / gyration };
            let centre = self.bodies[number].centre;
            if let Some(bounded) = bound.apply(&before, &state, centre, gyration, dt) {
                self.bodies[number].state = bounded;
                self.infos[number].set_solved(&bounded, &mut self.world.bodies, true);
                // rapier lets bodies sleep that are at rest, although they overlap
                self.world.bodies[self.infos[number].handle].wake_up(true);
            }
        }
    }

    /// Searches the bodies that are connected to one.
    pub(super) fn connected(&mut self, first: usize) -> Vigour {
        let Self { connected, world, infos, bodies, solved, before, .. } = self;
        connected.reserve(bodies.len());
        connected.start(first);
        let mut vigour = Vigour::default();
        let mut next = 0;
        while next < connected.members.len() {
            let number = connected.members[next];
            next += 1;
            let info = &infos[number];
            // a body that touches another is solved
            let position = solved.binary_search(&number);
            let state = position.map_or(&bodies[number].state, |k| &before[k]);
            let point = speed(state.velocity) + state.omega.abs() * info.radius;
            vigour.speed = vigour.speed.max(point);
            vigour.restitution = vigour.restitution.max(info.surface.restitution);
            for pair in world.narrow_phase.contact_pairs_with(info.collider) {
                if !pair.has_any_active_contact() {
                    continue;
                }
                vigour.is_connected = true;
                let other =
                    if pair.collider1 == info.collider { pair.collider2 } else { pair.collider1 };
                vigour.restitution = vigour.restitution.max(world.colliders[other].restitution());
                if let Some(other) = body_of(infos, other) {
                    connected.add(other);
                }
            }
            for (a, b, _, joint) in world.impulse_joints.attached_joints(info.handle) {
                vigour.is_connected = true;
                vigour.has_spring |= !joint.data.motor_axes.is_empty();
                let other = if a == info.handle { b } else { a };
                let collider = world.bodies[other].colliders().first();
                if let Some(other) = collider.and_then(|collider| body_of(infos, *collider)) {
                    connected.add(other);
                }
            }
        }
        vigour
    }
}

/// Greatest speed of the centre of mass, m/s, and yaw rate, rad/s.
struct Bound {
    speed: f64,
    yaw_rate: f64,
}

impl Bound {
    /// Returns whether a step keeps the bound.
    fn allows(
        &self,
        before: &BodyState,
        after: &BodyState,
        centre: [f64; 2],
        dt: f64,
        push: f64,
    ) -> bool {
        let reach = (self.speed + push) * dt * (1.0 + ROUNDING);
        speed(after.velocity) <= self.speed * (1.0 + ROUNDING)
            && after.omega.abs() <= self.yaw_rate * (1.0 + ROUNDING)
            && speed(way(before, after, centre)) <= reach + 1e-12
    }

    /// Returns the state within the bound, if the step exceeds it.
    fn apply(
        &self,
        before: &BodyState,
        after: &BodyState,
        centre: [f64; 2],
        gyration: f64,
        dt: f64,
    ) -> Option<BodyState> {
        let way = way(before, after, centre);
        let turn = turn(before, after);
        let faster = |value: f64, bound: f64| {
            if value > bound * (1.0 + ROUNDING) { bound / value } else { 1.0 }
        };
        let velocity = faster(speed(after.velocity), self.speed);
        let spin = faster(after.omega.abs(), self.yaw_rate);
        let reach = faster(speed(way), (self.speed + PUSH_SPEED) * dt);
        let turned = faster(turn.abs(), (self.yaw_rate + 0.5 * PUSH_SPEED / gyration) * dt);
        if velocity == 1.0 && spin == 1.0 && reach == 1.0 && turned == 1.0 {
            return None;
        }
        let mut state = *after;
        state.velocity = after.velocity.map(|v| v * velocity);
        state.omega = after.omega * spin;
        if reach < 1.0 || turned < 1.0 {
            let from = before.transform(centre);
            let (sin, cos) = math::sin_cos(turn * turned);
            state.heading = super::body::rotate_heading(before.heading, [cos, sin]);
            state.position = [0, 1].map(|axis| from[axis] + way[axis] * reach);
            state.position = state.transform(centre.map(|part| -part));
        }
        Some(state)
    }
}

/// Returns the displacement of the centre of mass, m.
fn way(before: &BodyState, after: &BodyState, centre: [f64; 2]) -> [f64; 2] {
    let [from, to] = [before.transform(centre), after.transform(centre)];
    [to[0] - from[0], to[1] - from[1]]
}

/// Returns the angle by which a body has turned, rad.
fn turn(before: &BodyState, after: &BodyState) -> f64 {
    let ([a_cos, a_sin], [b_cos, b_sin]) = (before.heading, after.heading);
    math::atan2(b_sin * a_cos - b_cos * a_sin, b_cos * a_cos + b_sin * a_sin)
}

fn speed([vx, vy]: [f64; 2]) -> f64 {
    (vx * vx + vy * vy).sqrt()
}

/// Returns the number of the body with a collider, or `None` for an obstacle.
fn body_of(infos: &[super::body::BodyInfo], collider: ColliderHandle) -> Option<usize> {
    let index = |collider: ColliderHandle| collider.into_raw_parts().0;
    // rapier's colliders are in the order of the bodies, and are removed only all at once
    let found = infos.binary_search_by_key(&index(collider), |body| index(body.collider));
    found.ok().filter(|number| infos[*number].collider == collider)
}
