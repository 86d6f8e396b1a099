//! Rows: what a study keeps of a run.

use serde::{Deserialize, Serialize};
use simhost::MemberEnd;

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// It has reached its end, or an observer has ended it.
    Ok,
    /// The condition `failed` of the plan holds.
    Failed,
    /// A body or a state has diverged.
    Diverged,
    /// A model has faulted, and the world file requests that this ends the run.
    Fault,
    /// The engine that casts rays has failed.
    Scan,
    /// The world does not accept its values.
    Refused,
    /// It has taken longer than the time limit.
    Timeout,
    /// The process that simulated it has crashed.
    Crashed,
}

impl RunStatus {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Ok,
        Self::Failed,
        Self::Diverged,
        Self::Fault,
        Self::Scan,
        Self::Refused,
        Self::Timeout,
        Self::Crashed,
    ];

    /// Returns the name, as tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Diverged => "diverged",
            Self::Fault => "fault",
            Self::Scan => "scan",
            Self::Refused => "refused",
            Self::Timeout => "timeout",
            Self::Crashed => "crashed",
        }
    }

    /// Returns whether the run has been simulated to an end, so that it can be repeated.
    pub fn has_results(self) -> bool {
        !matches!(self, Self::Refused | Self::Timeout | Self::Crashed)
    }

    /// Returns the status of a member that has ended, and the reason.
    pub(crate) fn of(end: Option<&MemberEnd>) -> (Self, String) {
        match end {
            Some(MemberEnd::Fault(text)) => (Self::Fault, text.clone()),
            Some(MemberEnd::Diverged(text)) => (Self::Diverged, text.clone()),
            Some(MemberEnd::Scan(text)) => (Self::Scan, text.clone()),
            Some(MemberEnd::Observer(stop)) => (Self::Ok, stop.to_string()),
            _ => (Self::Ok, String::new()),
        }
    }
}

/// Row of a run, which the study keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Number of the run in the plan, from 0.
    pub run: u64,
    /// Identifier: 16 hexadecimal digits over everything that affects the results.
    pub id: String,
    /// Seed.
    pub seed: u64,
    /// Values of what varies, as texts.
    pub values: Vec<String>,
    /// How the run has ended.
    pub status: RunStatus,
    /// Why, in one line; empty for a run that has reached its end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Metrics; `None` for one that is not a finite number.
    pub metrics: Vec<Option<f64>>,
    /// Number of completed steps.
    pub steps: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Result hash in hexadecimal digits; empty if there is none.
    pub hash: String,
    /// Number of earlier rows of the run, which have failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempt: u32,
}

fn is_zero(attempt: &u32) -> bool {
    *attempt == 0
}

impl RunRow {
    /// Returns the row as a line of a file, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("rows are texts and numbers")
    }

    /// Reads a line of a file.
    pub fn from_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// A point of an optimisation that is the best one so far, or one of the best ones for several goals.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Number of the first run of the point.
    pub run: u64,
    /// Values of the goals, as the plan asks for them.
    pub values: Vec<f64>,
    /// Whether all conditions hold.
    pub is_feasible: bool,
}
