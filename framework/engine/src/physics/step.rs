//! The step of the bodies that rapier moves, in parts where something is fast.

use super::counterparts::PUSH_SPEED;
use super::world::Physics;

/// Largest number of parts of a step.
pub(crate) const MOST_PARTS: usize = 1000;

impl Physics {
    /// Determines which bodies rapier moves in this step, and lets it move them. The others are left
    /// to [`RigidBody::advance`](super::body::RigidBody::advance). The bodies from number `checked` on are known to have the neighbours of
    /// the last search, unless ropes pull them.
    pub fn step_solved(&mut self, checked: Option<usize>) {
        let dt = self.dt;
        (self.is_stuck, self.crowd) = (false, None);
        self.blocks.slow_down(&mut self.bodies, dt);
        for min_distance in &*self.min_distances {
            min_distance.apply(&mut self.bodies, dt, PUSH_SPEED);
        }
        let checked = checked.filter(|_| self.min_distances.is_empty());
        let unknown = &self.bodies.states[..checked.unwrap_or(self.bodies.len())];
        if !unknown.iter().all(|body| body.stays_within_search(dt)) {
            let near = self.find_near(dt);
            self.set_solved_unless_crowded(near);
        }
        if self.is_free() || self.crowd.is_some() {
            self.solver.before.clear();
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
            let part = self.solver.reach(&self.bodies, &self.obstacles, left);
            let is_fast = number > 0 || part < left;
            self.solver.solve_part(&mut self.bodies, part, part / left, is_fast);
            left -= part;
            number += 1;
            if left > 0.0 {
                self.search_again(dt - left, left);
            }
        }
        self.solver.counterparts.world.integration_parameters.dt = dt;
    }

    /// Returns the name and the speed, m/s, of the fastest body that rapier moves, if the last step has needed too
    /// many parts.
    pub fn stuck(&self) -> Option<(&str, f64)> {
        let speed = |number: &usize| self.bodies[*number].state.speed();
        let fastest = self.solver.solved.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let number = fastest.filter(|_| self.is_stuck)?;
        Some((&self.bodies.infos[*number].name, speed(number)))
    }

    /// Adds the bodies that those which rapier moves can reach in the `left` seconds of a step because contacts have made them
    /// faster. `past`, s, is the time that rapier has made of this step.
    fn search_again(&mut self, past: f64, left: f64) {
        let mut solved = self.solver.solved.iter();
        if solved.all(|number| self.bodies[*number].stays_within_search(left)) {
            return;
        }
        let mut near = self.find_near(left);
        for (near, body) in near.iter_mut().zip(&mut self.bodies.states) {
            if *near && !body.solved {
                body.advance(past);
            }
            *near |= body.solved;
        }
        self.set_solved_unless_crowded(near);
    }

    /// Advances all bodies by one step.
    #[cfg(test)]
    pub fn step(&mut self) {
        self.step_solved(None);
        let dt = self.dt;
        for body in self.bodies.states.iter_mut().filter(|body| !body.solved) {
            super::body::RigidBody::advance(body, dt);
        }
    }
}
