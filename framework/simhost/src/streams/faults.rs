//! Faults of models as diagnostics.

use simhost_engine::FaultReport;
use simhost_streams::{Stream, Trigger, types};
use simhost_world::FaultAction;

use super::draft::{Draft, Fill, Gate};

/// Level of an error in `DiagnosticStatus`.
const ERROR: f64 = 2.0;

/// Returns the stream of faults.
pub(super) fn stream() -> Draft {
    let labels = ["time", "phase", "code", "action", "plugin"].map(str::to_owned).to_vec();
    let stream = Stream {
        labels,
        trigger: Trigger::Event,
        ..Stream::new("faults", types::Diagnostics::TYPE.into())
    };
    Draft { gate: Gate::Count { passed: 0 }, ..Draft::new(stream, Fill::Faults) }
}

/// Appends faults: a level and eight texts each.
pub(super) fn read(faults: &[FaultReport], numbers: &mut Vec<f64>, texts: &mut Vec<String>) {
    for fault in faults {
        let action = match fault.action {
            FaultAction::Stop => "stop",
            FaultAction::Disable => "disable",
            FaultAction::Fallback => "fallback",
        };
        numbers.push(ERROR);
        texts.extend([
            fault.entity.clone(),
            fault.text.clone(),
            fault.class.clone(),
            fault.time.to_string(),
            fault.phase.clone(),
            fault.code.to_string(),
            action.to_owned(),
            fault.source.clone(),
        ]);
    }
}
