//! Bounds of the motion that contacts and joints can give to a body.
//!
//! Contacts and joints pass on motion, but do not create it. Bodies that are connected by contacts and joints,
//! and of which none follows a plan or a prescribed velocity, have no more kinetic energy after a step than before.
//! A solver that has not converged, above all where bodies overlap or are squeezed, can give them more. The
//! changes of velocity of all of them are then scaled down to the share that adds none, which keeps momentum and
//! angular momentum.
//!
//! Bodies that follow a plan add energy. Let k be the radius of gyration of a body and w² = v² + k²ω² twice its kinetic energy
//! per mass. A plastic impact at the distance a from the centre of mass that sets the point of contact in motion at
//! the speed u gives w = u k/√(k² + a²), at most u. No body leaves with more w than the speed of the fastest point of
//! what is driven, or the greatest w of the other bodies, among those that are connected to it.
//!
//! Overlapping bodies are moved apart in addition, at no more than [`PUSH_SPEED`], which leaves no velocity behind.
//!
//! Limits: a coefficient of restitution e above [`PLASTIC`] raises the bound of w to (1 + e) u, a smaller one does not.
//! Joints have the bound of w, too, if they have added energy. Springs store energy; bodies that are connected to one
//! are not bounded.

use simhost_sdk::math;

use super::bodies::Bodies;
use super::body::{BodyInfo, BodyState, PLASTIC, rotate_heading};
use super::counterparts::{PUSH_SPEED, restitution};
use super::solver::{Connections, ContactGroup, Solver};

/// Relative excess of a bound that rounding explains.
const ROUNDING: f64 = 1e-9;

impl Solver {
    /// Reduces velocities and displacements of the last step of `dt` seconds that exceed what
    /// contacts and joints can cause.
    pub(super) fn bound_motion(&mut self, bodies: &mut Bodies, dt: f64) {
        self.connections.start();
        for index in 0..self.solved.len() {
            let number = self.solved[index];
            if bodies.infos[number].is_kinematic() {
                continue;
            }
            let (motion, centre) = (self.motion(bodies, index), bodies[number].centre);
            if motion.keeps(vigour(&motion.before, motion.gyration), 0.0, centre, dt) {
                continue;
            }
            let group = self.group(bodies, number);
            if group.has_spring || !group.is_connected {
                continue;
            }
            // a group that has not been driven may have been slowed down
            let motion = self.motion(bodies, index);
            let bounce = if group.restitution > PLASTIC { group.restitution } else { 0.0 };
            // its own fastest point does not push a body on
            let own = vigour(&motion.before, motion.gyration);
            let others = if group.fastest == number { group.next_speed } else { group.speed };
            let fastest = others.max(own) * (1.0 + bounce);
            let reached = vigour(&motion.after, motion.gyration);
            let bound =
                if group.is_driven || group.adds_energy { fastest } else { fastest.max(reached) };
            if !motion.keeps(bound, PUSH_SPEED, centre, dt) {
                let state = motion.bounded(bound, centre, dt);
                self.set_bounded(bodies, number, state);
            }
        }
    }

    /// Returns the step of a body by its index among those that rapier moves.
    fn motion(&self, bodies: &Bodies, index: usize) -> Step {
        let (number, before) = (self.solved[index], self.before[index]);
        let gyration = gyration(&bodies.infos[number]);
        Step { before, after: bodies[number].state, gyration }
    }

    fn set_bounded(&mut self, bodies: &mut Bodies, number: usize, state: BodyState) {
        self.place(bodies, number, state);
        self.counterparts.wake_up(number);
    }

    /// Returns the group of connected bodies to which one belongs.
    fn group(&mut self, bodies: &mut Bodies, first: usize) -> ContactGroup {
        if let Some(group) = self.connections.known(first) {
            return group;
        }
        let mut connections = std::mem::take(&mut self.connections);
        connections.members.clear();
        connections.add(first);
        let mut group = ContactGroup::default();
        let mut next = 0;
        while let Some(&number) = connections.members.get(next) {
            next += 1;
            self.add_neighbours(bodies, number, &mut group, &mut connections);
        }
        if !group.is_driven {
            group.adds_energy = self.take_energy(bodies, &connections.members, group.has_joint);
        }
        connections.groups.push(group);
        self.connections = connections;
        group
    }

    /// Scales the changes of velocity of connected bodies down to those that add no energy, unless joints hold them,
    /// which would give way. Returns whether they still add energy.
    fn take_energy(&mut self, bodies: &mut Bodies, members: &[usize], has_joint: bool) -> bool {
        let steps = members.iter().filter_map(|number| {
            let index = self.solved.binary_search(number).ok()?;
            let lightness = bodies.infos[*number].mass.map(|one| 1.0 / one);
            Some((&self.before[index], &bodies[*number].state, lightness))
        });
        let share = harmless_share(steps);
        if share > 1.0 - ROUNDING || has_joint {
            return share <= 1.0 - ROUNDING;
        }
        for &number in members {
            if let Ok(index) = self.solved.binary_search(&number) {
                let state = share_of_change(&self.before[index], &bodies[number].state, share);
                self.set_bounded(bodies, number, state);
            }
        }
        false
    }

    /// Adds a body to a group, and the bodies that it touches or to which it is joined to its members.
    fn add_neighbours(
        &self,
        bodies: &Bodies,
        number: usize,
        group: &mut ContactGroup,
        connections: &mut Connections,
    ) {
        let (info, counterparts) = (&bodies.infos[number], &self.counterparts);
        let mut arm = 0.0f64;
        group.restitution = group.restitution.max(info.surface.restitution);
        for pair in counterparts.pairs(number) {
            if !pair.has_any_active_contact() {
                continue;
            }
            group.is_connected = true;
            let other = counterparts.partner(pair, number);
            let its = restitution(&counterparts.world.colliders[other]);
            group.restitution = group.restitution.max(its);
            if let Some(other) = counterparts.body_of(other) {
                connections.add(other);
            }
        }
        let own = counterparts.body(number);
        for (a, b, _, joint) in counterparts.world.impulse_joints.attached_joints(own) {
            (group.is_connected, group.has_joint) = (true, true);
            group.has_spring |= !joint.data.motor_axes.is_empty();
            let other = if a == own { b } else { a };
            let [x, y] = bodies[number].centre;
            let anchors = [joint.data.local_anchor1(), joint.data.local_anchor2()];
            let anchor = anchors[usize::from(a != own)];
            arm = arm.max((anchor.x - x).hypot(anchor.y - y));
            let collider = counterparts.world.bodies[other].colliders().first();
            if let Some(other) = collider.and_then(|collider| counterparts.body_of(*collider)) {
                connections.add(other);
            }
        }
        // a body that touches another is solved
        let position = self.solved.binary_search(&number);
        let state = position.map_or(&bodies[number].state, |index| &self.before[index]);
        let is_driven = info.is_kinematic() || info.is_prescribed;
        // a body that nothing drives would push itself on by its own fastest point
        let arm = if is_driven { info.lever } else { arm };
        let speed = state.top_speed(arm).max(vigour(state, gyration(info)));
        if speed > group.speed {
            (group.next_speed, group.speed, group.fastest) = (group.speed, speed, number);
        } else {
            group.next_speed = group.next_speed.max(speed);
        }
        group.is_driven |= is_driven;
    }
}

/// A step of one body.
struct Step {
    before: BodyState,
    after: BodyState,
    /// Radius of gyration, m.
    gyration: f64,
}

impl Step {
    /// Returns whether w stays within `bound`, m/s, and the way within that speed or `push`, m/s.
    fn keeps(&self, bound: f64, push: f64, centre: [f64; 2], dt: f64) -> bool {
        let (w, way) = (vigour(&self.after, self.gyration), self.way(centre));
        let turn = self.gyration * self.turn().abs();
        let reach = bound.max(push) * dt * (1.0 + ROUNDING) + ROUNDING * dt;
        w <= bound * (1.0 + ROUNDING) && length(way) <= reach && turn <= reach
    }

    /// Returns the state at the end of the step within a bound of w, m/s.
    fn bounded(&self, bound: f64, centre: [f64; 2], dt: f64) -> BodyState {
        let Self { before, after, gyration } = self;
        let share = |value: f64, bound: f64| if value > bound { bound / value } else { 1.0 };
        let reach = bound.max(PUSH_SPEED) * dt;
        let (way, turn) = (self.way(centre), self.turn());
        let moved = share(length(way), reach);
        let turned = share(gyration * turn.abs(), reach);
        let slower = share(vigour(after, *gyration), bound);
        let mut state = *after;
        state.velocity = after.velocity.map(|v| v * slower);
        state.omega = after.omega * slower;
        if moved < 1.0 || turned < 1.0 {
            let from = before.transform(centre);
            let (sin, cos) = math::sin_cos(turn * turned);
            state.heading = rotate_heading(before.heading, [cos, sin]);
            state.position = [0, 1].map(|axis| from[axis] + way[axis] * moved);
            state.position = state.transform(centre.map(|part| -part));
        }
        state
    }

    /// Returns the displacement of the centre of mass, m.
    fn way(&self, centre: [f64; 2]) -> [f64; 2] {
        let [from, to] = [self.before.transform(centre), self.after.transform(centre)];
        [to[0] - from[0], to[1] - from[1]]
    }

    /// Returns the angle by which the body has turned, rad.
    fn turn(&self) -> f64 {
        let ([a_cos, a_sin], [b_cos, b_sin]) = (self.before.heading, self.after.heading);
        let sin = b_sin * a_cos - b_cos * a_sin;
        if sin == 0.0 && b_cos * a_cos > 0.0 {
            return 0.0;
        }
        math::atan2(sin, b_cos * a_cos + b_sin * a_sin)
    }
}

/// Returns the share of changes of velocity with which the kinetic energy does not grow, at most 1. The items are the
/// states of a body before and after, and the inverse of its mass, 1/kg, and of its moment of inertia, 1/(kg·m²);
/// 0 if it does not give way.
pub(super) fn harmless_share<'s>(
    changes: impl Iterator<Item = (&'s BodyState, &'s BodyState, [f64; 2])>,
) -> f64 {
    // with the share s, the energy changes by s ⟨v, Δ⟩ + s²/2 ⟨Δ, Δ⟩, weighted by mass
    let (mut against, mut size) = (0.0, 0.0);
    for (before, after, [by_mass, by_inertia]) in changes {
        let mut add = |was: f64, is: f64, by: f64| {
            if by > 0.0 {
                against -= was * (is - was) / by;
                size += (is - was) * (is - was) / by;
            }
        };
        add(before.velocity[0], after.velocity[0], by_mass);
        add(before.velocity[1], after.velocity[1], by_mass);
        add(before.omega, after.omega, by_inertia);
    }
    if size > 2.0 * against { (2.0 * against / size).max(0.0) } else { 1.0 }
}

/// Returns the state `after` with a share of the change of velocity.
pub(super) fn share_of_change(before: &BodyState, after: &BodyState, share: f64) -> BodyState {
    let part = |was: f64, is: f64| was + share * (is - was);
    BodyState {
        velocity: [0, 1].map(|axis| part(before.velocity[axis], after.velocity[axis])),
        omega: part(before.omega, after.omega),
        ..*after
    }
}

/// Returns the radius of gyration about the centre of mass, m.
pub(super) fn gyration(info: &BodyInfo) -> f64 {
    let [mass, inertia] = info.mass;
    (inertia / mass).sqrt()
}

/// Returns w: the root of twice the kinetic energy per mass, m/s.
pub(super) fn vigour(state: &BodyState, gyration: f64) -> f64 {
    let [vx, vy] = state.velocity;
    let turning = gyration * state.omega;
    (vx * vx + vy * vy + turning * turning).sqrt()
}

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}
