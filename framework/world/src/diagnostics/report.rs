//! The diagnostics found during a load.

use std::collections::{HashMap, HashSet};

use super::diagnostic::{Diagnostic, Severity};
use super::hints::did_you_mean;
use crate::sources::Span;

/// Maximum number of errors that are reported; further errors are counted.
const MAX_ERRORS: usize = 20;
/// Number of errors after which no more hints are computed: few people would read them, and finding
/// the nearest name is slow.
const MAX_HINTED: usize = 50;
/// Maximum number of diagnostics of each severity that are kept.
const MAX_KEPT: usize = 1000;
/// Maximum length of a message, a label or a note in bytes.
const MAX_LENGTH: usize = 1000;

/// The diagnostics found so far, each position and message once.
///
/// A class that many vehicles use reports its problems once. A position that a loop repeats is
/// reported once, with a count.
#[derive(Debug, Default)]
pub(crate) struct Report {
    found: Vec<Diagnostic>,
    repeated: HashMap<(Option<Span>, String), Repetition>,
    reported_once: HashSet<String>,
    /// Number of the top-level element that is being read, 0 during expansion.
    item: usize,
    errors: usize,
    warnings: usize,
    pushes: usize,
}

/// A diagnostic that may occur several times.
#[derive(Debug)]
struct Repetition {
    /// Index of the diagnostic.
    index: usize,
    /// Number of top-level elements with this diagnostic, and the last of them.
    items: usize,
    last: usize,
}

impl Report {
    /// Starts the next top-level element.
    pub(crate) fn next_item(&mut self) {
        self.item += 1;
    }

    /// Adds a diagnostic, unless the same message has been reported for its position.
    pub(crate) fn push(&mut self, mut diagnostic: Diagnostic) {
        self.pushes += 1;
        let key = (diagnostic.span, diagnostic.message.clone());
        if let Some(known) = self.repeated.get_mut(&key) {
            // expansion and reading can report the same error
            known.items += usize::from(known.last != 0 && known.last != self.item);
            known.last = self.item;
            return;
        }
        if diagnostic.severity == Severity::Warning && self.warnings > MAX_KEPT {
            return;
        }
        let repetition = Repetition { index: self.found.len(), items: 1, last: self.item };
        self.repeated.insert(key, repetition);
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        // a broken file must not use unbounded memory
        if *count <= MAX_KEPT {
            truncate(&mut diagnostic.message);
            truncate(&mut diagnostic.label);
            diagnostic.notes.iter_mut().for_each(truncate);
            self.found.push(diagnostic);
        }
    }

    /// Adds a diagnostic that concerns the whole world, once for each key.
    pub(crate) fn push_once(&mut self, key: &str, diagnostic: Diagnostic) {
        self.pushes += 1;
        if self.reported_once.insert(key.to_owned()) {
            self.push(diagnostic);
        }
    }

    /// Adds an error with a label and without advice.
    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>, label: &str) {
        self.push(Diagnostic::error(message).at(span).label(label));
    }

    /// Adds a warning with a label.
    pub(crate) fn warning(&mut self, span: Span, message: impl Into<String>, label: &str) {
        self.push(Diagnostic::warning(message).at(span).label(label));
    }

    /// Returns whether a message has been reported for a position.
    pub(crate) fn contains(&self, span: Span, message: &str) -> bool {
        self.repeated.contains_key(&(Some(span), message.to_owned()))
    }

    /// Returns whether hints are still worth computing.
    pub(crate) fn wants_hints(&self) -> bool {
        self.errors < MAX_HINTED
    }

    /// Returns a hint at the known name that is nearest to an unknown one. The hint is empty if
    /// there is none, or if many errors have been reported.
    pub(crate) fn hint<'a>(&self, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        if self.wants_hints() { did_you_mean(name, known) } else { String::new() }
    }

    /// Returns how many diagnostics have been added, repetitions included.
    pub(crate) fn pushes(&self) -> usize {
        self.pushes
    }

    pub(crate) fn error_count(&self) -> usize {
        self.errors
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns whether there are so many errors that reading on is pointless.
    pub(crate) fn is_full(&self) -> bool {
        self.errors > MAX_KEPT
    }

    /// Returns the number of errors that [`Self::finish`] omits.
    pub(crate) fn hidden_errors(&self) -> usize {
        self.errors.saturating_sub(MAX_ERRORS)
    }

    /// Returns the diagnostics in file order, with at most [`MAX_ERRORS`] errors.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        for Repetition { index, items, .. } in self.repeated.values().filter(|seen| seen.items > 1)
        {
            if let Some(found) = self.found.get_mut(*index) {
                let count = format!("note: the same for {items} elements generated here");
                found.notes.push(count);
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

fn truncate(text: &mut String) {
    text.truncate(text.floor_char_boundary(MAX_LENGTH));
}
