//! Blocks that fall where there is nothing below their centre of mass.

use super::{Ground, GroundSurface, ROUND_OFF};
use crate::physics::{Body, Physics};

/// Height of the ground above the origin of a block up to which it carries the block, m.
const CLIMB: f64 = 0.05;
/// Height above the ground from which a block falls instead of following the ground, m.
const GAP: f64 = 2e-3;

impl Ground {
    /// Advances the vertical motion of all movable blocks by `dt` seconds: ballistic flight, then an
    /// inelastic contact with the ground, a block or the top of a body below the centre of mass.
    pub fn drop_blocks(&mut self, physics: &mut Physics, gravity: f64, dt: f64) {
        if !self.bodies_fall {
            return;
        }
        for index in 0..physics.blocks.len() {
            let block = physics.blocks.falling(index, &physics.bodies, self.has_moved);
            let Some(block) = block else { continue };
            let support = self.support(block.body, block.centre, block.origin, physics);
            let (mut origin, mut falling) = (block.origin, block.falling);
            let gap = origin - support;
            if gap.abs() < ROUND_OFF && falling == 0.0 && !block.is_lifted {
                continue;
            }
            let fallen = dt * (falling + 0.5 * gravity * dt);
            // a floor that sinks takes the block along
            let is_lifted = gap > fallen.max(if falling == 0.0 { GAP } else { 0.0 });
            if is_lifted {
                origin -= fallen;
                falling += gravity * dt;
            } else {
                origin -= gap;
                falling = (gap / dt).clamp(0.0, falling + gravity * dt);
            }
            let body = physics.blocks.set_falling(index, falling, is_lifted);
            physics.bodies.set_height(body, origin);
        }
    }

    /// Returns the height of what carries a body at a point, m: the highest surface or top of another
    /// body that is not far above its origin.
    fn support(&self, body: Body, [x, y]: [f64; 2], origin: f64, physics: &Physics) -> f64 {
        let ceiling = origin + CLIMB;
        let own = |number: &u32| {
            let surface = &self.surfaces[*number as usize];
            matches!(surface, GroundSurface::Top { body: Some(top), .. } if *top == body)
        };
        let mut patch = self.near([x, y], 0.0);
        patch.numbers.retain(|number| !own(number));
        let height = patch.height(x, y, ceiling);
        if origin - height < GAP {
            return height;
        }
        patch.with_roofs(physics.bodies.roofs(body, ceiling)).height(x, y, ceiling)
    }
}
