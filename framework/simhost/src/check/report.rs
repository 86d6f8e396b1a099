//! The report of `simhost check --json`.

use std::path::Path;

use serde::Serialize;
use simhost_world::{Diagnostic, Severity, Sources, Span};

use super::Examined;

/// Result of checking one world.
///
/// `docs/src/cli.md` describes the fields.
#[derive(Debug, Serialize)]
pub struct WorldReport {
    file: String,
    ok: bool,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding>,
}

/// Diagnostic with its position. Lines and columns start at 1; columns count characters.
#[derive(Debug, Serialize)]
struct Finding {
    severity: &'static str,
    message: String,
    label: String,
    notes: Vec<String>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

impl WorldReport {
    /// Converts the result of checking `world`.
    pub fn new(world: &Path, examined: Examined) -> Self {
        let count = examined.count();
        let Examined { diagnostics, sources, .. } = examined;
        Self {
            file: world.display().to_string(),
            ok: count.errors == 0,
            errors: count.errors,
            warnings: count.warnings,
            diagnostics: diagnostics
                .into_iter()
                .map(|found| Finding::new(found, &sources))
                .collect(),
        }
    }
}

impl Finding {
    fn new(diagnostic: Diagnostic, sources: &Sources) -> Self {
        let Diagnostic { severity, message, span, label, notes } = diagnostic;
        let start = span.map(|span| sources.position(span));
        // an empty span at the end gives the end position
        let end = span.map(|span| sources.position(Span { start: span.end, ..span }));
        Self {
            severity: match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message,
            label,
            notes,
            file: start.map(|(path, ..)| path.display().to_string()),
            line: start.map(|(_, line, _)| line),
            column: start.map(|(.., column)| column),
            end_line: end.map(|(_, line, _)| line),
            end_column: end.map(|(.., column)| column),
        }
    }
}

/// Returns a JSON array with a newline at the end.
pub fn json(reports: &[WorldReport]) -> String {
    let mut text =
        serde_json::to_string_pretty(reports).expect("a report has string keys and finite numbers");
    text.push('\n');
    text
}
