//! A single CSV file.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::RecordError;
use crate::block::RowView;
use crate::text::Text;

/// Bytes of text that a file collects before it is written, unless it is flushed.
const PIECE: usize = 1 << 17;

/// Content of the rows of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Time, names and numbers.
    Columns,
    /// Text that is already formatted.
    Lines,
}

/// CSV file that is written in large pieces.
pub(crate) struct Table {
    path: PathBuf,
    /// Open file. `None` if the file is reopened for each piece, because operating systems limit the
    /// number of open files.
    file: Option<File>,
    content: Rows,
    /// Rows that are not written yet.
    text: Text,
}

impl Table {
    /// Creates or replaces the file and writes its header. A header that cannot be written is kept, and
    /// the next [`Self::flush`] reports the error.
    pub(crate) fn create(
        path: PathBuf,
        header: &[&str],
        content: Rows,
        stays_open: bool,
    ) -> Result<Self, RecordError> {
        let file = match simhost_files::create(&path) {
            Ok(file) => file,
            Err(source) => return Err(RecordError::Create { path, source }),
        };
        let mut text = Text::default();
        for (k, name) in header.iter().enumerate() {
            if k > 0 {
                text.push(b',');
            }
            text.push_field(name);
        }
        text.push(b'\n');
        let mut table = Self { path, file: Some(file), content, text };
        // the error shows again when the first rows are written
        let _ = table.write_text();
        if !stays_open {
            table.file = None;
        }
        Ok(table)
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: &RowView<'_>, times: &mut TimeText) {
        match self.content {
            Rows::Lines => self.text.push_bytes(row.names[0].as_bytes()),
            Rows::Columns => {
                self.text.push_bytes(times.of(row.time));
                for name in &row.names[..row.named] {
                    self.text.push(b',');
                    self.text.push_field(name);
                }
                for number in row.numbers {
                    self.text.push(b',');
                    self.text.push_number(*number);
                }
            }
        }
        self.text.push(b'\n');
    }

    /// Returns the number of bytes that are not written yet.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether enough rows are collected to be written.
    pub(crate) fn is_full(&self) -> bool {
        self.text.len() >= PIECE
    }

    /// Writes all collected rows. After a failure, the rest is kept for the next attempt.
    pub(crate) fn flush(&mut self) -> Result<(), RecordError> {
        self.write_text().map_err(|source| RecordError::Write { path: self.path.clone(), source })
    }

    fn write_text(&mut self) -> io::Result<()> {
        if self.text.len() == 0 {
            return Ok(());
        }
        let mut reopened;
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                reopened = simhost_files::append(&self.path)?;
                &mut reopened
            }
        };
        let (mut written, outcome) = write_rows(file, self.text.bytes());
        if outcome.is_err() {
            // an incomplete row is removed, and is written again in the next attempt
            let end = self.text.bytes()[..written].iter().rposition(|byte| *byte == b'\n');
            let rest = written - end.map_or(0, |end| end + 1);
            if rest > 0 && cut(file, rest).is_ok() {
                written -= rest;
            }
        }
        self.text.remove_start(written);
        if self.file.is_none() && self.text.len() == 0 {
            // there can be many thousands of these files
            self.text = Text::default();
        }
        outcome
    }
}

/// Removes bytes from the end of a file.
fn cut(file: &mut File, bytes: usize) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?.saturating_sub(bytes as u64);
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end)).map(|_| ())
}

/// Bytes that the operating system copies to a file at once. If the process is killed, it completes these.
const PAGE: u64 = 4096;

/// Writes whole rows to the end of a file, and returns how many bytes were written. Each write ends with a row, and goes
/// beyond the end of a page only with the one row that does, so that a process that is killed leaves whole rows.
pub(crate) fn write_rows(file: &mut File, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0;
    let mut at = match file.seek(SeekFrom::End(0)) {
        Ok(at) => at,
        Err(error) => return (0, Err(error)),
    };
    while written < bytes.len() {
        let rest = &bytes[written..];
        match file.write(&rest[..rows_of_page(rest, at)]) {
            Ok(0) => return (written, Err(ErrorKind::WriteZero.into())),
            Ok(count) => (written, at) = (written + count, at + count as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}

/// Returns the length of the rows at the start of `text` that fit into the page at offset `at` of a file, or of the first
/// row if it does not.
fn rows_of_page(text: &[u8], at: u64) -> usize {
    let room = text.len().min((PAGE - at % PAGE) as usize);
    let last = text[..room].iter().rposition(|byte| *byte == b'\n');
    let end = last.or_else(|| text.iter().position(|byte| *byte == b'\n'));
    end.map_or(text.len(), |end| end + 1)
}

/// Text of the last time. Many rows in succession have the same time.
#[derive(Default)]
pub(crate) struct TimeText {
    time: f64,
    text: Text,
}

impl TimeText {
    /// Returns a time as text.
    fn of(&mut self, time: f64) -> &[u8] {
        if self.text.len() == 0 || time.to_bits() != self.time.to_bits() {
            self.time = time;
            self.text = Text::default();
            self.text.push_number(time);
        }
        self.text.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A write that goes beyond the end of a page can be cut there when the process is killed.
    #[test]
    fn a_write_goes_beyond_a_page_with_one_row_only() {
        let rows = |lengths: &[usize]| -> String {
            lengths.iter().map(|length| format!("{}\n", "x".repeat(length - 1))).collect()
        };
        let text = rows(&[1000; 12]);
        let (mut at, mut rest) = (96u64, text.as_bytes());
        let mut written = Vec::new();
        while !rest.is_empty() {
            let count = rows_of_page(rest, at);
            let pages = (at + count as u64 - 1) / PAGE - at / PAGE;
            assert!(rest[count - 1] == b'\n' && (pages == 0 || count == 1000), "{at}: {count}");
            written.push(count);
            (at, rest) = (at + count as u64, &rest[count..]);
        }
        assert_eq!(written, [4000, 4000, 1000, 3000]);
        assert_eq!(rows_of_page(rows(&[9000, 10]).as_bytes(), 0), 9000);
        assert_eq!(rows_of_page(b"no end", 0), 6);
    }

    #[test]
    fn rows_are_added_to_the_end_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let rows: String = (0..5000).map(|row| format!("{row},{}\n", row * row)).collect();
        for _ in 0..2 {
            let mut file = simhost_files::create(&path).unwrap();
            for part in rows.as_bytes().chunks(40_001) {
                let (written, outcome) = write_rows(&mut file, part);
                assert!(outcome.is_ok() && written == part.len());
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), rows);
        }
    }
}
