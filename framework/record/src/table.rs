//! A single CSV file.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::RecordError;

/// CSV file that is written in large pieces, and when it is dropped.
pub(crate) struct Table {
    path: PathBuf,
    /// Open file. `None` if the file is reopened for each piece, because operating systems limit the
    /// number of open files.
    file: Option<File>,
    rows: Vec<u8>,
    piece: usize,
}

impl Table {
    /// Creates or replaces the file. Rows are written once `piece` bytes are collected.
    pub(crate) fn create(
        path: PathBuf,
        header: &[&str],
        piece: usize,
        stays_open: bool,
    ) -> Result<Self, RecordError> {
        let file = match File::create(&path) {
            Ok(file) => stays_open.then_some(file),
            Err(source) => return Err(RecordError::Create { path, source }),
        };
        let mut rows = Vec::new();
        for (k, name) in header.iter().enumerate() {
            if k > 0 {
                rows.push(b',');
            }
            push_text(&mut rows, name);
        }
        rows.push(b'\n');
        Ok(Self { path, file, rows, piece })
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a row of the time, names and numbers.
    pub(crate) fn row<'n>(
        &mut self,
        time: f64,
        names: &[&str],
        numbers: impl IntoIterator<Item = &'n f64>,
    ) -> Result<(), RecordError> {
        push_number(&mut self.rows, time);
        for name in names {
            self.rows.push(b',');
            push_text(&mut self.rows, name);
        }
        for number in numbers {
            self.rows.push(b',');
            push_number(&mut self.rows, *number);
        }
        self.rows.push(b'\n');
        if self.rows.len() < self.piece { Ok(()) } else { self.flush() }
    }

    /// Writes all collected rows.
    pub(crate) fn flush(&mut self) -> Result<(), RecordError> {
        self.write_rows().map_err(|source| RecordError::Write { path: self.path.clone(), source })
    }

    /// Writes all collected rows. After a failure, the rest is kept for the next attempt.
    fn write_rows(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut reopened;
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                reopened = OpenOptions::new().append(true).open(&self.path)?;
                &mut reopened
            }
        };
        let mut written = 0;
        let mut outcome = Ok(());
        while written < self.rows.len() {
            match file.write(&self.rows[written..]) {
                Ok(0) => {
                    outcome = Err(ErrorKind::WriteZero.into());
                    break;
                }
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        self.rows.drain(..written);
        outcome
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // an error cannot be reported here; `CsvRecorder::finish` does report it
        let _ = self.write_rows();
    }
}

/// Appends the shortest text that reads back as the same number.
fn push_number(row: &mut Vec<u8>, number: f64) {
    if number == 0.0 {
        row.push(b'0');
    } else if number.is_nan() {
        row.extend_from_slice(b"nan");
    } else if (1e-5..1e16).contains(&number.abs()) || number.is_infinite() {
        write!(row, "{number}").expect("writing to memory does not fail");
    } else {
        write!(row, "{number:e}").expect("writing to memory does not fail");
    }
}

fn push_text(row: &mut Vec<u8>, text: &str) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        row.extend_from_slice(text.as_bytes());
        return;
    }
    let mut writer = csv::Writer::from_writer(&mut *row);
    writer.write_record([text]).expect("writing to memory does not fail");
    writer.flush().expect("writing to memory does not fail");
    drop(writer);
    // the record terminator
    row.pop();
}

#[cfg(test)]
mod tests {
    use super::{push_number, push_text};

    fn number(number: f64) -> String {
        let mut row = Vec::new();
        push_number(&mut row, number);
        String::from_utf8_lossy(&row).into_owned()
    }

    #[test]
    fn special_numbers() {
        let numbers = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0];
        let texts = ["0", "0", "nan", "nan", "inf", "-inf", "1"];
        assert_eq!(numbers.map(number), texts);
    }

    #[test]
    fn numbers_read_back_bit_for_bit() {
        let edges = [f64::MIN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.1, 1.0 / 3.0, 1e21, -1e-7];
        // bit patterns of every exponent, from a Weyl sequence
        let patterns =
            (1..20_000_u64).map(|k| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        for value in patterns.filter(|v| v.is_finite()).chain(edges) {
            let text = number(value);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
    }

    #[test]
    fn names_are_quoted_where_needed() {
        let mut row = Vec::new();
        for text in ["plain name", ",", "a, \"b\"", "line\nbreak", "#x", ""] {
            push_text(&mut row, text);
            row.push(b',');
        }
        assert_eq!(
            String::from_utf8_lossy(&row),
            "plain name,\",\",\"a, \"\"b\"\"\",\"line\nbreak\",#x,,"
        );
    }
}
