//! Memories in snapshots. State slots are columns, which are written with their store.

use simhost_abi::Fault;

use super::call::Call;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::LiveState;

impl Call {
    /// Writes the memories of all lanes.
    ///
    /// # Errors
    /// [`SnapshotError::Memory`] if the model fails to save one.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Some(memories) = self.memories() else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes = memories.save(lane).map_err(|fault| self.memory_error(lane, &fault))?;
            to.put(&bytes)?;
        }
        Ok(())
    }

    /// Returns the error for the memory of a lane that a model has failed to save.
    pub(super) fn memory_error(&self, lane: usize, fault: &Fault) -> SnapshotError {
        SnapshotError::Memory {
            entity: self.entity(lane).to_string(),
            class: self.class().full_name.to_string(),
            text: fault.message(),
        }
    }

    /// Reads the memories of all lanes.
    ///
    /// # Errors
    /// [`DecodeError::Memory`] if the model rejects one.
    pub fn read(&self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let Some(memories) = self.memories() else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes: Vec<u8> = from.take()?;
            memories.load(lane, self.schema(), &bytes).map_err(|fault| DecodeError::Memory {
                entity: self.entity(lane).to_string(),
                class: self.class().full_name.to_string(),
                text: fault.message(),
            })?;
        }
        Ok(())
    }
}

impl LiveState for Call {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        Self::write(self, to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        Self::read(self, from)
    }
}
