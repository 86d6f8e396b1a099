//! Fault memories of vehicles as diagnostics.

use simhost_engine::{FaultEntry, FaultMemory};
use simhost_streams::{Stream, Trigger, types};
use simhost_world::FaultSeverity;

use super::draft::{Draft, Fill, Gate};

/// Largest number of entries of a sample.
const MOST: usize = 100;

/// Returns the stream of the fault memory of a vehicle.
pub(super) fn stream(vehicle: &str, number: usize) -> Draft {
    let labels = ["severity", "level", "code", "time"].map(str::to_owned).to_vec();
    let name = format!("{vehicle}/robot_faults");
    let stream = Stream {
        labels,
        trigger: Trigger::Event,
        ..Stream::new(name, types::Diagnostics::TYPE.into())
    };
    let gate = Gate::Memory { vehicle: number, passed: None };
    Draft { gate, ..Draft::new(stream, Fill::FaultMemory(number)) }
}

/// Returns the level of `DiagnosticStatus` for a severity: 0 normal, 1 warning, 2 error.
const fn level(severity: FaultSeverity) -> f64 {
    match severity {
        FaultSeverity::Ok => 0.0,
        FaultSeverity::ServiceRequired | FaultSeverity::Damaged => 1.0,
        FaultSeverity::Critical | FaultSeverity::Failure => 2.0,
    }
}

/// Appends the last entries of a memory: a level and seven texts each.
pub(super) fn read(
    vehicle: &str,
    memory: &FaultMemory,
    numbers: &mut Vec<f64>,
    texts: &mut Vec<String>,
) {
    for entry in memory.entries().skip(memory.len().saturating_sub(MOST)) {
        let FaultEntry { sensor, severity, code, time, text } = entry;
        numbers.push(level(*severity));
        let name = severity.name();
        texts.extend([
            format!("{vehicle}/{sensor}"),
            if text.is_empty() { name.to_owned() } else { text.clone() },
            vehicle.to_owned(),
            name.to_owned(),
            severity.level().to_string(),
            code.to_string(),
            time.to_string(),
        ]);
    }
}
