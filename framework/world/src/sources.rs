//! The texts that a world was read from, and positions in them.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Size in bytes of the blocks whose characters are counted together.
const BLOCK: usize = 4096;

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index of the source.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

#[derive(Clone, Debug)]
struct Source {
    path: PathBuf,
    /// Absolute directory. A model can change the working folder after the file was opened.
    directory: PathBuf,
    text: Arc<String>,
    /// Whether the text is in no file.
    is_given: bool,
    /// Offsets of the first byte of each line, computed on first use.
    lines: OnceLock<Vec<u32>>,
    /// Number of characters before each block, counted on first use.
    characters: OnceLock<Vec<u32>>,
}

impl Source {
    /// Returns the line that contains a byte, counted from 1, and the offset of its first byte.
    fn line(&self, at: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect()
        });
        let number = lines.partition_point(|start| *start as usize <= at);
        (number, lines[number - 1] as usize)
    }

    /// Returns the column of a byte, counted in characters from 1, in the line that starts at
    /// `line_start`.
    ///
    /// The cost does not depend on the length of the line: a generated file may have a single long
    /// line with many errors.
    fn column(&self, line_start: usize, at: usize) -> usize {
        self.characters_before(at) - self.characters_before(line_start) + 1
    }

    fn characters_before(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let blocks = self.characters.get_or_init(|| {
            let counts = bytes.chunks(BLOCK).scan(0, |total, block| {
                let before = *total;
                *total += count_characters(block) as u32;
                Some(before)
            });
            counts.collect()
        });
        // the end of the text can be the start of a block that does not exist
        let block = (at / BLOCK).min(blocks.len().saturating_sub(1));
        blocks.get(block).map_or(0, |&before| before as usize)
            + count_characters(&bytes[block * BLOCK..at])
    }
}

/// Counts the characters that start within a piece of a text.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// The texts of a world file and of every file that it includes.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a file and returns its index and its text.
    pub(crate) fn add(&mut self, path: PathBuf, text: String) -> (u32, Arc<String>) {
        let text = Arc::new(text);
        let (lines, characters) = (OnceLock::new(), OnceLock::new());
        let directory = directory_of(&path);
        let is_given = false;
        let source =
            Source { path, directory, text: Arc::clone(&text), is_given, lines, characters };
        self.files.push(source);
        ((self.files.len() - 1) as u32, text)
    }

    /// Adds a text that is in no file, whose paths start at the directory of the world file.
    pub(crate) fn add_beside_world(&mut self, name: &str, text: String) -> (u32, Arc<String>) {
        let directory = self.directory(0);
        let added = self.add(PathBuf::from(name), text);
        self.files[added.0 as usize].directory = directory;
        self.mark_given(added.0);
        added
    }

    /// Records that the text of a source is in no file, although it has a path.
    pub(crate) fn mark_given(&mut self, file: u32) {
        if let Some(source) = self.files.get_mut(file as usize) {
            source.is_given = true;
        }
    }

    /// Returns whether a position is in a text that is in no file: a fragment or a value.
    pub fn is_fragment(&self, span: Span) -> bool {
        self.files.get(span.file as usize).is_some_and(|source| source.is_given)
    }

    /// Returns the absolute folder of the world file, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.files.first().map(|source| source.directory.as_path())
    }

    /// Returns the number of sources.
    pub(crate) fn count(&self) -> usize {
        self.files.len()
    }

    /// Returns the text of a source, empty for an unknown index.
    pub(crate) fn text(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |source| source.text.as_str())
    }

    /// Returns the path of a source as it was opened, empty for an unknown index.
    pub(crate) fn path(&self, file: u32) -> &Path {
        self.files.get(file as usize).map_or(Path::new(""), |source| source.path.as_path())
    }

    /// Returns the absolute directory of a source.
    pub(crate) fn directory(&self, file: u32) -> PathBuf {
        self.files.get(file as usize).map_or(PathBuf::new(), |source| source.directory.clone())
    }

    /// Returns the path that `name` refers to in a source: relative to the directory of the source,
    /// or relative to the directory of the world file if only that path exists.
    pub(crate) fn resolve(&self, file: u32, name: &str) -> PathBuf {
        let local = self.directory(file).join(name);
        let of_world = self.directory(0).join(name);
        if !local.exists() && of_world.exists() { of_world } else { local }
    }

    /// Returns the paths of all sources as they were opened: the world file first, then what it includes.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|source| source.path.as_path())
    }

    /// Returns the file, line and column of the start of a span. Lines and columns count from 1,
    /// columns in characters.
    pub fn position(&self, span: Span) -> (&Path, usize, usize) {
        let Some(source) = self.files.get(span.file as usize) else { return (Path::new(""), 1, 1) };
        let start = char_range(&source.text, span).start;
        let (line, line_start) = source.line(start);
        (&source.path, line, source.column(line_start, start))
    }

    /// Returns the line that contains a byte of a source and the offset of its first byte.
    pub(crate) fn line(&self, file: u32, at: usize) -> (usize, usize) {
        self.files.get(file as usize).map_or((1, 0), |source| source.line(at))
    }
}

/// Returns a span as a range that lies within the text and does not split a character.
pub(crate) fn char_range(text: &str, span: Span) -> Range<usize> {
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

/// Returns the absolute directory of a file.
pub(crate) fn directory_of(path: &Path) -> PathBuf {
    let directory = path.parent().unwrap_or(Path::new(""));
    std::path::absolute(directory)
        .or_else(|_| std::env::current_dir().map(|current| current.join(directory)))
        .unwrap_or_else(|_| directory.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, PathBuf, Sources, Span};

    #[test]
    fn columns_count_characters_in_lines_of_any_length() {
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
