//! The vehicles of the runs of a report.

use crate::signals::{NamedRun, Signal};

/// A vehicle of a run.
pub struct Entry<'a> {
    /// Index of the run.
    pub run: usize,
    /// The run.
    pub named: &'a NamedRun,
    /// Name of the vehicle.
    pub vehicle: &'a str,
    /// Name in the report, which no other vehicle of the runs has.
    pub label: String,
    /// Number of its colour: the colour of the run if there are several, and otherwise its own.
    pub colour: usize,
}

/// Returns the vehicles of all runs, run by run.
pub fn entries(runs: &[NamedRun]) -> Vec<Entry<'_>> {
    let are_alone = runs.iter().all(|named| named.run.vehicles.len() < 2);
    let mut entries = Vec::new();
    for (run, named) in runs.iter().enumerate() {
        for (number, vehicle) in named.run.vehicles.iter().enumerate() {
            let label = match (runs.len() > 1, are_alone) {
                (false, _) => vehicle.clone(),
                (true, true) => named.name.clone(),
                (true, false) => format!("{} {vehicle}", named.name),
            };
            let colour = if runs.len() > 1 { run } else { number };
            entries.push(Entry { run, named, vehicle, label, colour });
        }
    }
    entries
}

/// Returns the index of the vehicle of a signal.
pub fn entry_of(entries: &[Entry<'_>], signal: &Signal) -> Option<usize> {
    find(entries, signal.run, &signal.entity)
}

/// Returns the index of a vehicle of a run.
pub fn find(entries: &[Entry<'_>], run: usize, vehicle: &str) -> Option<usize> {
    entries.iter().position(|entry| entry.run == run && entry.vehicle == vehicle)
}
