//! Failed calls.

use simhost::Error;

use crate::logger::Status;

/// A call has failed.
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn error(text: impl Into<String>) -> Self {
        Self { status: Status::Error, text: text.into() }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::error(error.into().to_string())
    }
}
