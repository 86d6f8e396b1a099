//! Blocks as bodies and obstacles.

use simhost_scene::{MassProperties as Mass, polygon};
use simhost_world::Block;

use super::body::{Body, BodyState, Motion, Surface};
use super::error::{BodyError, no_area};
use super::sliding::SlidingBlock;
use super::world::{BodySpec, Physics};

impl Physics {
    /// Adds a block with its origin at height `z`, m, and damping in 1/s. Returns its body if it can
    /// move.
    ///
    /// # Errors
    /// [`BodyError`] if the outline of the block has no area.
    pub fn add_block(
        &mut self,
        block: &Block,
        state: &BodyState,
        z: f64,
        gravity: f64,
        damping: [f64; 2],
    ) -> Result<Option<Body>, BodyError> {
        let name = format!("block '{}'", block.name);
        let degenerate = || no_area(&format!("block '{}'", block.name), block.span);
        if block.intangible {
            return Ok(None);
        }
        let span = [block.z_min, block.z_max];
        let surface = Surface { friction: block.lateral_friction, restitution: block.restitution };
        if block.is_static && block.animation.is_none() {
            let span = [span[0] + z, span[1] + z];
            let added = self.add_fixed(&name, state, &block.polygon, span, surface);
            return if added { Ok(None) } else { Err(degenerate()) };
        }
        let mass = Mass::polygon(block.mass, &polygon::convex_hull(&block.polygon));
        let spec = BodySpec { name, mass, outline: &block.polygon, span, surface };
        if block.animation.is_some() {
            return self.add_kinematic(spec, state, z).map(Some).ok_or_else(degenerate);
        }
        let body = self.add_moving(spec, state, z, Motion::Block).ok_or_else(degenerate)?;
        self.sliding.push(SlidingBlock {
            body,
            mass: block.mass,
            inertia: mass.inertia_about_centre(),
            grip: block.ground_friction * block.mass,
            friction: block.ground_friction * block.mass * gravity,
            lever: polygon::bounding_radius(&block.polygon, mass.centre),
            damping,
            keeps_height: block.skip_elevation_adjust,
            falling: 0.0,
            is_lifted: false,
        });
        Ok(Some(body))
    }
}
