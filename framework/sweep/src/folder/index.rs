//! Where the row of each run is, in a few bytes per run.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::StudyError;
use crate::row::{RunRow, RunStatus};

/// The row of a run: its place, and what decides whether it counts.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub run: u64,
    at: u64,
    file: u32,
    attempt: u16,
    pub status: RunStatus,
}

/// The rows of a folder, sorted by the numbers of their runs.
pub struct Index {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    /// Number of entries that are sorted.
    sorted: usize,
    /// Length of the last file.
    end: u64,
}

impl Index {
    /// Reads the rows of a folder.
    pub fn read(folder: &Path) -> Result<Self, StudyError> {
        let mut index = Self { files: row_files(folder)?, entries: Vec::new(), sorted: 0, end: 0 };
        for number in 0..index.files.len() {
            index.read_file(number)?;
        }
        index.sort();
        Ok(index)
    }

    /// Reads the rows of a file, whose last line may be incomplete.
    fn read_file(&mut self, number: usize) -> Result<(), StudyError> {
        let path = self.files[number].clone();
        let file = simhost_files::open(&path).map_err(StudyError::read(&path))?;
        let mut reader = BufReader::with_capacity(1 << 18, file);
        let (mut line, mut at) = (Vec::new(), 0_u64);
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line).map_err(StudyError::read(&path))?;
            if count == 0 {
                break;
            }
            // what a killed process has not completed is no row
            if let Some(Head { run, status, attempt }) = line.strip_suffix(b"\n").and_then(Head::of)
            {
                let (file, attempt) = (number as u32, attempt.min(u16::MAX.into()) as u16);
                self.entries.push(Entry { run, at, file, attempt, status });
            }
            at += count as u64;
        }
        Ok(())
    }

    /// Sorts the entries by run, and keeps the last attempt of each. Until then, a row that was added is searched for.
    pub fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|one| {
            (one.run, std::cmp::Reverse(one.attempt), one.file, one.at)
        });
        self.entries.dedup_by_key(|one| one.run);
        self.sorted = self.entries.len();
    }

    /// Returns the number of runs that have rows.
    pub fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Returns the rows in the order of their runs.
    pub fn entries(&self) -> Cow<'_, [Entry]> {
        if self.sorted == self.entries.len() {
            return Cow::Borrowed(&self.entries);
        }
        let mut all = self.entries.clone();
        all.sort_by_key(|one| (one.run, std::cmp::Reverse(one.attempt)));
        all.dedup_by_key(|one| one.run);
        Cow::Owned(all)
    }

    fn find(&self, run: u64) -> Option<&Entry> {
        // a process looks a few up while it adds rows
        let later = self.entries[self.sorted..].iter().rev().find(|entry| entry.run == run);
        later.or_else(|| {
            let sorted = &self.entries[..self.sorted];
            sorted.binary_search_by_key(&run, |entry| entry.run).ok().map(|at| &sorted[at])
        })
    }

    /// Returns whether a run has a row.
    pub fn has(&self, run: u64) -> bool {
        self.find(run).is_some()
    }

    /// Returns the number of rows that a run has had when the folder was opened.
    pub fn attempts(&self, run: u64) -> u32 {
        let sorted = &self.entries[..self.sorted];
        let known = sorted.binary_search_by_key(&run, |entry| entry.run).ok();
        known.map_or(0, |at| u32::from(sorted[at].attempt) + 1)
    }

    /// Adds a file for the rows of this process.
    pub fn add_file(&mut self, path: PathBuf) {
        self.files.push(path);
        self.end = 0;
    }

    /// Returns the path of the file that was added last.
    pub fn last_file(&self) -> &Path {
        self.files.last().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Adds rows of the last file, which begin at `starts` behind its end, and are `length` bytes together.
    pub fn add(&mut self, rows: &[RunRow], starts: &[usize], length: usize) {
        let file = (self.files.len() - 1) as u32;
        for (row, start) in rows.iter().zip(starts) {
            let attempt = self.attempts(row.run).min(u16::MAX.into()) as u16;
            let at = self.end + *start as u64;
            self.entries.push(Entry { run: row.run, at, file, attempt, status: row.status });
        }
        self.end += length as u64;
    }

    /// Returns the row of a run, if it has one.
    pub fn row(&self, run: u64) -> Result<Option<RunRow>, StudyError> {
        let Some(entry) = self.find(run) else { return Ok(None) };
        let mut readers = Readers::new(&self.files);
        readers.row(entry)
    }

    /// Calls `each` with all rows in the order of their runs.
    pub fn for_each(&self, each: &mut dyn FnMut(RunRow)) -> Result<(), StudyError> {
        let mut readers = Readers::new(&self.files);
        for entry in self.entries().iter() {
            if let Some(row) = readers.row(entry)? {
                each(row);
            }
        }
        Ok(())
    }
}

/// Open files of rows.
struct Readers<'i> {
    files: &'i [PathBuf],
    open: Vec<Option<(BufReader<File>, u64)>>,
    line: Vec<u8>,
}

impl<'i> Readers<'i> {
    fn new(files: &'i [PathBuf]) -> Self {
        Self { files, open: files.iter().map(|_| None).collect(), line: Vec::new() }
    }

    fn row(&mut self, entry: &Entry) -> Result<Option<RunRow>, StudyError> {
        let number = entry.file as usize;
        let path = &self.files[number];
        if self.open[number].is_none() {
            let file = simhost_files::open(path).map_err(StudyError::read(path))?;
            self.open[number] = Some((BufReader::new(file), 0));
        }
        let Some((reader, at)) = &mut self.open[number] else { return Ok(None) };
        if *at != entry.at {
            let distance = entry.at as i64 - *at as i64;
            // within the buffer, nothing is read
            reader.seek_relative(distance).map_err(StudyError::read(path))?;
        }
        self.line.clear();
        let count = reader.read_until(b'\n', &mut self.line).map_err(StudyError::read(path))?;
        *at = entry.at + count as u64;
        Ok(RunRow::from_line(&self.line))
    }
}

/// Returns the files of rows in a folder, sorted by name.
pub fn row_files(folder: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(StudyError::read(folder))? {
        let path = entry.map_err(StudyError::read(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("rows-") && name.ends_with(".jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The part of a row that the index needs.
#[derive(Debug, PartialEq, Deserialize)]
struct Head {
    pub run: u64,
    pub status: RunStatus,
    #[serde(default)]
    pub attempt: u32,
}

impl Head {
    /// Reads the head of a line, which is an object of JSON.
    pub fn of(line: &[u8]) -> Option<Self> {
        Self::as_written(line).or_else(|| serde_json::from_slice(line).ok())
    }

    /// Reads the head of a line as [`RunRow::to_line`] writes it, without looking at the rest. Inside of a text, quotes have
    /// a backslash before them, so that the names of fields are found in no text.
    fn as_written(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"{\"run\":")?;
        let (run, rest) = digits(rest)?;
        let rest = after(rest, b",\"status\":\"")?;
        let name = &rest[..rest.iter().position(|one| *one == b'"')?];
        let status = RunStatus::ALL.into_iter().find(|one| one.name().as_bytes() == name)?;
        let rest = line.strip_suffix(b"}")?;
        // the last field, if there is one
        let digit_count = rest.iter().rev().take_while(|one| one.is_ascii_digit()).count();
        let (before, number) = rest.split_at(rest.len() - digit_count);
        let attempt = match before.strip_suffix(b",\"attempt\":") {
            Some(_) => u32::try_from(digits(number)?.0).ok()?,
            None => before.ends_with(b"\"").then_some(0)?,
        };
        Some(Self { run, status, attempt })
    }
}

/// Returns the number with which a text begins, and the rest.
fn digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|one| !one.is_ascii_digit()).unwrap_or(text.len());
    let add = |sum: u64, one: &u8| sum.checked_mul(10)?.checked_add(u64::from(one - b'0'));
    let number = text[..end].iter().try_fold(0, add)?;
    (end > 0).then_some((number, &text[end..]))
}

/// Returns what follows a part of a text.
fn after<'t>(text: &'t [u8], part: &[u8]) -> Option<&'t [u8]> {
    let mut rest = text;
    loop {
        // fields begin with a comma, of which there are few
        rest = &rest[rest.iter().position(|one| *one == part[0])?..];
        match rest.strip_prefix(part) {
            Some(found) => return Some(found),
            None => rest = &rest[1..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::RunRow;

    /// Lines are read without all of their fields, whatever their texts contain.
    #[test]
    fn heads_equal_those_of_whole_rows() {
        let row = |values: &[&str], reason: &str, attempt| RunRow {
            run: 17,
            id: "00ff".to_owned(),
            seed: 3,
            values: values.iter().map(|one| (*one).to_owned()).collect(),
            status: RunStatus::Diverged,
            reason: reason.to_owned(),
            metrics: vec![Some(0.5), None],
            steps: 10,
            time_s: 0.1,
            hash: "ab".to_owned(),
            attempt,
        };
        let odd = [",\"status\":\"ok\"", "status", ",", ":", "\\", "{", "\"attempt\":7", "\n"];
        for row in [row(&[], "", 0), row(&odd, "", 2), row(&odd, "x\",\"attempt\":9", 0)] {
            let line = row.to_line();
            let expected = Head { run: 17, status: RunStatus::Diverged, attempt: row.attempt };
            assert_eq!(Head::as_written(line.as_bytes()), Some(expected), "{line}");
        }
        let other = b"{\"status\":\"ok\", \"run\": 4}";
        assert_eq!(Head::of(other), Some(Head { run: 4, status: RunStatus::Ok, attempt: 0 }));
        for cut in 0..other.len() {
            assert_eq!(Head::of(&other[..cut]), None);
        }
    }
}
