//! Models that fault: what is told, what is done, and how the call is made again.

mod evidence;
mod replay;

use simhost_abi::fault_code;
use simhost_world::{FaultAction, FaultPolicy};

pub use evidence::{EVIDENCE_VERSION, Evidence, Quantity};
pub use replay::{Replay, ReplayError, Replayed};

/// A fault of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultReport {
    /// Start of the step, s.
    pub time: f64,
    /// Vehicle, with the wheel or sensor where there is one.
    pub entity: String,
    /// Full name of the class.
    pub class: String,
    /// Linked in, or the file it came from.
    pub source: String,
    /// Part of the step.
    pub phase: String,
    /// One of [`fault_code`].
    pub code: u32,
    /// What the model says.
    pub text: String,
    /// What the world file wants done.
    pub action: FaultAction,
    /// All that is needed to make the call again.
    pub evidence: Evidence,
}

impl FaultReport {
    /// From what was gathered of the call.
    pub(crate) fn new(evidence: Evidence, policy: &FaultPolicy) -> Self {
        Self {
            time: evidence.time,
            entity: evidence.entity.clone(),
            class: evidence.class.clone(),
            source: evidence.source.clone(),
            phase: evidence.phase.clone(),
            code: evidence.code,
            text: evidence.text.clone(),
            action: action(policy, evidence.code),
            evidence,
        }
    }
}

impl FaultReport {
    /// When, who and what, in one line.
    pub fn headline(&self) -> String {
        let Self { time, entity, class, source, phase, text, code, .. } = self;
        let what = verb(*code);
        format!("at {time} s, {entity}: {class} ({source}) {what} in `{phase}`: {text}")
    }

    /// What became of the vehicle, in one line.
    pub fn outcome(&self) -> String {
        let taken_over = self.action == FaultAction::Fallback && self.phase == "force";
        let what = if taken_over { "default friction took over" } else { "disabled" };
        format!("{what} {}", self.headline())
    }
}

/// What is done about a fault with this code.
pub(crate) fn action(policy: &FaultPolicy, code: u32) -> FaultAction {
    match code {
        fault_code::NON_FINITE => policy.non_finite,
        fault_code::STEP_TOO_LARGE => policy.step_too_large,
        _ => policy.panic,
    }
}

/// What a fault with this code is, in words.
pub(crate) fn verb(code: u32) -> &'static str {
    match code {
        fault_code::PANIC => "panicked",
        fault_code::NON_FINITE => "gave a number that is not finite",
        fault_code::STEP_TOO_LARGE => "cannot take so large a step",
        _ => "failed",
    }
}

impl std::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.headline())?;
        for (heading, quantities) in
            [("inputs", &self.evidence.inputs), ("states", &self.evidence.states)]
        {
            if !quantities.is_empty() {
                let all: Vec<String> = quantities.iter().map(ToString::to_string).collect();
                write!(f, "\n  {heading}: {}", all.join(", "))?;
            }
        }
        Ok(())
    }
}
