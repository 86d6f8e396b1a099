//! Separation of bodies that overlap deeply.
//!
//! The contact solver pushes overlapping bodies apart by impulses, and gives up where a light body is
//! caught between heavy ones or where many bodies overlap. Here bodies are moved apart instead, without
//! a velocity: the displacements of a step are those closest to zero with which every overlap
//! shrinks at [`PUSH_SPEED`] and no gap closes, found by relaxation (Jakobsen 2001, "Advanced
//! Character Physics") with equal weights, as masses do not matter where nothing accelerates. Contacts
//! with obstacles come last, so that nothing is pushed into a wall. Bodies that touch nothing else keep their
//! common centre of mass, and so their angular momentum.

use rapier2d_f64::prelude::*;

use super::bodies::Bodies;
use super::body::{BodyInfo, BodyState};
use super::counterparts::PUSH_SPEED;
use super::solver::{Contact, Separation, Solver};

/// Depth from which bodies are moved apart, m. Contacts under load are less deep.
pub(super) const DEEP: f64 = 5e-3;
/// Number of relaxations.
const RELAXATIONS: usize = 10;

impl Solver {
    /// Moves bodies that overlap deeply apart, by the distance that they can cover in `dt` seconds.
    /// If they were fast, also those that have just come to overlap are kept out of obstacles.
    pub(super) fn separate(&mut self, bodies: &mut Bodies, dt: f64, are_fast: bool) {
        let is_deep = self.has_deep_contact();
        if is_deep {
            self.move_apart(bodies, dt);
        }
        if is_deep || are_fast {
            self.keep_outside(bodies);
        }
    }

    fn move_apart(&mut self, bodies: &mut Bodies, dt: f64) {
        let mut separation = std::mem::take(&mut self.separation);
        let Separation { contacts, displacements } = &mut separation;
        contacts.clear();
        let counterparts = &self.counterparts;
        for pair in counterparts.world.narrow_phase.contact_pairs() {
            let both = [pair.collider1, pair.collider2].map(|one| counterparts.body_of(one));
            for manifold in pair.manifolds() {
                let points = manifold.points.iter().map(|point| point.dist);
                let gap = points.fold(f64::INFINITY, f64::min);
                if manifold.data.num_active_contacts() > 0 {
                    let normal = manifold.data.normal;
                    contacts.push(Contact {
                        bodies: both,
                        rank: rank(both, &bodies.infos),
                        normal: [normal.x, normal.y],
                        least: (-gap).min(PUSH_SPEED * dt),
                    });
                }
            }
        }
        contacts.sort_by_key(|contact| contact.rank);
        displacements.clear();
        displacements.resize(bodies.len(), [0.0; 2]);
        for _ in 0..RELAXATIONS {
            for contact in contacts.iter() {
                relax(contact, displacements, &bodies.infos);
            }
        }
        keep_centres(contacts, displacements, &bodies.infos);
        for &number in &self.solved {
            let [x, y] = displacements[number];
            if [x, y] != [0.0; 2] {
                let body = &mut bodies[number];
                body.state.position[0] += x;
                body.state.position[1] += y;
                self.counterparts.place(number, &body.state);
                self.counterparts.wake_up(number);
            }
        }
        self.separation = separation;
    }

    /// Takes back the motion of bodies whose centres of mass have entered an obstacle that they touch.
    fn keep_outside(&mut self, bodies: &mut Bodies) {
        let Self { counterparts, solved, before, .. } = self;
        for (&number, &before) in solved.iter().zip(&*before) {
            let (body, info) = (&bodies[number], &bodies.infos[number]);
            if info.is_kinematic() {
                continue;
            }
            let [from, to] =
                [before.transform(body.centre), body.centre()].map(|[x, y]| Vector::new(x, y));
            let way = Ray::new(from, to - from);
            let enters = counterparts.pairs(number).any(|pair| {
                let other = counterparts.partner(pair, number);
                let obstacle = &counterparts.world.colliders[other];
                let (pose, shape) = (obstacle.position(), obstacle.shape());
                pair.has_any_active_contact()
                    && counterparts.body_of(other).is_none()
                    && !shape.contains_point(pose, from)
                    && shape.cast_ray(pose, &way, 1.0, true).is_some()
            });
            if enters {
                let BodyState { velocity, omega, .. } = body.state;
                let state = BodyState { velocity, omega, ..before };
                bodies[number].state = state;
                counterparts.place(number, &state);
            }
        }
    }

    fn has_deep_contact(&self) -> bool {
        self.counterparts.world.narrow_phase.contact_pairs().any(|pair| {
            pair.manifolds().iter().any(|manifold| {
                manifold.data.num_active_contacts() > 0
                    && manifold.points.iter().any(|point| point.dist < -DEEP)
            })
        })
    }
}

/// Shifts bodies that are in contact with each other, and with nothing that stays where it is, by the displacement of
/// their common centre of mass.
fn keep_centres(contacts: &[Contact], displacements: &mut [[f64; 2]], infos: &[BodyInfo]) {
    let is_free = |body: &Option<usize>| body.is_some_and(|number| !infos[number].is_kinematic());
    // bodies that are connected have the same root
    let mut parents: Vec<usize> = (0..displacements.len()).collect();
    for contact in contacts {
        if let [Some(first), Some(second)] = contact.bodies {
            let roots = [root(&mut parents, first), root(&mut parents, second)];
            parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
        }
    }
    let mut touches = vec![false; parents.len()];
    let mut held = vec![false; parents.len()];
    for contact in contacts {
        for &number in contact.bodies.iter().flatten() {
            touches[number] = true;
            held[root(&mut parents, number)] |= !contact.bodies.iter().all(is_free);
        }
    }
    // for each root, the mass of its bodies and its product with their displacements
    let mut sums = vec![[0.0; 3]; parents.len()];
    for number in (0..parents.len()).filter(|number| touches[*number]) {
        let (mass, [x, y]) = (infos[number].mass[0], displacements[number]);
        let sum = &mut sums[root(&mut parents, number)];
        *sum = [sum[0] + mass, sum[1] + mass * x, sum[2] + mass * y];
    }
    for number in (0..parents.len()).filter(|number| touches[*number]) {
        let root = root(&mut parents, number);
        if !held[root] {
            let [mass, x, y] = sums[root];
            displacements[number][0] -= x / mass;
            displacements[number][1] -= y / mass;
        }
    }
}

/// Returns the order of a contact: bodies that follow a plan before others, and obstacles last.
fn rank(bodies: [Option<usize>; 2], infos: &[BodyInfo]) -> u8 {
    let rank =
        |body: Option<usize>| body.map_or(2, |number| u8::from(!infos[number].is_kinematic()));
    match bodies.map(rank) {
        [2, _] | [_, 2] => 2,
        [0, _] | [_, 0] => 0,
        _ => 1,
    }
}

/// Moves the two bodies of a contact to the smallest permitted distance.
fn relax(contact: &Contact, displacements: &mut [[f64; 2]], infos: &[BodyInfo]) {
    let Contact { bodies, normal: [x, y], least, .. } = contact;
    let weights = bodies.map(|body| {
        let moves = body.is_some_and(|number| !infos[number].is_kinematic());
        f64::from(u8::from(moves))
    });
    let [first, second] = bodies.map(|body| {
        body.map_or(0.0, |number| displacements[number][0] * x + displacements[number][1] * y)
    });
    let lack = least - (second - first);
    let sum = weights[0] + weights[1];
    if lack <= 0.0 || sum == 0.0 {
        return;
    }
    for ((body, weight), sign) in bodies.iter().zip(weights).zip([-1.0, 1.0]) {
        if let Some(number) = *body {
            let part = sign * weight / sum * lack;
            displacements[number][0] += part * x;
            displacements[number][1] += part * y;
        }
    }
}

/// Returns the root of a body, and shortens the way to it.
fn root(parents: &mut [usize], mut number: usize) -> usize {
    while parents[number] != number {
        parents[number] = parents[parents[number]];
        number = parents[number];
    }
    number
}
