//! Plans in snapshots. Animations follow from the time, actors keep their progress.

use simhost_scene::Pose3;

use super::{Plans, Walker};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

impl Plans {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a value cannot be encoded.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { walkers, animated: _ } = self;
        walkers.iter().try_for_each(|walker| walker.write(to))
    }

    /// Reads the state of the same plans.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.walkers.iter_mut().try_for_each(|walker| walker.read(from))
    }
}

impl Walker {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { pose, from, progress, next, pause, actor: _, body: _, outline: _ } = self;
        to.put(&(numbers(pose), numbers(from), progress, next, pause))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        let (at, began): ([f64; 6], [f64; 6]);
        (at, began, self.progress, self.next, self.pause) = from.take()?;
        (self.pose, self.from) = (pose(at), pose(began));
        Ok(())
    }
}

fn numbers(pose: &Pose3) -> [f64; 6] {
    let Pose3 { x, y, z, yaw, pitch, roll } = *pose;
    [x, y, z, yaw, pitch, roll]
}

fn pose([x, y, z, yaw, pitch, roll]: [f64; 6]) -> Pose3 {
    Pose3 { x, y, z, yaw, pitch, roll }
}
