//! Blocks as bodies and obstacles.

use simhost_scene::{MassProperties as Mass, polygon};
use simhost_world::Block;

use super::body::{Body, BodyMotion, BodyState, Surface};
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
        let body = self.add_moving(spec, state, z, BodyMotion::Block).ok_or_else(degenerate)?;
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
