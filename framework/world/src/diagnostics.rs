//! Errors and warnings about a world file.

use std::collections::HashMap;
use std::fmt;

use crate::sources::{Sources, Span};

/// Errors reported at once; what comes after is counted only.
pub(crate) const MAX_ERRORS: usize = 20;
/// Errors that get a hint; more would hardly be read, and looking for what was meant takes long.
const MAX_HINTED: usize = 50;
/// Diagnostics of a severity that are kept.
const MAX_KEPT: usize = 1000;
/// Bytes of a message or a label.
const MAX_LENGTH: usize = 1000;

/// Where to cut a text that is too long.
fn floor(text: &str) -> usize {
    text.floor_char_boundary(MAX_LENGTH)
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The world cannot be used.
    Error,
    /// The world can be used, perhaps not as meant.
    Warning,
}

/// A mistake, where it is, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// What was expected, shown at the place.
    pub label: String,
    /// Further lines; those that begin with `help: ` tell what to do.
    pub notes: Vec<String>,
}

/// Why a world cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct LoadError {
    /// Errors (at most 20) and warnings in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts they point into.
    pub sources: Sources,
    /// Errors that were found beyond those.
    pub hidden_errors: usize,
    /// The command line contradicts the file, or names something unknown.
    pub usage: bool,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "{}", self.sources.render(diagnostic, false))?;
        }
        Ok(())
    }
}

/// The diagnostics found so far. A class that many vehicles use says the same thing once, and a
/// place that a loop repeats says it once with a count.
#[derive(Debug, Default)]
pub(crate) struct Report {
    found: Vec<Diagnostic>,
    seen: HashMap<(Option<Span>, String), Seen>,
    /// Number of the top-level tag that is being read.
    round: usize,
    errors: usize,
    warnings: usize,
}

/// A diagnostic that has been said before.
#[derive(Debug)]
struct Seen {
    /// Index among those found.
    place: usize,
    /// Top-level tags that said it, and the last of them.
    rounds: usize,
    last: usize,
}

impl Report {
    /// What follows is about another top-level tag.
    pub(crate) fn next_round(&mut self) {
        self.round += 1;
    }

    pub(crate) fn push(&mut self, mut diagnostic: Diagnostic) {
        let key = (diagnostic.span, diagnostic.message.clone());
        if let Some(seen) = self.seen.get_mut(&key) {
            seen.rounds += usize::from(seen.last != self.round);
            seen.last = self.round;
            return;
        }
        if diagnostic.severity == Severity::Warning && self.warnings > MAX_KEPT {
            return;
        }
        self.seen.insert(key, Seen { place: self.found.len(), rounds: 1, last: self.round });
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        // a broken file must not cost memory without bound
        if *count <= MAX_KEPT {
            diagnostic.message.truncate(floor(&diagnostic.message));
            diagnostic.label.truncate(floor(&diagnostic.label));
            diagnostic.notes.iter_mut().for_each(|note| note.truncate(floor(note)));
            self.found.push(diagnostic);
        }
    }

    pub(crate) fn say(
        &mut self,
        severity: Severity,
        span: Option<Span>,
        message: impl Into<String>,
        label: impl Into<String>,
        notes: Vec<String>,
    ) {
        let (message, label) = (message.into(), label.into());
        self.push(Diagnostic { severity, message, span, label, notes });
    }

    /// An error with a line that tells what to do.
    pub(crate) fn error(&mut self, span: Option<Span>, message: impl Into<String>, help: &str) {
        let notes = if help.is_empty() { Vec::new() } else { vec![format!("help: {help}")] };
        self.say(Severity::Error, span, message, "", notes);
    }

    pub(crate) fn warning(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.say(Severity::Warning, Some(span), message, label, Vec::new());
    }

    /// Whether the same has been said of a place.
    pub(crate) fn has_said(&self, span: Span, message: &str) -> bool {
        self.seen.contains_key(&(Some(span), message.to_owned()))
    }

    /// Whether a hint at what was meant is worth looking for.
    pub(crate) fn wants_hints(&self) -> bool {
        self.errors < MAX_HINTED
    }

    pub(crate) fn error_count(&self) -> usize {
        self.errors
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Enough errors to stop reading.
    pub(crate) fn is_full(&self) -> bool {
        self.errors > MAX_KEPT
    }

    /// Errors that [`Self::finish`] leaves out.
    pub(crate) fn hidden_errors(&self) -> usize {
        self.errors.saturating_sub(MAX_ERRORS)
    }

    /// In the order of the files, cut to the limit.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        for Seen { place, rounds, .. } in self.seen.values().filter(|seen| seen.rounds > 1) {
            if let Some(found) = self.found.get_mut(*place) {
                found.notes.push(format!("note: the same for {rounds} tags made from this place"));
            }
        }
        self.found.sort_by_key(|diagnostic| diagnostic.span);
        let mut kept = 0;
        self.found.retain(|diagnostic| {
            kept += usize::from(diagnostic.severity == Severity::Error);
            diagnostic.severity == Severity::Warning || kept <= MAX_ERRORS
        });
        if self.errors > MAX_ERRORS {
            let last = self.found.iter_mut().rfind(|d| d.severity == Severity::Error);
            if let Some(last) = last {
                let more = self.errors - MAX_ERRORS;
                last.notes.push(format!("note: {more} more errors are not shown"));
            }
        }
        self.found
    }
}
