//! Values with their places in a plan.

use crate::error::StudyError;

/// A value with its place in a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanValue<T> {
    /// The value.
    pub value: T,
    /// File, line and column, with a colon and a space after each; empty for what a program has given.
    pub place: String,
}

impl<T> PlanValue<T> {
    /// Returns the error for a problem with the value.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> StudyError {
        StudyError::Plan { place: self.place.clone(), problem: problem.into() }
    }
}

impl<T> From<T> for PlanValue<T> {
    fn from(value: T) -> Self {
        Self { value, place: String::new() }
    }
}
