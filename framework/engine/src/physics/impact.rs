//! Impacts with a coefficient of restitution.
//!
//! rapier solves an impact as a plastic one, and then drives the points of contact apart one after the
//! other, which spins bodies that meet with a face and gains energy. Instead, all of its contacts with a
//! coefficient above [`PLASTIC`] are plastic, and the impulses of bodies that touch each other are then
//! scaled together: such that the two points that approached each other fastest part with e times their
//! closing speed (Newton), but at most such that the kinetic energy stays (Routh, *Dynamics of a System of Rigid
//! Bodies*, 1905, on restitution).
//!
//! Limits: of bodies that meet several others within one step, all bounce with the coefficient of the
//! fastest contact. Bodies with joints do not bounce, and nothing does below [`SLOWEST`].

use super::body::{BodyState, PLASTIC};
use super::contacts::Touching;
use super::world::Physics;

/// Closing speed below which nothing bounces, m/s.
const SLOWEST: f64 = 0.05;
/// Part of the closing speed that a step has to take for an impact: contacts that only come near do not
/// bounce yet.
const TAKEN: f64 = 1e-3;

impl Physics {
    /// Lets bodies bounce that have met in the last step.
    pub(super) fn bounce(&mut self) {
        if !self.elastic {
            return;
        }
        let mut touches = Vec::new();
        self.for_each_touch(|touch| {
            if touch.force > 0.0 {
                touches.push(*touch);
            }
        });
        while let Some(first) = touches.first().map(|touch| touch.body.0) {
            let mut group = vec![first];
            // touches are few, and each pass adds a body
            while let Some(next) = touches.iter().find_map(|touch| {
                let is_in = |body: usize| group.contains(&body);
                let other = touch.other?.0;
                (is_in(touch.body.0) && !is_in(other)).then_some(other)
            }) {
                group.push(next);
            }
            let (own, rest): (Vec<Touching>, _) =
                touches.into_iter().partition(|touch| group.contains(&touch.body.0));
            touches = rest;
            self.bounce_group(&group, &own);
        }
    }

    /// Scales the impulses of bodies that touch each other at these points.
    fn bounce_group(&mut self, group: &[usize], touches: &[Touching]) {
        let joined = |number: &usize| {
            let joints = self.world.impulse_joints.attached_joints(self.infos[*number].handle);
            joints.count() > 0
        };
        if group.iter().any(joined) {
            return;
        }
        let fastest = touches.iter().map(|touch| {
            let [before, after] = self.closing(touch);
            (before, after, touch.restitution)
        });
        let fastest = fastest.filter(|(before, after, e)| {
            *before > SLOWEST && before - after > TAKEN * before && *e > PLASTIC
        });
        let Some((before, after, e)) = fastest.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let scale = (1.0 + e) * before / (before - after);
        // kinetic energy along the change of velocity: −⟨v, Δ⟩ and ⟨Δ, Δ⟩ weighted by mass
        let (mut against, mut size) = (0.0, 0.0);
        for &number in group.iter().filter(|number| self.gives_way(**number)) {
            let [mass, inertia] = self.infos[number].mass;
            let (before, [x, y, turn]) = (self.state_before(number), self.change(number));
            let [vx, vy] = before.velocity;
            against -= mass * (vx * x + vy * y) + inertia * before.omega * turn;
            size += mass * (x * x + y * y) + inertia * turn * turn;
        }
        let moved =
            |number: &usize| !self.gives_way(*number) && (self.state_before(*number).speed() > 0.0);
        // what pushes on its own adds energy
        let most = if group.iter().any(moved) { scale } else { 2.0 * against / size.max(1e-300) };
        let scale = scale.min(most.max(1.0));
        for &number in group {
            if !self.gives_way(number) {
                continue;
            }
            let (before, [x, y, turn]) = (self.state_before(number), self.change(number));
            let state = &mut self.bodies[number].state;
            state.velocity = [before.velocity[0] + scale * x, before.velocity[1] + scale * y];
            state.omega = before.omega + scale * turn;
            self.infos[number].set_solved(&self.bodies[number].state, &mut self.world.bodies, true);
        }
    }

    /// Returns whether impulses move a body freely.
    fn gives_way(&self, number: usize) -> bool {
        !self.infos[number].is_kinematic() && !self.infos[number].is_prescribed
    }

    /// Returns the state of a body before the last step.
    fn state_before(&self, number: usize) -> BodyState {
        let position = self.solved.binary_search(&number);
        position.map_or(self.bodies[number].state, |index| self.before[index])
    }

    /// Returns the change of velocity, m/s, and yaw rate, rad/s, of a body in the last step.
    fn change(&self, number: usize) -> [f64; 3] {
        let (before, after) = (self.state_before(number), &self.bodies[number].state);
        let [x, y] = [0, 1].map(|axis| after.velocity[axis] - before.velocity[axis]);
        [x, y, after.omega - before.omega]
    }

    /// Returns the speed at which a body approaches what it touches, before and after the last step, m/s.
    fn closing(&self, touch: &Touching) -> [f64; 2] {
        let speed = |number: usize, state: &BodyState| {
            let centre = self.bodies[number].centre();
            let [x, y] = [0, 1].map(|axis| touch.point[axis] - centre[axis]);
            let [vx, vy] = state.velocity;
            touch.normal[0] * (vx - state.omega * y) + touch.normal[1] * (vy + state.omega * x)
        };
        let both = |of: &dyn Fn(usize) -> BodyState| {
            let own = speed(touch.body.0, &of(touch.body.0));
            touch.other.map_or(0.0, |other| speed(other.0, &of(other.0))) - own
        };
        [both(&|number| self.state_before(number)), both(&|number| self.bodies[number].state)]
    }
}
