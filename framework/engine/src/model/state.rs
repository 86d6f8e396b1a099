//! What a model remembers beside its state slots, in a snapshot.

use super::Call;
use crate::snapshot::{Reader, RestoreError, SnapshotError, Writer};

impl Call {
    /// Takes down what its lanes remember.
    ///
    /// # Errors
    /// What the model says when it cannot save it.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Some(memories) = &self.memories else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes = memories.save(lane).map_err(|text| SnapshotError::Memory {
                entity: self.entity(lane).to_owned(),
                class: self.class().full_name.to_string(),
                text,
            })?;
            to.put(&bytes)?;
        }
        Ok(())
    }

    /// Gives its lanes what was taken down.
    ///
    /// # Errors
    /// What the model says of it.
    pub fn read(&self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        let Some(memories) = &self.memories else { return Ok(()) };
        for lane in 0..memories.lanes() {
            let bytes: Vec<u8> = from.take()?;
            memories.load(lane, self.schema(), &bytes).map_err(|text| RestoreError::Memory {
                entity: self.entity(lane).to_owned(),
                class: self.class().full_name.to_string(),
                text,
            })?;
        }
        Ok(())
    }
}
