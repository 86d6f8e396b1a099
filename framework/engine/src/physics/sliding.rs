//! Movable blocks: damping and friction on the ground.

use simhost_scene::{MassProperties as Mass, polygon};
use simhost_world::Block;

use super::body::{Body, BodyState, Movable};
use super::{BodySpec, Control, Physics, Surface, no_area};
use crate::error::BuildError;

/// A movable block and its friction on the ground.
pub(super) struct Sliding {
    pub body: Body,
    mass: f64,
    inertia: f64,
    /// Largest friction force, N, and the lever that gives the largest friction moment, m.
    grip: f64,
    lever: f64,
    damping: [f64; 2],
}

impl Sliding {
    /// Damping and Coulomb friction on the ground, which stop a block but do not push it.
    pub fn slow_down(&self, movable: &mut Movable, dt: f64) {
        let state = &mut movable.state;
        if state.velocity == [0.0, 0.0] && state.omega == 0.0 {
            return;
        }
        let velocity = state.velocity.map(|v| v / (1.0 + dt * self.damping[0]));
        let omega = state.omega / (1.0 + dt * self.damping[1]);
        let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
        let slower = (speed - self.grip / self.mass * dt).max(0.0);
        state.velocity =
            if speed > 0.0 { velocity.map(|v| v * (slower / speed)) } else { velocity };
        let slower = omega.abs() - self.grip * self.lever / self.inertia * dt;
        state.omega = slower.max(0.0).copysign(omega);
    }
}

impl Physics {
    /// Adds a block; the handle of one that moves comes back.
    pub fn add_block(
        &mut self,
        block: &Block,
        state: &BodyState,
        z: f64,
        gravity: f64,
        damping: [f64; 2],
    ) -> Result<Option<Body>, BuildError> {
        let name = format!("block '{}'", block.name);
        let degenerate = || no_area(&format!("block '{}'", block.name), block.span);
        if block.intangible {
            return Ok(None);
        }
        let span = [block.z_min, block.z_max];
        let surface = Surface { friction: block.lateral_friction, restitution: block.restitution };
        if block.is_static && block.animation.is_none() {
            let added =
                self.add_fixed(&name, state, &block.polygon, [span[0] + z, span[1] + z], surface);
            return if added { Ok(None) } else { Err(degenerate()) };
        }
        let mass = Mass::polygon(block.mass, &polygon::convex_hull(&block.polygon));
        let spec = BodySpec { name, mass, outline: &block.polygon, span, surface };
        if block.animation.is_some() {
            return self.add_driven(spec, state, z).map(Some).ok_or_else(degenerate);
        }
        let body = self.add_movable(spec, state, z, Control::Block).ok_or_else(degenerate)?;
        self.sliding.push(Sliding {
            body,
            mass: block.mass,
            inertia: mass.inertia_about_centre(),
            grip: block.ground_friction * block.mass * gravity,
            lever: polygon::bounding_radius(&block.polygon, mass.centre),
            damping,
        });
        Ok(Some(body))
    }
}
