//! Bodies in snapshots.
//!
//! rapier's world is written as a whole: contacts and joints keep the impulses of the last step,
//! islands sleep, and bounding volume trees have a history. All of these influence the next step.

use rapier2d_f64::prelude::*;

use super::body::RigidBody;
use super::height_filter::HeightFilter;
use super::neighbours::Neighbours;
use super::world::Physics;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

impl Physics {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a value cannot be encoded.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // `sliding` and `min_distances` are constant, `before` is used within a step
        let Self { world, bodies, neighbours, heights, sliding: _, min_distances: _, before: _ } =
            self;
        bodies.iter().try_for_each(|body| body.write(to))?;
        neighbours.write(to)?;
        heights.write(to)?;
        to.put(world)
    }

    /// Reads the state of a world that was built from the same description.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or describe other bodies.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.bodies.iter_mut().try_for_each(|body| body.read(from))?;
        self.neighbours.read(from, self.bodies.len())?;
        self.heights.read(from)?;
        let world: PhysicsWorld = from.take()?;
        if !self.has_same_bodies(&world) {
            return Err(DecodeError::damaged("the bodies differ"));
        }
        self.world = world;
        self.before.clear();
        Ok(())
    }

    fn has_same_bodies(&self, world: &PhysicsWorld) -> bool {
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

impl RigidBody {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            state,
            solved,
            // determined by the world file
            name: _,
            handle: _,
            collider: _,
            span: _,
            centre: _,
            radius: _,
            inverse_mass: _,
            kinematic: _,
            always_solved: _,
        } = self;
        to.put(&(state, solved))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        (self.state, self.solved) = from.take()?;
        Ok(())
    }
}

impl Neighbours {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // obstacles never move, and the tree follows from them
        let Self { searched, obstacles: _, tree: _ } = self;
        to.put(searched)
    }

    fn read(&mut self, from: &mut Reader<'_>, bodies: usize) -> Result<(), DecodeError> {
        let searched: Vec<([f64; 2], f64)> = from.take()?;
        // empty before the first search
        if ![0, bodies].contains(&searched.len()) {
            return Err(DecodeError::damaged("the neighbour lists are of other bodies"));
        }
        self.searched = searched;
        Ok(())
    }
}

impl HeightFilter {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { now, own: _, enabled: _ } = self;
        to.put(now)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        from.fill(&mut self.now)
    }
}

#[cfg(test)]
mod tests;
