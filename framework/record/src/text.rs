//! Text of a file that is not written yet.

use std::fmt;
use std::io::Write;

/// Longest text of a number, with space for copies of a fixed size.
const NUMBER: usize = 32;

/// Digits that a number between two shortest texts has at least.
const LONG: usize = 16;
/// Binary digits after the point that such a number has at most, if it is below 1e16. It has 18
/// significant decimal digits, and one decimal digit after the point for each binary one.
const COARSE: i32 = 25;

/// Text that is collected for a file.
///
/// The bytes behind the text exist, too, so that short texts are copied in blocks of a fixed size.
#[derive(Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    len: usize,
}

impl Text {
    /// Returns the text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes the first `count` bytes and keeps the memory.
    pub fn remove_start(&mut self, count: usize) {
        self.bytes.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// Returns space for a short text behind the text.
    #[inline(always)]
    fn space(&mut self) -> &mut [u8; NUMBER] {
        if self.bytes.get(self.len..).is_none_or(|rest| rest.len() < NUMBER) {
            self.grow(NUMBER);
        }
        let rest = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut());
        rest.expect("the space was made")
    }

    /// Makes space for `count` more bytes.
    #[cold]
    fn grow(&mut self, count: usize) {
        let len = (self.len + count).max(2 * self.bytes.len()).max(256);
        self.bytes.resize(len, 0);
    }

    /// Appends a byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.space()[0] = byte;
        self.len += 1;
    }

    /// Appends bytes.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() <= NUMBER {
            copy_short(self.space(), bytes);
        } else {
            if self.bytes.len() < self.len + bytes.len() {
                self.grow(bytes.len());
            }
            self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        }
        self.len += bytes.len();
    }

    /// Appends a name as a field of a CSV file, in quotes where needed.
    pub fn push_field(&mut self, text: &str) {
        if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
            self.push_bytes(text.as_bytes());
            return;
        }
        let mut quoted = Vec::new();
        let mut writer = csv::Writer::from_writer(&mut quoted);
        writer.write_record([text]).expect("writing to memory does not fail");
        writer.flush().expect("writing to memory does not fail");
        drop(writer);
        // the record terminator
        quoted.pop();
        self.push_bytes(&quoted);
    }

    /// Returns a field, in quotes where it needs them.
    pub fn field(text: &str) -> String {
        let mut field = Self::default();
        field.push_field(text);
        String::from_utf8_lossy(field.bytes()).into_owned()
    }

    /// Appends a number: the shortest text that reads back as the same number, with
    /// decimals from 1e-5 up to 1e16 and an exponent outside of that range.
    #[inline]
    pub fn push_number(&mut self, number: f64) {
        let rest = self.space();
        if !(1e-5..1e16).contains(&number.abs()) {
            if number == 0.0 {
                rest[0] = b'0';
                self.len += 1;
            } else {
                self.push_exponential(number);
            }
            return;
        }
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(number).as_bytes();
        if text.len() < LONG {
            copy_short(rest, text);
            // integers have a fraction of `.0`
            let is_integer = text.ends_with(b".0");
            self.len += text.len() - 2 * usize::from(is_integer);
        } else if fraction_bits(number) > COARSE {
            copy_short(rest, text);
            self.len += text.len();
        } else {
            self.push_rounded(number);
        }
    }

    /// Appends a decimal number whose neighbours among the shortest texts can be equally near: the
    /// standard library takes the larger one, zmij the even one.
    #[cold]
    fn push_rounded(&mut self, number: f64) {
        self.push_formatted(format_args!("{number}"));
    }

    /// Appends a number with an exponent, or one that is not finite.
    #[cold]
    fn push_exponential(&mut self, number: f64) {
        if number.is_nan() {
            self.push_bytes(b"nan");
        } else if number.is_infinite() {
            self.push_bytes(if number > 0.0 { b"inf" } else { b"-inf" });
        } else if fraction_bits(number) <= COARSE {
            self.push_formatted(format_args!("{number:e}"));
        } else {
            let mut buffer = zmij::Buffer::new();
            // positive exponents have a sign
            let text = buffer.format_finite(number).bytes().filter(|byte| *byte != b'+');
            text.for_each(|byte| self.push(byte));
        }
    }

    fn push_formatted(&mut self, number: fmt::Arguments<'_>) {
        let mut rest = &mut self.space()[..];
        rest.write_fmt(number).expect("numbers are shorter than the space for them");
        self.len += NUMBER - rest.len();
    }
}

/// Returns a text as a field of a CSV file, in quotes where needed.
pub fn csv_text(text: &str) -> String {
    Text::field(text)
}

/// Reads the cells of all rows of a CSV file, the first one included.
///
/// # Errors
/// Defect of the text.
pub fn csv_cells(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
    let cells = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|row| row.map(cells).map_err(|error| error.to_string())).collect()
}

/// Returns a number as a field of a CSV file, as all tables of a run have it.
pub fn csv_number(number: f64) -> String {
    let mut field = Text::default();
    field.push_number(number);
    String::from_utf8_lossy(field.bytes()).into_owned()
}

/// Copies a short text in two blocks that can overlap.
#[inline]
fn copy_short(to: &mut [u8; NUMBER], text: &[u8]) {
    let len = text.len();
    if let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>()) {
        to[..16].copy_from_slice(first);
        to[len - 16..len].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        to[..8].copy_from_slice(first);
        to[len - 8..len].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        to[..4].copy_from_slice(first);
        to[len - 4..len].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (text.first(), text.last()) {
        // at most three bytes
        (to[0], to[len / 2], to[len - 1]) = (*first, text[len / 2], *last);
    }
}

/// Returns the number of binary digits after the point, negative for an integer with trailing zeros.
/// The number is not zero.
fn fraction_bits(number: f64) -> i32 {
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    // bit 52 is set for all numbers that are not subnormal, which have more digits in any case
    let digits = bits | 1 << 52;
    1075 - exponent - digits.trailing_zeros() as i32
}

#[cfg(test)]
mod tests;
