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

use rapier2d_f64::prelude::*;
use simhost_vectors::Vec2;
use smallvec::SmallVec;

use super::bodies::Bodies;
use super::body::{BodyState, PLASTIC, RigidBody};
use super::bounds::{harmless_share, share_of_change};
use super::counterparts::restitution;
use super::prescribed::{Touching, places};
use super::solver::Solver;

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

/// Closing speed below which nothing bounces, m/s.
const SLOWEST: f64 = 0.05;
/// Closing speed that counts as none, m/s.
const STILL: f64 = 1e-9;
/// Difference between the gaps of points that meet at once, m.
const AT_ONCE: f64 = 1e-4;
/// Determinant, relative to the diagonal, below which two points count as one.
const DEGENERATE: f64 = 1e-9;
/// Rounds of an impact with friction, which changes the closing speed.
const ROUNDS: usize = 8;

/// A body during the impacts of a step.
struct Participant {
    pub number: usize,
    pub body: RigidBody,
    /// Inverse of the mass, 1/kg, and of the moment of inertia, 1/(kg·m²); 0 if impulses do not move it.
    pub lightness: [f64; 2],
}

impl Participant {
    fn velocity_at(&self, at: Vec2) -> Vec2 {
        let arm = self.arm(at);
        let omega = self.body.state.omega;
        Vec2::from(self.body.state.velocity) + Vec2::new(-omega * arm.y, omega * arm.x)
    }

    fn arm(&self, at: Vec2) -> Vec2 {
        at - Vec2::from(self.body.centre())
    }

    fn push(&mut self, impulse: Vec2, at: Vec2) {
        let ([by_mass, by_inertia], arm) = (self.lightness, self.arm(at));
        let state = &mut self.body.state;
        state.velocity = (Vec2::from(state.velocity) + by_mass * impulse).to_array();
        state.omega += by_inertia * arm.cross(impulse);
    }

    /// Returns whether the body follows a plan, so that it adds energy.
    fn is_carried(&self) -> bool {
        let BodyState { velocity, omega, .. } = self.body.state;
        self.lightness == [0.0; 2] && (velocity, omega) != ([0.0; 2], 0.0)
    }
}

/// Two bodies, or a body and an obstacle, that touch with a corner or a side.
struct Pair {
    /// Indices of the members; no second one for an obstacle.
    pub first: usize,
    pub second: Option<usize>,
    /// Places of the points on both, in the frame of the body, or of the world for an obstacle, m.
    pub places: SmallVec<[[[f64; 2]; 2]; 2]>,
    /// Direction from the first to the second, world frame.
    pub normal: Vec2,
    pub restitution: f64,
    pub friction: f64,
}

/// A point at which a pair touches or will touch.
#[derive(Clone, Copy)]
struct Point {
    /// World frame, m.
    at: Vec2,
    gap: f64,
    /// Speed at which the gap closes, m/s.
    pub closing: f64,
}

impl Pair {
    /// Returns the points as they are now.
    pub fn points(&self, members: &[Participant]) -> SmallVec<[Point; 2]> {
        let second = self.second.map(|index| &members[index]);
        let point = |[own, its]: &[[f64; 2]; 2]| {
            let own = Vec2::from(members[self.first].body.state.transform(*own));
            let its = Vec2::from(second.map_or(*its, |member| member.body.state.transform(*its)));
            let at = 0.5 * (own + its);
            let speed = |member: &Participant| member.velocity_at(at).dot(self.normal);
            let closing = speed(&members[self.first]) - second.map_or(0.0, speed);
            Point { at, gap: (its - own).dot(self.normal), closing }
        };
        self.places.iter().map(point).collect()
    }

    /// Returns the time until the two meet, s, and how fast they do, m/s, unless they part.
    pub fn arrival(&self, members: &[Participant]) -> Option<(f64, f64)> {
        let points = self.points(members).into_iter().filter(|point| point.closing > STILL);
        let arrivals = points.map(|point| (point.gap.max(0.0) / point.closing, point.closing));
        arrivals.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)))
    }

    /// Lets the two bounce off each other.
    pub fn collide(&self, members: &mut [Participant]) {
        let mut points = self.points(members);
        points.retain(|point| point.closing > STILL);
        let nearest = points.iter().map(|point| point.gap).fold(f64::INFINITY, f64::min);
        points.retain(|point| point.gap <= nearest.max(0.0) + AT_ONCE);
        let both = [Some(self.first), self.second].into_iter().flatten();
        let before: SmallVec<[BodyState; 2]> =
            both.map(|index| members[index].body.state).collect();
        let tangent = Vec2::new(-self.normal.y, self.normal.x);
        let (mut impulses, mut along) = ([0.0; 2], 0.0);
        for _ in 0..ROUNDS {
            let wanted = self.impulses(members, &points, impulses);
            for (point, (own, wanted)) in points.iter().zip(impulses.iter_mut().zip(wanted)) {
                self.push(members, (wanted - *own) * self.normal, point.at);
                *own = wanted;
            }
            let sum = impulses[0] + impulses[1];
            if self.friction == 0.0 || sum <= 0.0 {
                break;
            }
            let places = points.iter().zip(impulses).map(|(point, own)| own * point.at);
            let at = places.fold(Vec2::ZERO, |a, b| a + b) / sum;
            let stop =
                self.speed(members, at, tangent) / self.lightness(members, [at, at], tangent);
            let most = self.friction * sum;
            let wanted = (along + stop).clamp(-most, most);
            self.push(members, (wanted - along) * tangent, at);
            along = wanted;
        }
        self.limit_energy(members, &before);
    }

    /// Returns the impulses, N·s, with which the points part as they do after the impact. They have received
    /// some already. No point pulls.
    fn impulses(&self, members: &[Participant], points: &[Point], received: [f64; 2]) -> [f64; 2] {
        let between = |a: &Point, b: &Point| self.lightness(members, [a.at, b.at], self.normal);
        let missing = |point: &Point| {
            let e = if point.closing > SLOWEST { self.restitution } else { 0.0 };
            self.speed(members, point.at, self.normal) + e * point.closing
        };
        let (a, b, c, speeds) = match points {
            [] => return [0.0; 2],
            [one] => (between(one, one), 1.0, 0.0, [missing(one), 0.0]),
            [one, other, ..] => {
                let c = between(one, other);
                (between(one, one), between(other, other), c, [missing(one), missing(other)])
            }
        };
        let [p, q] = received;
        let [u, v] = [
            speeds[0] + a * p + c * q,
            speeds[1] + c * p + if points.len() > 1 { b * q } else { 0.0 },
        ];
        let determinant = a * b - c * c;
        if determinant > DEGENERATE * a * b {
            let both = [(b * u - c * v) / determinant, (a * v - c * u) / determinant];
            if both[0] >= 0.0 && both[1] >= 0.0 {
                return both;
            }
        }
        let first = (u / a).max(0.0);
        if c * first >= v { [first, 0.0] } else { [0.0, (v / b).max(0.0)] }
    }

    /// Returns the change of speed along `direction` at one point by an impulse along it at another, 1/kg.
    fn lightness(&self, members: &[Participant], [a, b]: [Vec2; 2], direction: Vec2) -> f64 {
        let both = [Some(self.first), self.second].into_iter().flatten();
        let of = both.map(|index| {
            let (member, [by_mass, by_inertia]) = (&members[index], members[index].lightness);
            by_mass + by_inertia * member.arm(a).cross(direction) * member.arm(b).cross(direction)
        });
        of.sum()
    }

    /// Returns the speed of the first relative to the second along a direction, m/s.
    fn speed(&self, members: &[Participant], at: Vec2, direction: Vec2) -> f64 {
        let second = self.second.map_or(Vec2::ZERO, |index| members[index].velocity_at(at));
        (members[self.first].velocity_at(at) - second).dot(direction)
    }

    /// Pushes the second by an impulse, N·s, and the first the other way.
    fn push(&self, members: &mut [Participant], impulse: Vec2, at: Vec2) {
        members[self.first].push(-1.0 * impulse, at);
        if let Some(second) = self.second {
            members[second].push(impulse, at);
        }
    }

    /// Scales the impulses since `before` down to those that add no energy.
    fn limit_energy(&self, members: &mut [Participant], before: &[BodyState]) {
        let both: SmallVec<[usize; 2]> =
            [Some(self.first), self.second].into_iter().flatten().collect();
        if both.iter().any(|index| members[*index].is_carried()) {
            return;
        }
        let changes = both.iter().zip(before).map(|(index, before)| {
            let member = &members[*index];
            (before, &member.body.state, member.lightness)
        });
        let share = harmless_share(changes);
        for (index, before) in both.iter().zip(before).filter(|_| share < 1.0) {
            members[*index].body.state =
                share_of_change(before, &members[*index].body.state, share);
        }
    }
}
