//! Quantities that a run records.

use crate::context::Context;
use crate::reader::leaf_text;
use crate::sources::Span;
use crate::tree::Element;

/// A pattern of the names of quantities that a run with output records. One that starts with `!`
/// excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityPattern {
    /// The pattern.
    pub pattern: String,
    /// Position of the pattern.
    pub span: Span,
}

/// Reads a `<record>`.
pub(crate) fn read_record(context: &mut Context<'_>, element: &Element) -> Option<QuantityPattern> {
    let text = leaf_text(context, element)?;
    Some(QuantityPattern { pattern: text.value()?.trim().to_owned(), span: text.span })
}
