//! What of the bodies goes into a snapshot: their states, and all of rapier's.
//!
//! rapier is taken down as a whole: contacts keep the impulses of the last step, joints too, islands sleep
//! and trees of boxes have a history, and each of these has a say in the next step.

use rapier2d_f64::prelude::*;

use super::Physics;
use super::body::Movable;
use super::heights::Heights;
use super::reach::Reach;
use crate::snapshot::{Reader, RestoreError, SnapshotError, Writer};

impl Physics {
    /// Takes the state down.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // what slides and what keeps ropes long never changes; `before` is looked at within a step
        let Self { world, bodies, reach, heights, sliding: _, spacers: _, before: _ } = self;
        bodies.iter().try_for_each(|movable| movable.write(to))?;
        reach.write(to)?;
        heights.write(to)?;
        to.put(world)
    }

    /// Takes the state of others that were made the same.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        self.bodies.iter_mut().try_for_each(|movable| movable.read(from))?;
        self.reach.read(from, self.bodies.len())?;
        self.heights.read(from)?;
        let world: PhysicsWorld = from.take()?;
        if !self.is_of_same_things(&world) {
            return Err(RestoreError::damaged("the bodies are others"));
        }
        self.world = world;
        self.before.clear();
        Ok(())
    }

    fn is_of_same_things(&self, world: &PhysicsWorld) -> bool {
        let own = &self.world;
        let sizes = |world: &PhysicsWorld| {
            (world.bodies.len(), world.colliders.len(), world.impulse_joints.len())
        };
        sizes(own) == sizes(world)
            && own.bodies.iter().all(|(handle, _)| world.bodies.contains(handle))
            && own.colliders.iter().all(|(handle, collider)| {
                let known = world.colliders.get(handle);
                known.is_some_and(|other| {
                    (other.user_data, other.parent()) == (collider.user_data, collider.parent())
                })
            })
    }
}

impl Movable {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            state,
            held,
            // what the world makes of it
            name: _,
            handle: _,
            collider: _,
            span: _,
            centre: _,
            radius: _,
            lightness: _,
            driven: _,
            always_held: _,
        } = self;
        to.put(&(state, held))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        (self.state, self.held) = from.take()?;
        Ok(())
    }
}

impl Reach {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // obstacles never move, and a tree of them says where they are
        let Self { sorted, obstacles: _, tree: _ } = self;
        to.put(sorted)
    }

    fn read(&mut self, from: &mut Reader<'_>, bodies: usize) -> Result<(), RestoreError> {
        let sorted: Vec<([f64; 2], f64)> = from.take()?;
        // none before the first sorting
        if ![0, bodies].contains(&sorted.len()) {
            return Err(RestoreError::damaged("circles of other bodies"));
        }
        self.sorted = sorted;
        Ok(())
    }
}

impl Heights {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { now, own: _, counts: _ } = self;
        to.put(now)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        from.fill(&mut self.now)
    }
}

#[cfg(test)]
mod tests;
