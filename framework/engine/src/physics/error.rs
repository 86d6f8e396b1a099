//! Bodies that cannot be built.

use simhost_world::Span;

/// A body that the world file describes cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(crate) struct BodyError {
    /// Description of the error.
    pub text: String,
    /// Position of the body's element in the world file.
    pub span: Span,
}

/// Returns the error for a polygon without area; `what` names its owner.
pub(crate) fn no_area(what: &str, span: Span) -> BodyError {
    BodyError { text: format!("{what} has an outline without area"), span }
}
