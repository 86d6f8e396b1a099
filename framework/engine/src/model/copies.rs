//! Memories of a simulation that is duplicated.

use std::sync::Arc;

use simhost_model::Memories;

use super::call::Call;
use crate::encoding::SnapshotError;

/// Copies of memories. The phases of a model share its memories, and so do their copies.
#[derive(Default)]
pub(crate) struct MemoryCopies(Vec<(Arc<Memories>, Arc<Memories>)>);

impl MemoryCopies {
    /// Returns the copies of the memories of a call.
    ///
    /// # Errors
    /// [`SnapshotError::Memory`] if the model fails to save one.
    pub(super) fn of(
        &mut self,
        memories: &Arc<Memories>,
        call: &Call,
    ) -> Result<Arc<Memories>, SnapshotError> {
        if let Some((_, known)) = self.0.iter().find(|(from, _)| Arc::ptr_eq(from, memories)) {
            return Ok(Arc::clone(known));
        }
        let copies =
            memories.duplicate().map_err(|(lane, fault)| call.memory_error(lane, &fault))?;
        self.0.push((Arc::clone(memories), Arc::clone(&copies)));
        Ok(copies)
    }
}
