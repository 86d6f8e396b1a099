//! Files of lines.

use std::fs::File;
use std::path::{Path, PathBuf};

use simhost_streams::SinkError;

use crate::table::write_rows;
use crate::text::Text;

/// Bytes of text that a file collects before it is written, unless it is flushed.
const PIECE: usize = 1 << 16;

/// A file to which lines are added.
pub(super) struct Lines {
    path: PathBuf,
    file: File,
    text: Text,
}

impl Lines {
    /// Creates or replaces a file.
    pub(super) fn create(path: PathBuf) -> Result<Self, SinkError> {
        match simhost_files::create(&path) {
            Ok(file) => Ok(Self { path, file, text: Text::default() }),
            Err(error) => Err(failed("create", &path, error)),
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends text.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_bytes(text.as_bytes());
    }

    /// Appends a name as a field of a CSV file, in quotes where needed.
    pub(super) fn push_field(&mut self, text: &str) {
        self.text.push_field(text);
    }

    /// Appends a number as in all CSV files.
    pub(super) fn push_number(&mut self, number: f64) {
        self.text.push_number(number);
    }

    /// Ends a line.
    pub(super) fn end(&mut self) -> Result<(), SinkError> {
        self.text.push(b'\n');
        match self.text.len() >= PIECE {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Writes the collected lines.
    pub(super) fn flush(&mut self) -> Result<(), SinkError> {
        let (_, written) = write_rows(&mut self.file, self.text.bytes());
        self.text.remove_start(self.text.len());
        written.map_err(|error| failed("write", &self.path, error))
    }
}

/// Creates a folder.
pub(super) fn create_folder(path: &Path) -> Result<(), SinkError> {
    simhost_files::create_folder(path).map_err(|error| failed("create", path, error))
}

fn failed(verb: &str, path: &Path, error: std::io::Error) -> SinkError {
    SinkError::new(format!("cannot {verb} {}: {error}", path.display())).because(error)
}

/// Flushes files, and returns the paths of all.
pub(super) fn finish<'a>(
    files: impl Iterator<Item = &'a mut Lines>,
) -> Result<Vec<PathBuf>, SinkError> {
    let mut paths = Vec::new();
    for file in files {
        file.flush()?;
        paths.push(file.path().to_owned());
    }
    Ok(paths)
}
