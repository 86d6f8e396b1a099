//! Runs that end early, and faults of models with the evidence from which they are repeated.

use serde_json::Value;
use simhost::StepError;
use simhost_engine::{FaultReport, Replay, Replayed};
use simhost_registry::Catalogue;

use super::assert_parts;
use super::world::World;

/// A fault of a model that has ended a run.
pub struct Fault {
    report: FaultReport,
    models: Catalogue,
}

impl World {
    /// Runs the world for some time, s, in which a step has to fail.
    pub fn failure(&self, seconds: f64) -> StepError {
        self.try_run(seconds).unwrap_or_else(|| panic!("no step fails\n{}", self.text()))
    }

    /// Runs the world for some time, s, in which it has to diverge with these parts in the message.
    pub fn diverges(&self, seconds: f64, parts: &[&str]) {
        let error = self.failure(seconds);
        assert!(matches!(error, StepError::Diverged(_)), "{error}");
        assert_parts(&error.to_string(), parts);
    }

    /// Runs the world for some time, s, in which a model has to fault with these parts in the message.
    pub fn fault(&self, seconds: f64, parts: &[&str]) -> Fault {
        match self.failure(seconds) {
            StepError::Fault(report) => {
                assert_parts(&report.to_string(), parts);
                Fault { report: *report, models: self.models() }
            }
            other => panic!("{other}"),
        }
    }
}

impl Fault {
    /// Returns the content of the file of evidence.
    pub fn evidence(&self) -> Value {
        serde_json::to_value(&self.report.evidence).unwrap()
    }

    /// Repeats the call from its evidence, which has to end in the same fault.
    pub fn replay(&self) -> Replayed {
        let replayed = self.replay_of(self.evidence()).unwrap().step();
        assert!(replayed.is_same(&self.report.evidence), "{replayed:?}");
        replayed
    }

    /// Prepares the repetition of the call from other evidence.
    pub fn replay_of(&self, evidence: Value) -> Result<Replay, String> {
        // as a file is read
        let evidence = serde_json::from_str(&evidence.to_string());
        let evidence = evidence.map_err(|error| error.to_string())?;
        Replay::new(&evidence, &self.models).map_err(|error| error.to_string())
    }
}
