//! The state of a group of sensors: what their models remember.
//!
//! Readings are results, not state: the next sample replaces them. Those of sensors that a model reads, or
//! on which faults act, have an influence until then and are kept.

use super::super::constants::Member;
use super::super::kept::SampleProgress;
use super::SensorGroup;
use crate::columns::Column;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::live_state::{LiveState, live_state};
use crate::result_hash::Items;

impl SensorGroup {
    /// Adds the model state of a sensor, and what it has read from others, to the items of a result hash.
    pub fn add_results(&self, lane: usize, label: &str, items: &mut Items) {
        items.add_states(&format!("{label}/state"), &self.read, &self.columns, lane);
        self.reads.add_results(&self.columns, lane, |_| label.to_owned(), items);
    }

    /// Returns the columns that belong to the state.
    fn state_columns(&self) -> Vec<Column> {
        let mut columns = self.read.states().to_vec();
        if self.keeps_readings() {
            columns.extend(self.read.outputs());
        }
        columns.extend(self.reads.columns());
        columns
    }

    /// Returns the columns that a member of an ensemble keeps: the states, then the readings, then what the
    /// sensors have read from others.
    pub fn kept_columns(&self) -> impl Iterator<Item = Column> {
        self.read.states().iter().chain(self.read.outputs()).copied().chain(self.reads.columns())
    }

    /// Returns how far the group is.
    pub fn progress(&self) -> SampleProgress {
        let Self { samples, fresh, has_readings, had_readings, .. } = *self;
        SampleProgress { samples, fresh, has_readings, had_readings }
    }

    /// Returns to a progress of the same group.
    pub fn set_progress(&mut self, progress: SampleProgress) {
        let SampleProgress { samples, fresh, has_readings, had_readings } = progress;
        (self.samples, self.fresh) = (samples, fresh);
        (self.has_readings, self.had_readings) = (has_readings, had_readings);
    }

    /// Writes the memories of the model, and the samples that have not arrived.
    ///
    /// # Errors
    /// [`SnapshotError`] if the model fails to save a memory.
    pub fn save_memory(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.deliveries.iter().try_for_each(|delivery| to.put(&delivery.late))?;
        self.read.write(to)
    }

    /// Reads what [`Self::save_memory`] has written.
    ///
    /// # Errors
    /// [`DecodeError`] if the model rejects a memory.
    pub fn load_memory(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        for delivery in &mut self.deliveries {
            delivery.late = from.take()?;
        }
        self.read.read(from)
    }

    /// Returns whether something reads the readings after the step of their sample.
    pub fn keeps_readings(&self) -> bool {
        !self.deliveries.is_empty() || !self.effects.is_empty()
    }
}

impl LiveState for SensorGroup {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            read,
            columns,
            members,
            samples,
            has_readings,
            // results of the last step
            fresh: _,
            had_readings: _,
            // shares states and memories with `read`
            aim: _,
            // rays are cast again in each sample
            spatial: _,
            // follow from the number of samples and the vehicles
            streams: _,
            stands: _,
            // taken after each sample
            faults: _,
            // the faults of the world know which are present, and write what they hold
            effects: _,
            deliveries,
            // its columns are part of the state
            reads: _,
            // determined by the world file
            inputs: _,
            level: _,
            latency: _,
            fan: _,
            rays: _,
            before: _,
            period: _,
        } = self;
        for column in self.state_columns() {
            to.put(columns.get(column))?;
        }
        to.put(samples)?;
        if self.is_late() {
            deliveries.iter().try_for_each(|delivery| to.put(&delivery.late))?;
        }
        if self.keeps_readings() {
            to.put(has_readings)?;
        }
        members.write(to)?;
        read.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        for column in self.state_columns() {
            let mut values = self.columns.get(column).to_vec();
            from.fill(&mut values)?;
            self.columns.get_mut(column).copy_from_slice(&values);
        }
        self.samples = from.take()?;
        if self.is_late() {
            for delivery in &mut self.deliveries {
                delivery.late = from.take()?;
            }
        }
        self.has_readings = if self.keeps_readings() { from.take()? } else { false };
        self.fresh = false;
        self.members.read(from)?;
        self.read.read(from)
    }
}

live_state! {
    Member { state { disabled } world { sensor, vehicle, host, wheels, sources, published } }
}
