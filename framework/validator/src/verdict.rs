//! What a test finds.

use serde::{Deserialize, Serialize};

/// How a test of a model ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Verdict {
    /// All is as it should be.
    Pass,
    /// It does not apply, or cannot be run here.
    Skip {
        /// Why.
        reason: String,
    },
    /// The model is not as it should be.
    Fail(Failure),
}

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What was found, and what was expected.
    pub what: String,
    /// What the model was given.
    pub input: Option<String>,
    /// The seed of the case.
    pub seed: Option<u64>,
}

/// What ends a test before it has passed.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Skip(String),
    Fail(Failure),
}

/// What a test gives back.
pub(crate) type Outcome<T = ()> = Result<T, Stop>;

/// Ends a test: it does not apply.
pub(crate) fn skip<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(Stop::Skip(reason.into()))
}

/// Ends a test: the model is wrong.
pub(crate) fn fail<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), input: None, seed: None }))
}

/// Ends a test: the model is wrong for this input.
pub(crate) fn fail_for<T>(what: impl Into<String>, input: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), input: Some(input.into()), seed: None }))
}

/// Adds the seed of the case to a failure.
pub(crate) fn of_seed<T>(seed: u64, outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|stop| match stop {
        Stop::Fail(failure) => Stop::Fail(Failure { seed: Some(seed), ..failure }),
        skip => skip,
    })
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok(()) => Self::Pass,
            Err(Stop::Skip(reason)) => Self::Skip { reason },
            Err(Stop::Fail(failure)) => Self::Fail(failure),
        }
    }
}
