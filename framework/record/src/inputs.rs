//! `inputs.jsonl`: every input of a run, one JSON object per line.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use simhost_streams::Input;

use crate::INPUTS_FILE;

/// An input with its place in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputRecord {
    /// Number of the input, counted from 1 in the order in which inputs act.
    pub sequence: u64,
    /// Number of completed steps when it acts: it acts at the start of the next step. The number goes
    /// back after a reset or a restored snapshot.
    pub step: u64,
    /// Whether it acts before the measurements at the start of the run, as an edit of a session does before the first
    /// step.
    #[serde(default)]
    pub before_start: bool,
    /// The input.
    #[serde(flatten)]
    pub input: Input,
}

/// The inputs of an earlier run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputRecords {
    /// The inputs in the order in which they acted.
    pub list: Vec<InputRecord>,
    /// Whether the last line is cut, because the run was killed while it was written.
    pub is_cut: bool,
}

impl InputRecords {
    /// Reads the file of a folder, up to its last whole line.
    ///
    /// # Errors
    /// [`InputFileError`] if the file cannot be read, or a line before the last is not an input.
    pub fn read(folder: &Path) -> Result<Self, InputFileError> {
        let path = folder.join(INPUTS_FILE);
        let text = simhost_files::read(&path, simhost_files::MAX_DATA_BYTES)
            .map_err(|source| InputFileError::Read { path: path.clone(), source })?;
        Self::parse(&text).map_err(|(line, text)| InputFileError::Line { path, line, text })
    }

    /// Reads those lines of the file of a folder that are inputs; none if there is no file.
    pub fn read_known(folder: &Path) -> Vec<InputRecord> {
        let text = simhost_files::read(&folder.join(INPUTS_FILE), simhost_files::MAX_DATA_BYTES)
            .unwrap_or_default();
        let lines = text.split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    fn parse(text: &[u8]) -> Result<Self, (usize, String)> {
        let mut list: Vec<InputRecord> = Vec::new();
        let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines = text[..end].split_inclusive(|byte| *byte == b'\n');
        for (index, line) in lines.enumerate() {
            let number = index + 1;
            let record: InputRecord = serde_json::from_slice(line).map_err(|error| {
                // the line of the reason is that of the text alone, which has one
                let reason = error.to_string();
                let reason = reason.split(" at line ").next().unwrap_or_default();
                (number, format!("expected an input; {reason}"))
            })?;
            let expected = number as u64;
            if record.sequence != expected {
                let found = record.sequence;
                let text = format!("input number {found} is out of order; expected {expected}");
                return Err((number, text));
            }
            list.push(record);
        }
        Ok(Self { list, is_cut: end < text.len() })
    }
}

/// A file of inputs cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputFileError {
    /// The file is missing or cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A line is not an input.
    #[error("{}:{line}: {text}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Description of what was found and expected.
        text: String,
    },
}

#[cfg(test)]
mod tests {
    use super::InputRecords;

    #[test]
    fn lines_that_are_not_inputs_are_reported_with_their_number() {
        let pause = r#"{"sequence":1,"step":0,"input":"pause"}"#;
        for (second, expected) in [
            ("{}", "missing field"),
            ("nonsense", "expected"),
            (r#"{"sequence":3,"step":0,"input":"pause"}"#, "out of order"),
            (r#"{"sequence":2,"step":0,"input":"jump"}"#, "jump"),
        ] {
            let text = format!("{pause}\n{second}\n{pause}");
            let (line, error) = InputRecords::parse(text.as_bytes()).unwrap_err();
            assert_eq!(line, 2, "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_reader_that_shows_inputs_leaves_others_out() {
        let folder = tempfile::tempdir().unwrap();
        assert!(InputRecords::read_known(folder.path()).is_empty());
        let pause = r#"{"sequence":1,"step":0,"input":"pause"}"#;
        let text = format!("{pause}\n{{\"input\":\"jump\"}}\n{pause}\n{{\"sequ");
        std::fs::write(folder.path().join(crate::INPUTS_FILE), text).unwrap();
        assert_eq!(InputRecords::read_known(folder.path()).len(), 2);
    }
}
