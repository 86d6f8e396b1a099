//! Values of a world file that are random.

use crate::sources::Span;

/// A value of a world file that `rand()` or `randn()` has drawn while the file was expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomValue {
    /// Name of the `<variable>` that has the value; `None` for a value of another element.
    pub variable: Option<String>,
    /// Position of the expression.
    pub span: Span,
}
