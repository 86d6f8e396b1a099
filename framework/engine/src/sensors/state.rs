//! Sensors in snapshots.

use super::Sensors;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

impl Sensors {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // the scene is updated before each sample, and an engine learns it again
        let Self { groups, infos: _, places: _, scene: _, acceleration: _ } = self;
        groups.iter().try_for_each(|group| group.write(to))
    }

    /// Reads the state of the same sensors.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.groups.iter_mut().try_for_each(|group| group.read_state(from))
    }
}
