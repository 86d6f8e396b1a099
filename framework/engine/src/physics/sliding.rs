//! Damping and ground friction of movable blocks.

use super::body::{Body, RigidBody};

/// A movable block and its friction on the ground.
#[derive(Clone)]
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
