//! One error or warning.

use crate::sources::{Sources, Span};

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The world cannot be used.
    Error,
    /// The world can be used, but possibly not as intended.
    Warning,
}

/// An error or a warning about a world file, with its position and advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Description of the problem.
    pub message: String,
    /// Position of the problem.
    pub span: Option<Span>,
    /// Text shown at the position: usually what was expected there.
    pub label: String,
    /// Further lines. Each starts with `help: `, followed by advice, or with `note: `.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// Creates a diagnostic without a position.
    pub(crate) fn new(severity: Severity, message: impl Into<String>) -> Self {
        let (message, label) = (message.into(), String::new());
        Self { severity, message, span: None, label, notes: Vec::new() }
    }

    /// Creates an error without a position.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Creates a warning without a position.
    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// Creates an error about a name at `span` that something else of this kind, such as an observer,
    /// has already.
    pub(crate) fn duplicate_name(kind: &str, name: &str, span: Span) -> Self {
        Self::error(format!("duplicate {kind} name: `{name}`")).at(span).label("already in use")
    }

    /// Sets the position.
    pub fn at(self, span: Span) -> Self {
        Self { span: Some(span), ..self }
    }

    /// Sets the text shown at the position.
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Adds a line of advice, in the imperative.
    pub fn help(mut self, advice: impl AsRef<str>) -> Self {
        self.notes.push(format!("help: {}", advice.as_ref()));
        self
    }

    /// Adds a line of background.
    pub(crate) fn note(mut self, note: impl AsRef<str>) -> Self {
        self.notes.push(format!("note: {}", note.as_ref()));
        self
    }
}

/// The errors of a world that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct LoadError {
    /// Up to 20 errors, and all warnings, in file order.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the diagnostics refer to.
    pub sources: Sources,
    /// Number of errors that are not among the diagnostics.
    pub hidden_errors: usize,
    /// Whether the command line is wrong: it contradicts the file or names an unknown profile.
    pub usage: bool,
}

impl LoadError {
    /// Creates an error that was found in a world after it had been read.
    pub fn new(diagnostic: Diagnostic, sources: Sources) -> Self {
        Self { diagnostics: vec![diagnostic], sources, hidden_errors: 0, usage: false }
    }
}
