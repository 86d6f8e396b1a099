//! Memories of a simulation that is duplicated.

use std::sync::Arc;

use simhost_abi::Fault;
use simhost_model::Memories;

use crate::encoding::SnapshotError;

/// Copies of memories. The phases of a model share its memories, and so do their copies.
#[derive(Default)]
pub(crate) struct MemoryCopies(Vec<(Arc<Memories>, Arc<Memories>)>);

impl MemoryCopies {
    /// Returns the copies of the memories of a call.
    ///
    /// # Errors
    /// That of `fail` for the first lane whose memory the model fails to save or to load again, and its fault.
    pub(super) fn of(
        &mut self,
        memories: &Arc<Memories>,
        fail: impl FnOnce(usize, &Fault) -> SnapshotError,
    ) -> Result<Arc<Memories>, SnapshotError> {
        if let Some((_, known)) = self.0.iter().find(|(from, _)| Arc::ptr_eq(from, memories)) {
            return Ok(Arc::clone(known));
        }
        let copies = memories.duplicate().map_err(|(lane, fault)| fail(lane, &fault))?;
        self.0.push((Arc::clone(memories), Arc::clone(&copies)));
        Ok(copies)
    }
}
