//! Copies of bodies and obstacles, with or without the world of rapier.

use rapier2d_f64::prelude::*;

use super::counterpart::{Counterparts, empty_world};
use super::dispatcher::Dispatcher;
use super::groups::{Connections, Separation};
use super::world::Physics;
use crate::encoding::{Reader, SnapshotError, Writer};

impl Physics {
    /// Returns bodies and obstacles in the same state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a joint cannot be encoded.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        let copy = Self { solved: self.solved.clone(), ..self.without_encounter() };
        if !self.counterparts.exist && self.min_distances.is_empty() && self.sliding.is_empty() {
            return Ok(copy);
        }
        let mut copy = Self {
            part_dt: self.part_dt,
            world: copy_of(&self.world, self.dt)?,
            counterparts: self.counterparts.clone(),
            sliding: self.sliding.clone(),
            min_distances: self.min_distances.clone(),
            neighbours: self.neighbours.duplicate(self.neighbours.handles.clone()),
            ..copy
        };
        if copy.counterparts.exist {
            copy.expect_counterparts();
        }
        Ok(copy)
    }

    /// Returns the same bodies and obstacles for another encounter. There must be no joints, and no bodies that rapier always
    /// moves.
    pub fn without_encounter(&self) -> Self {
        let none = vec![RigidBodyHandle::invalid(); self.neighbours.handles.len()];
        Self {
            dt: self.dt,
            part_dt: self.dt,
            world: empty_world(self.dt),
            counterparts: Counterparts {
                originals: self.counterparts.originals.clone(),
                ..Counterparts::default()
            },
            bodies: self.bodies.clone(),
            infos: self.infos.clone(),
            thinnest: self.thinnest,
            last_shape: None,
            sliding: Vec::new(),
            min_distances: Vec::new(),
            neighbours: self.neighbours.duplicate(none),
            heights: self.heights.clone(),
            solved: Vec::new(),
            before: Vec::new(),
            yielded: Vec::new(),
            connections: Connections::default(),
            separation: Separation::default(),
            elastic: self.elastic,
            is_stuck: false,
            crowd: None,
        }
    }
}

/// Returns a copy of rapier's world.
///
/// # Errors
/// [`SnapshotError`] if a joint cannot be encoded.
fn copy_of(world: &PhysicsWorld, dt: f64) -> Result<PhysicsWorld, SnapshotError> {
    if !world.impulse_joints.is_empty() {
        // rapier offers no other copy of joints
        let mut to = Writer::default();
        to.put(world)?;
        let copy = Reader::new(&to.bytes).take();
        let mut copy: PhysicsWorld =
            copy.map_err(|_| SnapshotError::encoding("the joints cannot be copied"))?;
        copy.narrow_phase.set_query_dispatcher(Dispatcher);
        return Ok(copy);
    }
    let mut copy = empty_world(dt);
    copy.integration_parameters = world.integration_parameters;
    copy.islands = world.islands.clone();
    copy.broad_phase = world.broad_phase.clone();
    copy.narrow_phase = world.narrow_phase.clone();
    copy.bodies = world.bodies.clone();
    copy.colliders = world.colliders.clone();
    Ok(copy)
}
