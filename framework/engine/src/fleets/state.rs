//! Fleets in snapshots. Columns are written as a whole.

use super::{Fleet, Fleets};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

impl Fleets {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.0.iter().try_for_each(|fleet| fleet.write(to))
    }

    /// Reads the state of the same fleets.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.0.iter_mut().try_for_each(|fleet| fleet.read(from))
    }
}

impl Fleet {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            call,
            columns,
            disabled,
            // determined by the world file
            name: _,
            vehicles: _,
            names: _,
            parts: _,
            enabled: _,
            // used within a call
            streams: _,
            before: _,
        } = self;
        columns.write(to)?;
        to.put(disabled)?;
        call.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.columns.read(from)?;
        self.disabled = from.take()?;
        self.call.read(from)
    }
}
