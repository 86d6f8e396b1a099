//! Diagnostics as text, with the part of the file that they refer to.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};

use super::diagnostic::{Diagnostic, LoadError, Severity};
use crate::sources::{Sources, Span, char_range};

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
