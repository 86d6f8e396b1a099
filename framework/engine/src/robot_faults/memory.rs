//! Fault memories.

use std::collections::VecDeque;

use simhost_world::{FaultSeverity, RobotFault};

/// Largest number of entries of a memory, and of the log of a simulation.
const CAPACITY: usize = 10_000;

/// An entry of a fault memory.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultEntry {
    /// Part of the vehicle that reports the fault, such as `brake`.
    pub sensor: String,
    /// Severity.
    pub severity: FaultSeverity,
    /// Number that identifies the fault among those of its part.
    pub code: u32,
    /// Simulated time of the onset, s.
    pub time: f64,
    /// Description, empty if there is none.
    pub text: String,
}

impl FaultEntry {
    /// Returns the entry of a fault without its time.
    pub(super) fn of(fault: &RobotFault) -> Self {
        Self {
            sensor: fault.sensor.clone(),
            severity: fault.severity,
            code: fault.code,
            time: 0.0,
            text: fault.text.clone(),
        }
    }
}

/// The past faults of a vehicle, in the order in which they were added. It holds the last 10,000.
#[derive(Clone, Debug, Default)]
pub struct FaultMemory {
    entries: VecDeque<FaultEntry>,
    /// Number of changes, which is not part of the state.
    changes: u64,
}

impl PartialEq for FaultMemory {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl FaultMemory {
    /// Creates an empty memory.
    pub const fn new() -> Self {
        Self { entries: VecDeque::new(), changes: 0 }
    }

    /// Returns all entries.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &FaultEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// Returns the entries of a sensor.
    pub fn of_sensor(&self, sensor: &str) -> impl Iterator<Item = &FaultEntry> {
        self.entries.iter().filter(move |entry| entry.sensor == sensor)
    }

    /// Returns the entries that are at least as severe as `least`.
    pub fn at_least(&self, least: FaultSeverity) -> impl Iterator<Item = &FaultEntry> {
        self.entries.iter().filter(move |entry| entry.severity.is_worse_than_or_equal(least))
    }

    /// Returns the greatest severity, or `None` for an empty memory.
    pub fn worst(&self) -> Option<FaultSeverity> {
        self.entries.iter().map(|entry| entry.severity).max()
    }

    /// Returns a number that changes whenever the entries change.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn push(&mut self, entry: FaultEntry) {
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
        self.changes += 1;
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.changes += 1;
    }

    /// Replaces all entries.
    pub(super) fn replace(&mut self, entries: VecDeque<FaultEntry>) {
        self.entries = entries;
        self.changes += 1;
    }
}

/// The last entries of all memories of a simulation, whether they have been cleared or not.
#[derive(Clone, Default)]
pub(crate) struct Log {
    /// Number of the first entry.
    first: u64,
    entries: VecDeque<(String, FaultEntry)>,
}

impl Log {
    /// Adds an entry of the vehicle of this name.
    pub fn push(&mut self, vehicle: &str, entry: &FaultEntry) {
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
            self.first += 1;
        }
        self.entries.push_back((vehicle.to_owned(), entry.clone()));
    }

    /// Returns the number that the next entry will have.
    pub fn count(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// Returns the names of vehicles and their entries from the one with the number `first` on.
    pub fn from(&self, first: u64) -> impl Iterator<Item = (&str, &FaultEntry)> {
        let skipped = first.saturating_sub(self.first) as usize;
        self.entries.iter().skip(skipped).map(|(vehicle, entry)| (vehicle.as_str(), entry))
    }
}
