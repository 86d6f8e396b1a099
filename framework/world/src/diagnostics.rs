//! Errors and warnings about a world file.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use simhost_model::nearest;

use crate::sources::{Sources, Span, char_range};

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

/// Maximum number of names that an unknown name is compared with.
pub(crate) const MAX_COMPARED: usize = 10_000;

/// Returns a hint at the known name that is nearest to `name`, or an empty text.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known.into_iter().take(MAX_COMPARED))
        .map_or(String::new(), |known| format!("did you mean `{known}`?"))
}

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

/// Maximum number of bytes of a line shown before and after the start of a span.
const MAX_SHOWN: usize = 1000;

impl Diagnostic {
    /// Renders the diagnostic with the line of the file that it refers to, in colour on request.
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.message.as_str());
        let path;
        let mut group = match self.span {
            Some(span) => {
                path = sources.path(span.file).display().to_string();
                located(title, self, span, sources, &path)
            }
            None => Group::with_title(title),
        };
        for note in &self.notes {
            let (level, text) = match note.strip_prefix("help: ") {
                Some(text) => (Level::HELP, text),
                None => (Level::NOTE, note.strip_prefix("note: ").unwrap_or(note)),
            };
            group = group.element(level.message(text));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        // the renderer shows other control characters as symbols
        let is_c1 = |letter| matches!(letter, '\u{80}'..='\u{9f}');
        renderer.render(&[group]).replace(is_c1, "\u{fffd}")
    }
}

/// Adds the position of a diagnostic, and the line unless it is too long to show.
fn located<'a>(
    title: Title<'a>,
    diagnostic: &'a Diagnostic,
    span: Span,
    sources: &'a Sources,
    path: &'a str,
) -> Group<'a> {
    let text = sources.text(span.file);
    let range = char_range(text, span);
    let (line, start) = sources.line(span.file, range.start);
    let label = diagnostic.label.as_str();
    if range.start - start > MAX_SHOWN {
        let (_, _, column) = sources.position(span);
        let origin = Origin::path(path).line(line).char_column(column);
        let label = (!label.is_empty()).then(|| Level::NOTE.message(label));
        return title.element(origin).elements(label);
    }
    let (shown, range) = excerpt(text, start, range);
    let annotation = AnnotationKind::Primary.span(range).label(label);
    title.element(Snippet::source(shown).line_start(line).path(path).annotation(annotation))
}

/// Returns the line that a span starts in and the part of the span within that line. `line_start`
/// is the offset of the line. Cutting a long span at the end of the line keeps rendering
/// independent of the size of the file.
fn excerpt(text: &str, line_start: usize, range: Range<usize>) -> (&str, Range<usize>) {
    // a generated file may have very long lines
    let far = text.ceil_char_boundary((range.start + MAX_SHOWN).min(text.len()));
    let line_end = text[range.start..far].find('\n').map_or(far, |at| range.start + at);
    let shown = text[line_start..line_end].trim_end_matches('\r');
    let end = range.end.min(line_start + shown.len()).max(range.start) - line_start;
    let start = (range.start - line_start).min(shown.len());
    (shown, start..end.clamp(start, shown.len().max(start)))
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "{}", diagnostic.render(&self.sources, false))?;
        }
        Ok(())
    }
}
