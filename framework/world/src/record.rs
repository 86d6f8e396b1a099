//! Quantities that a run records.

use crate::context::Context;
use crate::reader::{FromEntry, Given};
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::Entry;

/// A pattern of the names of quantities that a run with output records. One that starts with `!`
/// excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityPattern {
    /// The pattern.
    pub pattern: String,
    /// Position of the pattern.
    pub span: Span,
}

impl FromEntry for QuantityPattern {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let text = Text::parse(context, entry, given)?;
        Some(Self { pattern: text.value()?.trim().to_owned(), span: text.span })
    }
}
