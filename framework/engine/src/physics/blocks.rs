//! Blocks that contacts move.

use super::bodies::Bodies;
use super::body::Body;
use super::sliding::SlidingBlock;

/// Blocks that contacts move, in the order of their bodies.
#[derive(Clone, Default)]
pub(crate) struct MovableBlocks {
    pub(super) all: Vec<SlidingBlock>,
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

impl MovableBlocks {
    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Applies damping and ground friction to the bodies of all blocks.
    pub(super) fn slow_down(&self, bodies: &mut Bodies, dt: f64) {
        for block in &self.all {
            block.slow_down(&mut bodies[block.body.0], dt);
        }
    }

    /// Sets the gravity on which the friction of blocks depends, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        for block in &mut self.all {
            block.friction = block.grip * gravity;
        }
    }

    /// Returns a block, unless it keeps its height. A block at rest needs no look at the ground
    /// unless `has_moved` says that the ground has moved.
    pub fn falling(&self, index: usize, bodies: &Bodies, has_moved: bool) -> Option<FallingBlock> {
        let SlidingBlock { body, falling, is_lifted, keeps_height, .. } = self.all[index];
        let state = bodies.state(body);
        let rests = state.velocity == [0.0; 2] && state.omega == 0.0;
        if keeps_height || rests && !is_lifted && falling == 0.0 && !has_moved {
            return None;
        }
        let (centre, origin) = (bodies[body.0].centre(), bodies.origin_height(body));
        Some(FallingBlock { body, centre, origin, falling, is_lifted })
    }

    /// Sets the downward speed of a block, m/s, and whether it is in the air. Returns its body.
    pub fn set_falling(&mut self, index: usize, falling: f64, is_lifted: bool) -> Body {
        let block = &mut self.all[index];
        (block.falling, block.is_lifted) = (falling, is_lifted);
        block.body
    }

    /// Ends the fall of a body if it is a block.
    pub(super) fn stop(&mut self, body: Body) {
        if let Some(index) = self.find(body) {
            self.set_falling(index, 0.0, false);
        }
    }

    /// Gives the block of `body` the downward speed of the block of `old_body` in `old`, if both bodies are blocks.
    pub(super) fn copy(&mut self, body: Body, old: &Self, old_body: Body) {
        if let (Some(to), Some(from)) = (self.find(body), old.find(old_body)) {
            let SlidingBlock { falling, is_lifted, .. } = old.all[from];
            self.set_falling(to, falling, is_lifted);
        }
    }

    fn find(&self, body: Body) -> Option<usize> {
        self.all.binary_search_by_key(&body.0, |block| block.body.0).ok()
    }
}
