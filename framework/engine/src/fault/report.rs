//! Reports of faults.

use simhost_abi::fault_code;
use simhost_world::{FaultAction, FaultPolicy};

use super::evidence::Evidence;

/// A fault of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultReport {
    /// Start of the step, s.
    pub time: f64,
    /// Vehicle, with the wheel or sensor where there is one.
    pub entity: String,
    /// Full name of the class.
    pub class: String,
    /// File of the plugin, or "linked in".
    pub source: String,
    /// Phase of the call.
    pub phase: String,
    /// One of [`fault_code`].
    pub code: u32,
    /// Message of the model or the host.
    pub text: String,
    /// Action that the world file requests.
    pub action: FaultAction,
    /// Data to repeat the call.
    pub evidence: Evidence,
}

impl FaultReport {
    /// Creates a report from evidence.
    pub(crate) fn new(evidence: Evidence, policy: &FaultPolicy) -> Self {
        let action = action(policy, evidence.code);
        Self::of(evidence, action)
    }

    /// Creates a report of a fault to which the run reacts in this way.
    pub(crate) fn of(evidence: Evidence, action: FaultAction) -> Self {
        Self {
            time: evidence.time,
            entity: evidence.entity.clone(),
            class: evidence.class.clone(),
            source: evidence.source.clone(),
            phase: evidence.phase.clone(),
            code: evidence.code,
            text: evidence.text.clone(),
            action,
            evidence,
        }
    }

    /// Returns time, entity, model and message in one line.
    pub fn headline(&self) -> String {
        let Self { time, entity, class, source, phase, text, code, .. } = self;
        let what = verb(*code);
        format!("at {time} s, {entity}: {class} ({source}) {what} in `{phase}`: {text}")
    }

    /// Returns the consequence for the vehicle and the headline in one line.
    pub fn outcome(&self) -> String {
        let replaced = self.action == FaultAction::Fallback && self.phase == "force";
        let what = if replaced { "default friction took over" } else { "disabled" };
        format!("{what} {}", self.headline())
    }
}

impl std::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.headline())?;
        for (heading, quantities) in
            [("inputs", &self.evidence.inputs), ("states", &self.evidence.states)]
        {
            // a parameter that is equal in all lanes has no value among the inputs
            let quantities = quantities.iter().filter(|quantity| !quantity.values.is_empty());
            let all: Vec<String> = quantities.map(ToString::to_string).collect();
            if !all.is_empty() {
                write!(f, "\n  {heading}: {}", all.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Returns the action that the world file requests for a fault code.
pub(crate) fn action(policy: &FaultPolicy, code: u32) -> FaultAction {
    match code {
        fault_code::NON_FINITE => policy.non_finite,
        fault_code::STEP_TOO_LARGE => policy.step_too_large,
        _ => policy.panic,
    }
}

/// Describes a fault code as a verb phrase.
pub(super) fn verb(code: u32) -> &'static str {
    match code {
        fault_code::PANIC => "panicked",
        fault_code::NON_FINITE => "returned a number that is not finite",
        fault_code::STEP_TOO_LARGE => "does not support so large a step",
        _ => "failed",
    }
}
