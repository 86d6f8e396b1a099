//! Impacts with a coefficient of restitution.
//!
//! rapier solves an impact as a plastic one, and then drives the points of contact apart one after the
//! other, which spins bodies that meet with a face and gains energy. Instead, all of its contacts with a
//! coefficient above [`PLASTIC`] are plastic. If bodies have met, the step of all bodies that touch each other
//! is then computed anew from its beginning, one impact after the other in the order in which the gaps
//! close, so that a row of bodies passes an impulse on as Newton's cradle does. In each impact, the points of a
//! side meet at once and part with e times their closing speed (Newton). Friction takes sliding velocity away
//! with at most μ times the impulse (Coulomb), and the kinetic energy does not grow (Routh, *Dynamics of a
//! System of Rigid Bodies*, 1905, on restitution).
//!
//! Limits: bodies with joints do not bounce, and nothing does below [`SLOWEST`].

mod pair;

use rapier2d_f64::prelude::*;
use simhost_vectors::Vec2;

use super::bodies::Bodies;
use super::body::{BodyState, PLASTIC};
use super::contacts::{Touching, places};
use super::counterparts::restitution;
use super::solver::Solver;
use pair::{Pair, Participant, SLOWEST};

/// Part of the closing speed that a step has to take for an impact: contacts that only come near do not
/// bounce yet.
const TAKEN: f64 = 1e-3;
/// Part of the impulses of a step with which rapier begins the next one.
const WARM: f64 = 1.0;
/// Greatest number of impacts in a step for each pair.
const MOST_IMPACTS: usize = 50;

impl Solver {
    /// Lets bodies bounce that have met in the last step of `dt` seconds.
    pub(super) fn bounce(&mut self, bodies: &mut Bodies, dt: f64) {
        if !self.elastic {
            return;
        }
        let mut bounces = false;
        let mut met = Vec::new();
        self.for_each_touch(bodies, |touch| {
            let [before, after] = self.closing(bodies, touch);
            let is_impact = before > SLOWEST && before - after > TAKEN * before;
            if touch.force > 0.0 && touch.restitution > PLASTIC && is_impact {
                met.push(touch.body.0);
            }
        });
        while let Some(first) = met.first() {
            let group = self.touching_group(bodies, *first);
            met.retain(|number| !group.contains(number));
            bounces |= self.bounce_group(bodies, &group, dt);
        }
        // the impulses of this step are not those of the next one
        let parameters = &mut self.counterparts.world.integration_parameters;
        parameters.warmstart_coefficient = if bounces { 0.0 } else { WARM };
    }

    /// Returns a body, and those that touch it directly or through others.
    fn touching_group(&self, bodies: &Bodies, first: usize) -> Vec<usize> {
        let (mut group, mut next) = (vec![first], 0);
        while let Some(number) = group.get(next) {
            next += 1;
            let others: Vec<usize> = self.counterparts.touched(*number).flatten().collect();
            for other in others {
                if bodies[other].solved && !group.contains(&other) {
                    group.push(other);
                }
            }
        }
        group
    }

    /// Lets the bodies of a group bounce off each other. Returns false if joints hold them.
    fn bounce_group(&mut self, bodies: &mut Bodies, group: &[usize], dt: f64) -> bool {
        if group.iter().any(|number| self.counterparts.has_joint(*number)) {
            return false;
        }
        let mut members: Vec<Participant> =
            group.iter().map(|one| self.member(bodies, *one, dt)).collect();
        let pairs = self.pairs(bodies, group);
        let mut left = dt;
        for _ in 0..MOST_IMPACTS * pairs.len() {
            let arrivals = pairs.iter().filter_map(|pair| Some((pair, pair.arrival(&members)?)));
            let first =
                arrivals.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
            let Some((pair, (time, _))) = first.filter(|(_, (time, _))| *time <= left) else {
                break;
            };
            members.iter_mut().for_each(|member| member.body.advance(time));
            left -= time;
            pair.collide(&mut members);
        }
        for Participant { number, mut body, lightness } in members {
            if lightness != [0.0; 2] {
                body.advance(left);
                self.place(bodies, number, body.state);
            }
        }
        true
    }

    /// Returns a body as it was before the last step of `dt` seconds.
    fn member(&self, bodies: &Bodies, number: usize, dt: f64) -> Participant {
        let (mut body, info) = (bodies[number], &bodies.infos[number]);
        if info.is_kinematic() {
            // its state is that at the end of all parts of the step
            let handle = self.counterparts.body(number);
            let now = self.counterparts.world.bodies[handle].position();
            body.state.position = [now.translation.x, now.translation.y];
            body.state.heading = [now.rotation.re, now.rotation.im];
            body.advance(-dt);
        } else {
            body.state = self.state_before(bodies, number);
        }
        let gives_way = !info.is_kinematic() && !info.is_prescribed;
        let lightness = if gives_way { info.mass.map(|one| 1.0 / one) } else { [0.0; 2] };
        Participant { number, body, lightness }
    }

    /// Returns what touches in a group.
    fn pairs(&self, bodies: &Bodies, group: &[usize]) -> Vec<Pair> {
        let (mut pairs, counterparts) = (Vec::new(), &self.counterparts);
        for (first, &number) in group.iter().enumerate() {
            let info = &bodies.infos[number];
            for contact in counterparts.pairs(number) {
                let collider = counterparts.partner(contact, number);
                let second = match counterparts.body_of(collider) {
                    None => None,
                    Some(other) => match group.iter().position(|one| *one == other) {
                        Some(second) if second > first => Some(second),
                        _ => continue,
                    },
                };
                let is_first = contact.collider1 == counterparts.collider(number);
                let obstacle = &counterparts.world.colliders[collider];
                let its = restitution(obstacle);
                for manifold in contact.manifolds() {
                    if manifold.data.num_active_contacts() == 0 {
                        continue;
                    }
                    let sign = if is_first { 1.0 } else { -1.0 };
                    let place = |point: &Contact| {
                        let [own, mut its] = places(manifold, point, is_first);
                        if second.is_none() {
                            its = obstacle.position().transform_point(its);
                        }
                        [[own.x, own.y], [its.x, its.y]]
                    };
                    pairs.push(Pair {
                        first,
                        second,
                        places: manifold.points.iter().map(place).collect(),
                        normal: sign * Vec2::new(manifold.data.normal.x, manifold.data.normal.y),
                        restitution: info.surface.restitution.max(its),
                        friction: manifold.data.friction,
                    });
                }
            }
        }
        pairs
    }

    /// Returns the state of a body before the last step.
    fn state_before(&self, bodies: &Bodies, number: usize) -> BodyState {
        let position = self.solved.binary_search(&number);
        position.map_or(bodies[number].state, |index| self.before[index])
    }

    /// Returns the speed at which a body approaches what it touches, before and after the last step, m/s.
    fn closing(&self, bodies: &Bodies, touch: &Touching) -> [f64; 2] {
        let speed = |number: usize, state: &BodyState| {
            let centre = bodies[number].centre();
            let [x, y] = [0, 1].map(|axis| touch.point[axis] - centre[axis]);
            let [vx, vy] = state.velocity;
            touch.normal[0] * (vx - state.omega * y) + touch.normal[1] * (vy + state.omega * x)
        };
        let both = |of: &dyn Fn(usize) -> BodyState| {
            let own = speed(touch.body.0, &of(touch.body.0));
            touch.other.map_or(0.0, |other| speed(other.0, &of(other.0))) - own
        };
        [both(&|number| self.state_before(bodies, number)), both(&|number| bodies[number].state)]
    }
}
