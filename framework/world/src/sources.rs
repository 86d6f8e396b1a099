//! The texts that a world was read from, and places in them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostics::{Diagnostic, Severity};

/// Bytes of a line that are shown before and after the start of a span.
const MAX_SHOWN: usize = 1000;

/// Bytes whose characters are counted at once.
const BLOCK: usize = 4096;

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index of the source.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

#[derive(Clone, Debug)]
struct Source {
    path: PathBuf,
    text: Arc<String>,
    /// Where lines begin, found when first asked for.
    lines: OnceLock<Vec<u32>>,
    /// Characters before each block, counted when first asked for.
    characters: OnceLock<Vec<u32>>,
}

impl Source {
    /// The number of the line that a byte is in, from 1, and where it begins.
    fn line(&self, at: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect()
        });
        let number = lines.partition_point(|start| *start as usize <= at);
        (number, lines[number - 1] as usize)
    }

    /// The column of a byte in the line that begins at another one, from 1. Lines may be very long, and
    /// many mistakes may be in one.
    fn column(&self, line_start: usize, at: usize) -> usize {
        self.characters_before(at) - self.characters_before(line_start) + 1
    }

    fn characters_before(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let blocks = self.characters.get_or_init(|| {
            let counts = bytes.chunks(BLOCK).scan(0, |all, block| {
                let before = *all;
                *all += characters(block) as u32;
                Some(before)
            });
            counts.collect()
        });
        // the end of the text may begin a block that is not there
        let block = (at / BLOCK).min(blocks.len().saturating_sub(1));
        blocks.get(block).map_or(0, |&before| before as usize)
            + characters(&bytes[block * BLOCK..at])
    }
}

/// How many characters begin in a piece of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// The texts of a world file and of everything it includes.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// The index of a file, and its text.
    pub(crate) fn add(&mut self, path: PathBuf, text: String) -> (u32, Arc<String>) {
        let text = Arc::new(text);
        let (lines, characters) = (OnceLock::new(), OnceLock::new());
        self.files.push(Source { path, text: Arc::clone(&text), lines, characters });
        ((self.files.len() - 1) as u32, text)
    }

    pub(crate) fn text(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |source| source.text.as_str())
    }

    pub(crate) fn path(&self, file: u32) -> &Path {
        self.files.get(file as usize).map_or(Path::new(""), |source| source.path.as_path())
    }

    /// File, line and column (both from 1, the column in characters) of the start of a span.
    pub fn position(&self, span: Span) -> (&Path, usize, usize) {
        let Some(source) = self.files.get(span.file as usize) else { return (Path::new(""), 1, 1) };
        let start = char_range(&source.text, span).start;
        let (line, line_start) = source.line(start);
        (&source.path, line, source.column(line_start, start))
    }

    /// A diagnostic with the piece of the file it is about.
    pub fn render(&self, d: &Diagnostic, colour: bool) -> String {
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(d.message.as_str());
        let path;
        let mut group = match d.span {
            Some(span) => {
                let text = self.text(span.file);
                path = self.path(span.file).display().to_string();
                let range = char_range(text, span);
                let source = self.files.get(span.file as usize);
                let (line, start) = source.map_or((1, 0), |source| source.line(range.start));
                if range.start - start > MAX_SHOWN {
                    let column = source.map_or(1, |source| source.column(start, range.start));
                    let origin = Origin::path(path.as_str()).line(line).char_column(column);
                    let label = (!d.label.is_empty()).then(|| Level::NOTE.message(&*d.label));
                    title.element(origin).elements(label)
                } else {
                    let (shown, range) = excerpt(text, start, range);
                    let annotation = AnnotationKind::Primary.span(range).label(d.label.as_str());
                    let snippet = Snippet::source(shown).line_start(line).path(path.as_str());
                    title.element(snippet.annotation(annotation))
                }
            }
            None => Group::with_title(title),
        };
        for note in &d.notes {
            let (level, text) = match note.strip_prefix("help: ") {
                Some(text) => (Level::HELP, text),
                None => (Level::NOTE, note.strip_prefix("note: ").unwrap_or(note)),
            };
            group = group.element(level.message(text));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

/// The span as a range that lies in the text and cuts no character.
fn char_range(text: &str, span: Span) -> std::ops::Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// The line that a span begins in, from byte `line_start` on, and the span in it. A long span is cut at
/// the end of the line: big files render as fast as small ones.
fn excerpt(
    text: &str,
    line_start: usize,
    range: std::ops::Range<usize>,
) -> (&str, std::ops::Range<usize>) {
    // a line of a file written by a machine may be very long
    let far = text.ceil_char_boundary((range.start + MAX_SHOWN).min(text.len()));
    let line_end = text[range.start..far].find('\n').map_or(far, |at| range.start + at);
    let shown = text[line_start..line_end].trim_end_matches('\r');
    let end = range.end.min(line_start + shown.len()).max(range.start) - line_start;
    let start = (range.start - line_start).min(shown.len());
    (shown, start..end.clamp(start, shown.len().max(start)))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, PathBuf, Sources, Span};

    #[test]
    fn columns_count_characters_however_long_the_line() {
        let mut sources = Sources::default();
        let text = format!("ä\n{}\nü", "äx€".repeat(BLOCK));
        let (file, text) = sources.add(PathBuf::new(), text);
        let column = |at: usize| {
            let (start, end) = (at as u32, at as u32);
            let (_, line, column) = sources.position(Span { file, start, end });
            (line, column)
        };
        assert_eq!((column(0), column(2)), ((1, 1), (1, 2)));
        let begin = 3;
        for letters in [0, 1, 2, 700, BLOCK, 2 * BLOCK + 1, 3 * BLOCK] {
            let bytes = letters / 3 * 6 + [0, 2, 3][letters % 3];
            assert_eq!(column(begin + bytes), (2, letters + 1), "{letters}");
        }
        assert_eq!(column(text.len()), (3, 2));
    }
}
