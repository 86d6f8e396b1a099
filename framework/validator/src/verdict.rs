//! The result of a test.

use serde::{Deserialize, Serialize};

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Verdict {
    /// The test passed.
    Pass,
    /// The test does not apply or cannot run here.
    Skip {
        /// Reason.
        reason: String,
    },
    /// The test failed.
    Fail(Failure),
}

/// A problem of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The finding, and what was expected.
    pub what: String,
    /// Input of the model.
    pub input: Option<String>,
    /// Seed of the random case.
    pub seed: Option<u64>,
    /// Whether the model ended the process of the test or did not respond.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
    /// Whether the model was not tested, because a required parameter is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks: bool,
}

/// The reason why a test ends without passing.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Skip(String),
    Fail(Failure),
    /// The model rejects the vehicle.
    Unsuited(Failure),
}

/// The return type of a test.
pub(crate) type Outcome<T = ()> = Result<T, Stop>;

/// Ends a test that does not apply.
pub(crate) fn skip<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(Stop::Skip(reason.into()))
}

/// Ends a test with a failure.
pub(crate) fn fail<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), ..Failure::default() }))
}

/// Ends a test with a failure for this input.
pub(crate) fn fail_for<T>(what: impl Into<String>, input: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), input: Some(input.into()), ..Failure::default() }))
}

/// Adds the seed of the random case to a failure.
pub(crate) fn of_seed<T>(seed: u64, outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|stop| match stop {
        Stop::Fail(failure) => Stop::Fail(Failure { seed: Some(seed), ..failure }),
        other => other,
    })
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok(()) => Self::Pass,
            Err(Stop::Skip(reason)) => Self::Skip { reason },
            Err(Stop::Fail(failure) | Stop::Unsuited(failure)) => Self::Fail(failure),
        }
    }
}
