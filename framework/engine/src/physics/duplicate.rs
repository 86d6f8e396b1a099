//! Copies of a world of bodies.

use std::sync::Arc;

use super::world::Physics;
use crate::encoding::SnapshotError;

impl Physics {
    /// Returns the same bodies in the same state. The two share obstacles and constants.
    ///
    /// # Errors
    /// [`SnapshotError`] if a joint cannot be encoded.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        let solver = self.solver.duplicate(&self.bodies, self.dt)?;
        Ok(Self {
            blocks: self.blocks.clone(),
            obstacles: Arc::clone(&self.obstacles),
            min_distances: Arc::clone(&self.min_distances),
            ..Self::assemble(self.dt, self.bodies.clone(), solver)
        })
    }
}
