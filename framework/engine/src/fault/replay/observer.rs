//! Replay of a faulted call of an observer.

use std::sync::Arc;

use simhost_abi::{end_reason, fault_code};
use simhost_model::{Beginning, Instant, ObservedQuantity, Observer, ObserverRun};
use simhost_world::ModelUse;

use super::outcome::{ReplayError, Replayed};
use crate::fault::evidence::{Evidence, EvidenceValue};
use crate::model::create;
use crate::readings::Units;

/// A run of an observer that begins with the sample of the fault. What the observer had kept of earlier
/// samples is not known.
pub(super) struct ObserverReplay {
    run: ObserverRun,
    /// Whether the end of the run is repeated, not a sample.
    is_end: bool,
    values: Vec<f64>,
    time: f64,
    dt: f64,
    /// Number of repeated calls.
    calls: u64,
}

impl ObserverReplay {
    /// Creates the observer and begins a run without a folder for files.
    pub fn new(evidence: &Evidence, wanted: &ModelUse) -> Result<Self, ReplayError> {
        let rejected = |text: String| ReplayError::Rejected(text);
        let instance = create(wanted).map_err(|error| rejected(error.to_string()))?;
        let observer = Observer::new(instance, &evidence.entity).map_err(rejected)?;
        let quantities: Vec<ObservedQuantity> = evidence.inputs.iter().map(observed).collect();
        let run = Arc::clone(&observer).start(&Beginning {
            quantities: &quantities,
            name: "replay",
            folder: "",
            time: evidence.time,
            dt: evidence.dt,
            period: 0.0,
            seed: 0,
        });
        let run = run.map_err(|fault| rejected(fault.message()))?;
        let values = evidence.inputs.iter().flat_map(|input| input.values.iter().copied());
        let (values, is_end) = (values.collect(), evidence.phase == "end");
        Ok(Self { run, is_end, values, time: evidence.time, dt: evidence.dt, calls: 0 })
    }

    /// Returns the time of the sample, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Repeats the call.
    pub fn step(&mut self) -> Replayed {
        let step = (self.time / self.dt).round() as u64 + self.calls;
        let time = self.time + self.calls as f64 * self.dt;
        self.calls += 1;
        let at = Instant { step, time, values: &self.values };
        let fault = match self.is_end {
            true => self.run.end(end_reason::DURATION, "", &at).1,
            false => self.run.step(&at).err(),
        };
        let fault = fault.map(|fault| (fault.code, fault.message()));
        let fault = fault.unwrap_or((fault_code::NONE, String::new()));
        Replayed { fault, outputs: Vec::new(), states: Vec::new() }
    }
}

/// Returns the quantity of an input of evidence.
fn observed(input: &EvidenceValue) -> ObservedQuantity {
    let several =
        [Units::Pose, Units::Twist].into_iter().find(|units| units.to_string() == input.unit);
    let unit = |index: usize| match several {
        Some(units) => units.of(index).into(),
        None => input.unit.clone().into(),
    };
    ObservedQuantity {
        name: input.name.clone(),
        units: (0..input.values.len()).map(unit).collect(),
    }
}
