//! Damping and ground friction of movable blocks.

use super::body::{Body, RigidBody};
use super::world::Physics;

/// A movable block and its friction on the ground.
pub(super) struct SlidingBlock {
    /// Body of the block.
    pub body: Body,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg·m².
    pub inertia: f64,
    /// Mass times friction coefficient, kg.
    pub grip: f64,
    /// Greatest friction force, N.
    pub friction: f64,
    /// Lever of the greatest friction moment, m.
    pub lever: f64,
    /// Linear and angular damping, 1/s.
    pub damping: [f64; 2],
    /// Whether the block keeps its height, whatever is below it.
    pub keeps_height: bool,
    /// Downward speed, m/s.
    pub falling: f64,
    /// Whether the block is in the air, where no friction acts.
    pub is_lifted: bool,
}

impl SlidingBlock {
    /// Applies damping and Coulomb friction on the ground, which can stop a block but not push it.
    pub fn slow_down(&self, body: &mut RigidBody, dt: f64) {
        let state = &mut body.state;
        if state.velocity == [0.0, 0.0] && state.omega == 0.0 {
            return;
        }
        let velocity = state.velocity.map(|v| v / (1.0 + dt * self.damping[0]));
        let omega = state.omega / (1.0 + dt * self.damping[1]);
        let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
        let friction = if self.is_lifted { 0.0 } else { self.friction };
        let slower = (speed - friction / self.mass * dt).max(0.0);
        state.velocity =
            if speed > 0.0 { velocity.map(|v| v * (slower / speed)) } else { velocity };
        let slower = omega.abs() - friction * self.lever / self.inertia * dt;
        state.omega = slower.max(0.0).copysign(omega);
    }
}

/// A block whose support has to be looked up.
pub(crate) struct FallingBlock {
    /// Body of the block.
    pub body: Body,
    /// Centre of mass, world frame, m.
    pub centre: [f64; 2],
    /// Height of the origin, which stands on the ground, m.
    pub origin: f64,
    /// Downward speed, m/s.
    pub falling: f64,
    /// Whether the block is in the air.
    pub is_lifted: bool,
}

impl Physics {
    /// Sets the gravity on which the friction of blocks depends, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        for block in &mut self.sliding {
            block.friction = block.grip * gravity;
        }
    }

    /// Returns the number of movable blocks.
    pub fn sliding_count(&self) -> usize {
        self.sliding.len()
    }

    /// Returns a movable block, unless it keeps its height. A block at rest needs no look at the ground
    /// unless `has_moved` says that the ground has moved.
    pub fn falling_block(&self, index: usize, has_moved: bool) -> Option<FallingBlock> {
        let block = &self.sliding[index];
        let body = &self.bodies[block.body.0];
        let rests = body.state.velocity == [0.0; 2] && body.state.omega == 0.0;
        if block.keeps_height || rests && !block.is_lifted && block.falling == 0.0 && !has_moved {
            return None;
        }
        let origin = self.origin_height(block.body);
        let SlidingBlock { body, falling, is_lifted, .. } = *block;
        let centre = self.bodies[body.0].centre();
        Some(FallingBlock { body, centre, origin, falling, is_lifted })
    }

    /// Sets the height of the origin of a movable block, m, its downward speed, m/s, and whether it is in
    /// the air.
    pub fn drop_block(&mut self, index: usize, origin: f64, falling: f64, is_lifted: bool) {
        let block = &mut self.sliding[index];
        (block.falling, block.is_lifted) = (falling, is_lifted);
        let body = block.body;
        self.set_height(body, origin);
    }
}
