//! Encounters: selects the bodies that rapier moves, and gives it the counterparts that it needs for them.

use super::body::{BodyInfo, RigidBody};
use super::counterparts::Original;
use super::crowd::Crowd;
use super::world::Physics;

/// Largest number of bodies that are built again at each encounter.
const MOST_FORGOTTEN: usize = 256;

impl Physics {
    /// Searches neighbours of all bodies for a step of `dt` seconds, and returns for each body whether it has one. The list
    /// can be given back to the search as `reused`.
    pub(super) fn find_near(&mut self, dt: f64) -> Vec<bool> {
        let constants = (&**self.bodies.infos, &*self.obstacles);
        self.neighbours.update(&mut self.bodies.states, constants, dt)
    }

    /// Searches neighbours of all bodies for the step of `dt` seconds that they are about to take, as
    /// [`Self::step_solved`] does. Returns whether there is none, and no body has to be solved. `bodies` are then
    /// those after the search.
    pub fn search_free(&mut self, bodies: &mut [RigidBody], dt: f64) -> bool {
        let constants = (&**self.bodies.infos, &*self.obstacles);
        let near = self.neighbours.update(bodies, constants, dt);
        let is_free = !near.contains(&true);
        self.neighbours.reused = near;
        if is_free {
            bodies.iter_mut().for_each(|body| body.solved = false);
        }
        is_free
    }

    /// Enables and disables bodies in rapier as [`Self::set_solved`] does, unless there are more pairs than it can solve.
    pub(super) fn set_solved_unless_crowded(&mut self, near: Vec<bool>) {
        self.crowd = Crowd::among(&self.bodies, &self.obstacles, &near);
        if self.crowd.is_none() {
            self.set_solved(&near);
        }
        self.neighbours.reused = near;
    }

    /// Enables in rapier the bodies that have a neighbour, and disables the others.
    pub(super) fn set_solved(&mut self, near: &[bool]) {
        let is_solved = |(info, near): (&BodyInfo, &bool)| *near || info.always_solved;
        let is_free = !self.bodies.infos.iter().zip(near).any(is_solved);
        if is_free && (!self.has_solved() || self.forgets()) {
            if self.has_solved() {
                self.solver.counterparts.remove(self.dt);
            }
            self.bodies.states.iter_mut().for_each(|body| body.solved = false);
            return self.solver.solved.clear();
        }
        self.add_counterparts_near(near);
        self.solver.enable_near(&mut self.bodies, near);
    }

    /// Returns whether rapier forgets an encounter when nothing is near any more. Then the next one does not depend on
    /// it. Worlds keep what takes long to build again.
    fn forgets(&self) -> bool {
        self.bodies.len() <= MOST_FORGOTTEN && !self.always_solves()
    }

    /// Adds the counterparts of all bodies and obstacles, unless they exist.
    pub(super) fn add_counterparts(&mut self) {
        if !self.has_solved() {
            self.solver.add_counterparts(&self.bodies, &self.obstacles, |_| true);
        }
    }

    /// Adds the counterparts that rapier needs to move the bodies that are `near` something, unless they exist.
    fn add_counterparts_near(&mut self, near: &[bool]) {
        if self.always_solves() {
            return self.add_counterparts();
        }
        let Self { neighbours, bodies, obstacles, solver, dt, .. } = self;
        let is_new = |number: usize| !solver.counterparts.has_obstacle(number);
        let reached = neighbours.reached_obstacles(bodies, (obstacles, is_new), near, *dt);
        if solver.counterparts.exist {
            for &number in &reached {
                solver.counterparts.insert(Original::Obstacle(number), bodies, obstacles);
            }
        } else {
            let is_reached = |number: usize| reached.binary_search(&number).is_ok();
            solver.add_counterparts(bodies, obstacles, is_reached);
        }
        neighbours.reached = reached;
    }
}
