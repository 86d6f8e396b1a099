//! The rows of data.

use super::header::FORMAT;
use super::header::{CrgHeader, Form};
use crate::{Limits, Problem};

/// Bytes of a record. A row in ASCII begins with a new one.
const RECORD: usize = 80;

/// Returns the numbers of all rows. Missing ones are NaN.
pub(super) fn rows(bytes: &[u8], header: &CrgHeader, limits: &Limits) -> Result<Vec<f64>, Problem> {
    let channels = header.channels.len();
    let numbers = match header.form {
        Form::Text(width) => text(bytes, header, width, limits)?,
        Form::Single => {
            binary(bytes, channels, limits, |four: &[u8; 4]| f64::from(f32::from_be_bytes(*four)))?
        }
        Form::Double => {
            binary(bytes, channels, limits, |eight: &[u8; 8]| f64::from_be_bytes(*eight))?
        }
    };
    if let Some(place) = numbers.iter().position(|number| number.is_infinite()) {
        let text = format!("row {} has an infinite number", place / channels + 1);
        return Err(Problem::syntax(FORMAT, text));
    }
    Ok(numbers)
}

fn bounded(count: usize, limits: &Limits) -> Result<(), Problem> {
    Problem::bounded("numbers of a road surface", count as u64, 2 * limits.max_vertices as u64)
}

/// Reads numbers without gaps. The last record is filled up with missing ones.
fn binary<const N: usize>(
    bytes: &[u8],
    channels: usize,
    limits: &Limits,
    number: impl Fn(&[u8; N]) -> f64,
) -> Result<Vec<f64>, Problem> {
    bounded(bytes.len() / N, limits)?;
    let (numbers, _) = bytes.as_chunks::<N>();
    let mut numbers: Vec<f64> = numbers.iter().map(number).collect();
    let whole = numbers.len() - numbers.len() % channels;
    if numbers[whole..].iter().any(|number| !number.is_nan()) {
        let (found, rows) = (numbers.len(), whole / channels);
        let text = format!(
            "the data ends within a row: {found} numbers are {rows} rows of {channels} and a part of one"
        );
        return Err(Problem::syntax(FORMAT, text));
    }
    numbers.truncate(whole);
    // a row shorter than a record can be missing as a whole
    while numbers.chunks(channels).next_back().is_some_and(|row| row.iter().all(|one| one.is_nan()))
    {
        numbers.truncate(numbers.len() - channels);
    }
    Ok(numbers)
}

/// Reads numbers of a width in characters. Lines with as many words as numbers need not keep to the width.
fn text(
    bytes: &[u8],
    header: &CrgHeader,
    width: usize,
    limits: &Limits,
) -> Result<Vec<f64>, Problem> {
    let channels = header.channels.len();
    let per_line = RECORD / width;
    let mut numbers: Vec<f64> = Vec::new();
    let mut last = header.line;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = std::str::from_utf8(line.trim_ascii_end()).unwrap_or("?");
        if line.trim().is_empty() {
            continue;
        }
        last = header.line + index;
        let expected = (channels - numbers.len() % channels).min(per_line);
        bounded(numbers.len() + expected, limits)?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let words = if words.len() == expected { words } else { fields(line, width) };
        if words.len() != expected {
            let found = words.len();
            return Err(error(last, format!("found {found} numbers; expected {expected}")));
        }
        for word in words {
            numbers.push(number(word, last)?);
        }
    }
    if !numbers.len().is_multiple_of(channels) {
        let left = channels - numbers.len() % channels;
        return Err(error(last, format!("the data ends within a row, which lacks {left} numbers")));
    }
    Ok(numbers)
}

fn error(line: usize, text: String) -> Problem {
    Problem::syntax(FORMAT, format!("line {line}: {text}"))
}

/// Returns the fields of a line without the white space around them.
fn fields(line: &str, width: usize) -> Vec<&str> {
    if !line.is_ascii() {
        return Vec::new();
    }
    let starts = (0..line.len()).step_by(width);
    starts.map(|start| line[start..(start + width).min(line.len())].trim()).collect()
}

/// Reads a number. One that begins with a star is missing.
fn number(word: &str, line: usize) -> Result<f64, Problem> {
    if word.starts_with('*') {
        return Ok(f64::NAN);
    }
    // exponents of Fortran
    let word = word.replace(['D', 'd'], "e");
    let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| {
        let shown: String = word.chars().take(40).collect();
        error(line, format!("found `{shown}`; expected a number, or a star for a missing one"))
    })
}
