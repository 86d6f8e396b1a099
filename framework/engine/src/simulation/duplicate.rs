//! Simulations in the state of another one.

use std::sync::Arc;

use super::Simulation;
use crate::encoding::SnapshotError;
use crate::model::MemoryCopies;

impl Simulation {
    /// Sets the seed of all random numbers that are drawn from the next step on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Returns a simulation in the same state, which continues as this one would, bit for bit. The two share what never
    /// changes: instances of models, walls, trees of the search for neighbours, terrain, meshes and images. An engine that
    /// casts rays remains with this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        let copies = &mut MemoryCopies::default();
        let tables = self.tables.iter().map(|table| table.duplicate(copies));
        Ok(Self {
            tables: tables.collect::<Result<_, _>>()?,
            places: self.places.clone(),
            names: Arc::clone(&self.names),
            physics: self.physics.duplicate()?,
            ground: self.ground.clone(),
            plans: self.plans.clone(),
            regions_at_zero: self.regions_at_zero,
            velocities_in_world: self.velocities_in_world,
            substeps: self.substeps,
            overlaps: self.overlaps.clone(),
            movers: self.movers.clone(),
            mover_names: Arc::clone(&self.mover_names),
            sensors: self.sensors.duplicate(copies)?,
            environments: self.environments.duplicate(copies)?,
            fleets: self.fleets.duplicate(copies)?,
            perception: self.perception.clone(),
            clock: self.clock,
            policy: self.policy,
            seed: self.seed,
            workers: self.workers.clone(),
            commands: self.commands.clone(),
            faults: self.faults.clone(),
            collisions: self.collisions.clone(),
            robot_faults: self.robot_faults.clone(),
            origin: Arc::clone(&self.origin),
            edits: self.edits.clone(),
            limits: self.limits,
            steps_at_once: 0,
        })
    }
}
