//! Faults and fault memories in snapshots. A world without them adds no bytes.

use serde::{Deserialize, Serialize};
use simhost_world::FaultSeverity;

use super::schedule::ScheduleState;
use super::{Fault, FaultEntry, FaultMemory, FaultPlace, RobotFaults, next_change, set_present};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::sensors::Sensors;
use crate::table::Table;

/// An entry of a memory.
#[derive(Serialize, Deserialize)]
struct Entry {
    sensor: String,
    level: u32,
    code: u32,
    time: f64,
    text: String,
}

impl From<&FaultEntry> for Entry {
    fn from(entry: &FaultEntry) -> Self {
        let FaultEntry { sensor, severity, code, time, text } = entry.clone();
        Self { sensor, level: severity.level(), code, time, text }
    }
}

impl RobotFaults {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if it cannot be encoded.
    pub fn write(&self, sensors: &Sensors, to: &mut Writer) -> Result<(), SnapshotError> {
        // the log has no influence on the simulation; the next change follows from the faults
        let Self { faults, memories, next: _, log: _ } = self;
        if faults.is_empty() && memories.iter().all(FaultMemory::is_empty) {
            return Ok(());
        }
        for (id, fault) in faults.iter().enumerate() {
            let ScheduleState { next, is_onset, ends } = fault.schedule.state();
            to.put(&(next, is_onset, ends))?;
            if let Some(FaultPlace::Sensor(group, _)) = fault.place {
                to.put(&sensors.held_by_fault(group, id))?;
            }
        }
        let memories = memories.iter().map(|memory| memory.entries().map(Entry::from).collect());
        to.put(&memories.collect::<Vec<Vec<Entry>>>())
    }

    /// Reads the state of the same faults. The columns of the tables must have been read.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged.
    pub fn read(
        &mut self,
        tables: &mut [Table],
        sensors: &mut Sensors,
        from: &mut Reader<'_>,
    ) -> Result<(), DecodeError> {
        if from.is_at_end() {
            self.memories.iter_mut().for_each(FaultMemory::clear);
            return if self.faults.is_empty() {
                Ok(())
            } else {
                Err(DecodeError::damaged("the faults of the robots are missing"))
            };
        }
        for (id, Fault { schedule, place, .. }) in self.faults.iter_mut().enumerate() {
            let (next, is_onset, ends) = from.take()?;
            schedule.set_state(ScheduleState { next, is_onset, ends });
            match *place {
                Some(FaultPlace::Table(table)) => {
                    tables[table].port_faults.mark(id, schedule.is_present());
                }
                Some(FaultPlace::Sensor(group, lane)) => {
                    set_present(id, *place, schedule.is_present(), tables, sensors);
                    sensors.hold_by_fault((group, lane), id, from.take()?);
                }
                None => {}
            }
        }
        let memories = from.take::<Vec<Vec<Entry>>>()?;
        self.memories.resize(memories.len(), FaultMemory::default());
        for (memory, entries) in self.memories.iter_mut().zip(memories) {
            let mut list = std::collections::VecDeque::new();
            for Entry { sensor, level, code, time, text } in entries {
                let severity = FaultSeverity::ALL.into_iter().find(|one| one.level() == level);
                let severity = severity.ok_or_else(|| DecodeError::damaged("unknown severity"))?;
                list.push_back(FaultEntry { sensor, severity, code, time, text });
            }
            memory.replace(list);
        }
        self.next = next_change(&self.faults);
        Ok(())
    }
}
