//! Live state: the values that change after the build, which snapshots hold and state hashes cover.
//!
//! A type lists its fields once, with [`live_state!`]. From the list follow writing and reading; a field that is missing
//! does not compile. Everything else about a state builds on these two: a snapshot is the written state, the state hash is
//! its hash, and a restored simulation reads it. A copy of a simulation clones the same fields, and shares what the world
//! file determines.

use simhost_scene::Pose3;

use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

/// State that snapshots hold.
pub(crate) trait LiveState {
    /// Appends the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory or a value cannot be encoded.
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError>;

    /// Reads what [`Self::write`] has appended, for a value that was built from the same description.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError>;
}

/// Implements [`LiveState`] for a struct. Every field is in one of the lists:
///
/// * `state`: live state, in the order in which it is written;
/// * `world`: determined by the world file;
/// * `step`: used within a step, or follows from the rest of the state in each step;
/// * `report`: only reported, without influence on the simulation.
macro_rules! live_state {
    ($type:ty {
        state { $($state:ident),* $(,)? }
        $(world { $($world:ident),* $(,)? })?
        $(step { $($step:ident),* $(,)? })?
        $(report { $($report:ident),* $(,)? })?
    } $(after read $after:expr)?) => {
        impl $crate::live_state::LiveState for $type {
            fn write(
                &self,
                to: &mut $crate::encoding::Writer,
            ) -> Result<(), $crate::encoding::SnapshotError> {
                let Self { $($state,)* $($($world: _,)*)? $($($step: _,)*)? $($($report: _,)*)? } = self;
                $($crate::live_state::LiveState::write($state, to)?;)*
                Ok(())
            }

            fn read(
                &mut self,
                from: &mut $crate::encoding::Reader<'_>,
            ) -> Result<(), $crate::encoding::DecodeError> {
                $($crate::live_state::LiveState::read(&mut self.$state, from)?;)*
                $(let after: fn(&mut Self) = $after; after(self);)?
                Ok(())
            }
        }
    };
}
pub(crate) use live_state;

/// Implements [`LiveState`] for numbers that postcard encodes.
macro_rules! live_values {
    ($($type:ty),*) => {$(
        impl LiveState for $type {
            fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
                to.put_short(self)
            }

            fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
                *self = from.take()?;
                Ok(())
            }
        }
    )*};
}

live_values!(bool, u32, u64, usize);

impl LiveState for f64 {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        to.bytes.extend_from_slice(&self.to_le_bytes());
        Ok(())
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        *self = from.take_number()?;
        Ok(())
    }
}

impl<T: LiveState, const N: usize> LiveState for [T; N] {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.iter().try_for_each(|one| one.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.iter_mut().try_for_each(|one| one.read(from))
    }
}

/// A list whose length the world file determines, and which is not written.
impl<T: LiveState> LiveState for Vec<T> {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.iter().try_for_each(|one| one.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.iter_mut().try_for_each(|one| one.read(from))
    }
}

impl LiveState for Pose3 {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { x, y, z, yaw, pitch, roll } = *self;
        [x, y, z, yaw, pitch, roll].write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let Self { x, y, z, yaw, pitch, roll } = self;
        [x, y, z, yaw, pitch, roll].into_iter().try_for_each(|number| number.read(from))
    }
}
