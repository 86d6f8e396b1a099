//! Memories of a simulation that is duplicated.

use std::sync::Arc;

use simhost_abi::Fault;
use simhost_model::Memories;

/// Copies of memories. The phases of a model share its memories, and so do their copies.
#[derive(Default)]
pub(crate) struct MemoryCopies(Vec<(Arc<Memories>, Arc<Memories>)>);

impl MemoryCopies {
    /// Returns the copies of the memories of a call.
    ///
    /// # Errors
    /// The first lane whose memory the model fails to save or to load again, and its fault.
    pub(super) fn of(&mut self, memories: &Arc<Memories>) -> Result<Arc<Memories>, (usize, Fault)> {
        if let Some((_, known)) = self.0.iter().find(|(from, _)| Arc::ptr_eq(from, memories)) {
            return Ok(Arc::clone(known));
        }
        let copies = memories.duplicate()?;
        self.0.push((Arc::clone(memories), Arc::clone(&copies)));
        Ok(copies)
    }
}
