//! The writer of `inputs.jsonl`: every input of a run, one JSON object per line.

use std::fs::File;
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simhost_record::{INPUTS_FILE, RecordError};
use simhost_streams::Input;

use super::error::OutputError;

/// Writer of `inputs.jsonl`. Its lock keeps other sessions out of the folder.
pub struct InputFile {
    path: PathBuf,
    file: File,
    written: u64,
    lines: Vec<u8>,
}

impl InputFile {
    /// Opens and locks the file in a folder. Its content stays until [`Self::clear`].
    ///
    /// # Errors
    /// [`OutputError`] if the file cannot be opened, or another session has locked it.
    pub fn lock(folder: &Path) -> Result<Self, OutputError> {
        let path = folder.join(INPUTS_FILE);
        let failed = |source| RecordError::Create { path: path.clone(), source };
        let mut options = File::options();
        options.create(true).truncate(false).read(true).write(true);
        let file = simhost_files::open_in_place(&path, &options).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(OutputError::InUse { path: folder.to_owned() });
            }
            // nothing else has access to files in memory
            Err(std::fs::TryLockError::Error(source))
                if source.kind() == ErrorKind::Unsupported => {}
            Err(std::fs::TryLockError::Error(source)) => return Err(failed(source).into()),
        }
        Ok(Self { path, file, written: 0, lines: Vec::new() })
    }

    /// Removes the inputs of an earlier run.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written.
    pub fn clear(&mut self) -> Result<(), RecordError> {
        let cleared = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        cleared.map(drop).map_err(|source| self.failure(source))
    }

    /// Adds an input that acts after `step` completed steps, or `before_start`. It is written with [`Self::flush`].
    pub fn add(&mut self, step: u64, before_start: bool, input: &Input) {
        self.written += 1;
        let record = InputLine { sequence: self.written, step, before_start, input };
        let written = serde_json::to_writer(&mut self.lines, &record);
        written.expect("inputs have string keys, and memory can be written");
        self.lines.push(b'\n');
    }

    /// Hands the added inputs to the operating system, which keeps them even if this process is killed.
    ///
    /// # Errors
    /// [`RecordError`] if they cannot be written.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(&self.lines);
        self.lines.clear();
        written.map_err(|source| self.failure(source))
    }

    /// Returns the number of inputs.
    pub const fn count(&self) -> u64 {
        self.written
    }

    fn failure(&self, source: std::io::Error) -> RecordError {
        RecordError::Write { path: self.path.clone(), source }
    }
}

/// Line of the file, as [`InputRecord`](simhost_record::InputRecord).
#[derive(Serialize)]
struct InputLine<'a> {
    sequence: u64,
    step: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    before_start: bool,
    #[serde(flatten)]
    input: &'a Input,
}

#[cfg(test)]
mod tests {
    use super::InputFile;
    use crate::output::OutputError;
    use simhost_record::InputRecords;
    use simhost_streams::Input;

    fn command(value: f64) -> Input {
        let (vehicle, kind) = ("robot \"1\"\n".to_owned(), "twist".to_owned());
        Input::Command { vehicle, kind, values: vec![value, -0.0, 5e-324] }
    }

    #[test]
    fn numbers_are_exact_and_a_cut_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = InputFile::lock(folder.path()).unwrap();
        let inputs = [
            command(0.1 + 0.2),
            command(f64::MAX),
            Input::Parameter { name: "a/b/C".to_owned(), value: "1e-3".to_owned() },
            Input::Reset { seed: u64::MAX },
            Input::Pace { factor: 1.0 / 3.0 },
            Input::Stop,
        ];
        inputs.iter().zip(0..).for_each(|(input, step)| file.add(7 * step, step == 0, input));
        file.flush().unwrap();
        let read = InputRecords::read(folder.path()).unwrap();
        assert!(!read.is_cut);
        let found: Vec<_> = read.list.iter().map(|record| record.input.clone()).collect();
        assert_eq!(found, inputs);
        let Input::Command { values, .. } = &found[0] else { panic!() };
        assert_eq!(values[1].to_bits(), (-0.0_f64).to_bits());
        assert_eq!((read.list[3].step, read.list[3].sequence), (21, 4));
        let is_early: Vec<bool> = read.list.iter().map(|record| record.before_start).collect();
        assert_eq!(is_early, [true, false, false, false, false, false]);

        let path = folder.path().join(simhost_record::INPUTS_FILE);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let cut = InputRecords::read(folder.path()).unwrap();
        assert_eq!((cut.list.len(), cut.is_cut), (5, true));
    }

    #[test]
    fn a_lock_keeps_a_second_session_out() {
        let folder = tempfile::tempdir().unwrap();
        let first = InputFile::lock(folder.path()).unwrap();
        let second = InputFile::lock(folder.path());
        assert!(matches!(second, Err(OutputError::InUse { .. })));
        drop(first);
        assert!(InputFile::lock(folder.path()).is_ok());
    }
}
