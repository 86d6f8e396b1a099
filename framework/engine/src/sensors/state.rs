//! What of sensors goes into a snapshot. Columns go as a whole.

use super::{Group, Member, Sensors};
use crate::model::Call;
use crate::snapshot::{Reader, RestoreError, SnapshotError, Writer};

impl Sensors {
    /// The calls of the models, one a model; others of a model share what it remembers.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.groups.iter().map(|group| &group.call_read)
    }

    /// Takes the state down.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // the scene is built anew for each sample
        let Self { groups, infos: _, scene: _, obstacles: _, outlines: _ } = self;
        groups.iter().try_for_each(|group| group.write(to))
    }

    /// Takes the state of the same sensors.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        self.groups.iter_mut().try_for_each(|group| group.read(from))
    }
}

impl Group {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            call_read,
            columns,
            members,
            samples,
            fresh,
            // shares what it remembers
            call_aim: _,
            // follow from the columns and from the number of samples
            rows: _,
            streams: _,
            // what the world makes of it
            inputs: _,
            origin: _,
            max_range: _,
            see_bodies: _,
            angle: _,
            range: _,
            outputs: _,
            rays: _,
            period: _,
        } = self;
        columns.write(to)?;
        to.put(&(samples, fresh))?;
        for Member { disabled, sensor: _, vehicle: _, host: _ } in members {
            to.put(disabled)?;
        }
        call_read.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), RestoreError> {
        self.columns.read(from)?;
        (self.samples, self.fresh) = from.take()?;
        for member in &mut self.members {
            member.disabled = from.take()?;
        }
        self.call_read.read(from)?;
        if self.fresh {
            self.collect_rows();
        }
        Ok(())
    }
}
