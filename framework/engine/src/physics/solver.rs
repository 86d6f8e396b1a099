//! The bodies that rapier moves: which ones these are, their counterparts in rapier, and its step.

use rapier2d_f64::prelude::*;

use super::body::{BodyInfo, BodyMotion};
use super::counterpart::{Original, PUSH_SPEED, builder, collider, empty_world};
use super::neighbours::Obstacle;
use super::world::Physics;

/// Largest number of bodies that are built again at each encounter.
const MOST_FORGOTTEN: usize = 256;
/// Largest number of parts of a step.
pub(crate) const MOST_PARTS: usize = 1000;

/// Half of the speed below which rapier lets a block sleep, m/s: that of a block that friction has stopped.
const AT_REST: f64 = 1e-9;

impl Physics {
    /// Determines which bodies rapier moves in this step, and lets it move them. The others are left
    /// to [`RigidBody::advance`]. The bodies from number `checked` on are known to have the neighbours of
    /// the last search, unless ropes pull them.
    pub fn step_solved(&mut self, checked: Option<usize>) {
        let dt = self.dt;
        (self.is_stuck, self.crowd) = (false, None);
        for block in &self.sliding {
            block.slow_down(&mut self.bodies[block.body.0], dt);
        }
        for min_distance in &self.min_distances {
            min_distance.apply(&mut self.bodies, &self.infos, dt, PUSH_SPEED);
        }
        let checked = checked.filter(|_| self.min_distances.is_empty());
        let unknown = &self.bodies[..checked.unwrap_or(self.bodies.len())];
        if !unknown.iter().all(|body| body.stays_within_search(dt)) {
            let near = self.neighbours.update(&mut self.bodies, &self.infos, dt);
            self.set_solved_unless_crowded(near);
        }
        if self.solved.is_empty() || self.crowd.is_some() {
            self.before.clear();
            return;
        }
        self.limit_prescribed(dt);
        self.solve_in_parts(dt);
    }

    /// Lets rapier make a step of `dt` seconds, in parts where something is fast.
    fn solve_in_parts(&mut self, dt: f64) {
        let (mut left, mut number) = (dt, 0);
        while left > 0.0 {
            self.is_stuck = number == MOST_PARTS;
            if self.is_stuck || self.crowd.is_some() {
                break;
            }
            let part = self.reach(left);
            self.part_dt = part;
            self.world.integration_parameters.dt = part;
            self.solve_part(part, part / left, number > 0 || part < left);
            left -= part;
            number += 1;
            if left > 0.0 {
                self.search_again(dt - left, left);
            }
        }
        self.world.integration_parameters.dt = dt;
    }

    /// Returns the name and the speed, m/s, of the fastest body that rapier moves, if the last step has needed too
    /// many parts.
    pub fn stuck(&self) -> Option<(&str, f64)> {
        let speed = |number: &usize| self.bodies[*number].state.speed();
        let fastest = self.solved.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let number = fastest.filter(|_| self.is_stuck)?;
        Some((&self.infos[*number].name, speed(number)))
    }

    /// Adds the bodies that those which rapier moves can reach in the `left` seconds of a step because contacts have made them
    /// faster. `past`, s, is the time that rapier has made of this step.
    fn search_again(&mut self, past: f64, left: f64) {
        if self.solved.iter().all(|number| self.bodies[*number].stays_within_search(left)) {
            return;
        }
        let mut near = self.neighbours.update(&mut self.bodies, &self.infos, left);
        for (near, body) in near.iter_mut().zip(&mut self.bodies) {
            if *near && !body.solved {
                body.advance(past);
            }
            *near |= body.solved;
        }
        self.set_solved_unless_crowded(near);
    }

    /// Enables and disables bodies in rapier as [`Self::set_solved`] does, unless there are more pairs than it can solve.
    fn set_solved_unless_crowded(&mut self, near: Vec<bool>) {
        self.crowd = self.crowd(&near);
        if self.crowd.is_none() {
            self.set_solved(&near);
        }
        self.neighbours.reused = near;
    }

    /// Lets rapier make a part of a step, of `dt` seconds, which is a `share` of what is left of the step. `is_fast` is
    /// whether the step had to be divided.
    fn solve_part(&mut self, dt: f64, share: f64, is_fast: bool) {
        self.before.clear();
        for &number in &self.solved {
            let state = &self.bodies[number].state;
            self.infos[number].write(state, &mut self.world.bodies);
            self.infos[number].lead(state, share, &mut self.world.bodies);
            self.before.push(*state);
        }
        self.world.step_with_events(&self.heights, &());
        for &number in &self.solved {
            self.infos[number].read(&mut self.bodies[number].state, &self.world.bodies);
        }
        self.separate(dt, is_fast);
        self.bounce(dt);
        self.bound_motion(dt);
    }

    /// Enables in rapier the bodies that have a neighbour, and disables the others.
    pub(super) fn set_solved(&mut self, near: &[bool]) {
        let is_solved = |(info, near): (&BodyInfo, &bool)| *near || info.always_solved;
        let is_free = !self.infos.iter().zip(near).any(is_solved);
        if is_free && (!self.counterparts.exist || self.forgets()) {
            if self.counterparts.exist {
                self.remove_counterparts();
            }
            self.bodies.iter_mut().for_each(|body| body.solved = false);
            return self.solved.clear();
        }
        self.add_counterparts_near(near);
        for ((body, info), near) in self.bodies.iter_mut().zip(&self.infos).zip(near) {
            let solved = *near || info.always_solved;
            if solved != body.solved {
                body.solved = solved;
                info.set_solved(&body.state, &mut self.world.bodies, solved);
            }
        }
        self.update_solved();
    }

    /// Returns whether rapier forgets an encounter when nothing is near any more. Then the next one does not depend on
    /// it. Worlds keep what takes long to build again.
    fn forgets(&self) -> bool {
        self.bodies.len() <= MOST_FORGOTTEN && !self.always_solves()
    }

    /// Collects the numbers of the bodies that rapier moves.
    pub(super) fn update_solved(&mut self) {
        self.solved.clear();
        let numbers = self.bodies.iter().enumerate().filter(|(_, body)| body.solved);
        self.solved.extend(numbers.map(|(number, _)| number));
    }

    /// Adds the counterpart of a body or an obstacle now or later.
    pub(super) fn add_counterpart(&mut self, original: Original) {
        self.counterparts.originals.push(original);
        if self.counterparts.exist {
            self.insert(original);
        }
    }

    /// Adds the counterparts of all bodies and obstacles, unless they exist.
    pub(super) fn add_counterparts(&mut self) {
        if !self.counterparts.exist {
            self.add_bodies_and(|_| true);
        }
    }

    /// Adds the counterparts that rapier needs to move the bodies that are `near` something, unless they exist.
    fn add_counterparts_near(&mut self, near: &[bool]) {
        if self.always_solves() {
            return self.add_counterparts();
        }
        let Self { neighbours, bodies, infos, dt, .. } = self;
        let reached = neighbours.reached_obstacles((bodies, infos), near, *dt);
        if self.counterparts.exist {
            reached.iter().for_each(|number| self.insert(Original::Obstacle(*number)));
        } else {
            self.add_bodies_and(|number| reached.binary_search(&number).is_ok());
        }
        self.neighbours.reached = reached;
    }

    /// Adds the counterparts of all bodies and of some obstacles. Those of bodies that are not solved are disabled.
    fn add_bodies_and(&mut self, is_reached: impl Fn(usize) -> bool) {
        self.expect_counterparts();
        for index in 0..self.counterparts.originals.len() {
            match self.counterparts.originals[index] {
                Original::Obstacle(number) if !is_reached(number) => {}
                original => self.insert(original),
            }
        }
        for (body, info) in self.bodies.iter().zip(&self.infos).filter(|(body, _)| !body.solved) {
            info.set_solved(&body.state, &mut self.world.bodies, false);
        }
    }

    /// Prepares for the first counterparts.
    pub(super) fn expect_counterparts(&mut self) {
        self.counterparts.exist = true;
        // steps do not allocate
        self.solved.reserve(self.bodies.len());
        self.before.reserve(self.bodies.len());
        self.yielded.reserve(self.bodies.len());
        self.connections.reserve(self.bodies.len());
    }

    /// Removes all counterparts, for the state before rapier has moved a body.
    pub(super) fn remove_counterparts(&mut self) {
        self.counterparts.exist = false;
        for original in self.counterparts.present.drain(..) {
            if let Original::Obstacle(number) = original {
                self.neighbours.handles[number] = RigidBodyHandle::invalid();
            }
        }
        let pipeline = std::mem::take(&mut self.world.physics_pipeline);
        self.world = PhysicsWorld { physics_pipeline: pipeline, ..empty_world(self.dt) };
    }

    /// Adds a counterpart.
    pub(super) fn insert(&mut self, original: Original) {
        self.counterparts.present.push(original);
        match original {
            Original::Body(number) => {
                let (body, info) = (&self.bodies[number], &mut self.infos[number]);
                let collider = collider(&info.shape, info.surface, info.span)
                    .density(0.0)
                    .active_hooks(self.heights.hooks());
                let handles = self.world.insert(builder(body, info), collider);
                (info.handle, info.collider) = handles;
                let colliders = &self.world.colliders;
                let counterpart = &mut self.world.bodies[info.handle];
                counterpart.recompute_mass_properties_from_colliders(colliders);
                if info.motion == BodyMotion::Block {
                    counterpart.activation_mut().normalized_linear_threshold = AT_REST;
                }
            }
            Original::Obstacle(number) => {
                let Obstacle { pose, shape, surface, span, .. } =
                    &self.neighbours.obstacles[number];
                let collider = collider(shape, *surface, *span).active_hooks(self.heights.hooks());
                let (handle, _) =
                    self.world.insert(RigidBodyBuilder::fixed().pose(*pose), collider);
                self.neighbours.handles[number] = handle;
            }
        }
    }
}
