//! Errors of sessions as diagnostics, and their number.

use simhost_engine::{BuildError, ObserverError, UnknownQuantity};
use simhost_world::{Diagnostic, Severity, Span};

use crate::error::Error;

/// Advice to those who look for the name of a quantity.
pub const LIST_QUANTITIES: &str = "`simhost quantities WORLD` lists all quantities";

/// Number of errors and warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticCount {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
}

impl DiagnosticCount {
    /// Counts errors and warnings.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        Self { errors, warnings: diagnostics.len() - errors }
    }

    /// Returns the number of errors with the noun: `1 error`, `2 errors`.
    pub fn errors(self) -> String {
        counted(self.errors, "error")
    }

    /// Returns the number of warnings with the noun: `1 warning`, `2 warnings`.
    pub fn warnings(self) -> String {
        counted(self.warnings, "warning")
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns the text of an error of a session with all diagnostics, without colours.
pub fn plain_text(error: &Error) -> String {
    match error {
        Error::Build { error, sources } => of_build(error).render(sources, false),
        Error::Observer { error, sources } => of_observer(error).render(sources, false),
        Error::Quantity { error, span: Some(span), sources } => {
            of_quantity(error, *span).render(sources, false)
        }
        _ => error.to_string(),
    }
}

/// Converts the error of an observer into a diagnostic.
pub fn of_observer(error: &ObserverError) -> Diagnostic {
    let ObserverError::Quantity { observer, source, span } = error else {
        return error_at(error, error.span());
    };
    let about = format!("observer '{observer}': ");
    unknown_quantity(&about, source, *span)
}

/// Converts the error of a recorded quantity into a diagnostic.
pub fn of_quantity(error: &UnknownQuantity, span: Span) -> Diagnostic {
    unknown_quantity("", error, span)
}

fn unknown_quantity(about: &str, error: &UnknownQuantity, span: Span) -> Diagnostic {
    let nearest = error.nearest.as_ref();
    Diagnostic::error(format!("{about}no quantity matches `{}`", error.pattern))
        .at(span)
        .label(nearest.map_or_else(String::new, |name| format!("did you mean `{name}`?")))
        .help(LIST_QUANTITIES)
}

/// Returns a warning with a text whose further lines are notes.
pub fn warning(text: &str) -> Diagnostic {
    let mut lines = text.lines().map(str::to_owned);
    Diagnostic {
        severity: Severity::Warning,
        message: lines.next().unwrap_or_default(),
        span: None,
        label: String::new(),
        notes: lines.collect(),
    }
}

/// Converts a build error into a diagnostic.
pub fn of_build(error: &BuildError) -> Diagnostic {
    error_at(error, error.span())
}

/// Converts an error at a position into a diagnostic.
fn error_at(error: &impl ToString, span: Option<Span>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, span, ..warning(&error.to_string()) }
}

/// Converts an error that no part of the world causes.
pub(super) fn without_position(error: &impl ToString) -> Diagnostic {
    error_at(error, None)
}
