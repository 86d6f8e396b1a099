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
mod tests {
    use std::io::Write;

    use super::Text;

    fn number(number: f64) -> String {
        let mut row = Text::default();
        row.push_number(number);
        String::from_utf8_lossy(row.bytes()).into_owned()
    }

    /// Returns a finite number as the standard library writes it.
    fn by_standard_library(number: f64) -> String {
        let mut row = Vec::new();
        if number == 0.0 {
            row.push(b'0');
        } else if (1e-5..1e16).contains(&number.abs()) {
            write!(row, "{number}").unwrap();
        } else {
            write!(row, "{number:e}").unwrap();
        }
        String::from_utf8(row).unwrap()
    }

    #[test]
    fn special_numbers() {
        let numbers = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0];
        let texts = ["0", "0", "nan", "nan", "inf", "-inf", "1"];
        assert_eq!(numbers.map(number), texts);
    }

    #[test]
    fn numbers_equal_those_of_the_standard_library_and_read_back() {
        let edges = [f64::MIN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.1, 1.0 / 3.0, 1e21, -1e-7];
        // powers of ten and their neighbours, where the notation changes
        let powers = (-30..30).map(|power| 10_f64.powi(power));
        let powers = powers.flat_map(|value| [value.next_down(), value, value.next_up(), -value]);
        // decimals as they occur in tables
        let decimals = (1..20_000_u32).map(|k| f64::from(k) * 0.005 - 17.0);
        // bit patterns of every exponent, from a Weyl sequence
        let patterns =
            (1..100_000_u64).map(|k| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let patterns = patterns.filter(|value| value.is_finite());
        // numbers with few digits after the binary point, some of which lie between two shortest texts
        let coarse = (0..70).flat_map(|bits| {
            let pattern = move |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11 | 1;
            (1..200).flat_map(move |k| {
                (0..53)
                    .step_by(4)
                    .map(move |shift| (pattern(k) >> shift) as f64 * 0.5_f64.powi(bits))
            })
        });
        let all = edges.into_iter().chain(powers).chain(decimals).chain(patterns).chain(coarse);
        for value in all {
            let text = number(value);
            assert_eq!(text, by_standard_library(value));
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
    }

    #[test]
    fn names_are_quoted_where_needed() {
        let mut row = Text::default();
        for text in ["plain name", ",", "a, \"b\"", "line\nbreak", "#x", ""] {
            row.push_field(text);
            row.push(b',');
        }
        assert_eq!(
            String::from_utf8_lossy(row.bytes()),
            "plain name,\",\",\"a, \"\"b\"\"\",\"line\nbreak\",#x,,"
        );
    }

    #[test]
    fn text_is_kept_when_the_start_is_removed() {
        let mut text = Text::default();
        for k in 0..1000 {
            text.push_number(f64::from(k));
        }
        let all = text.bytes().to_vec();
        text.remove_start(1234);
        assert_eq!(text.bytes(), &all[1234..]);
        text.remove_start(text.len());
        text.push_bytes(b"new");
        assert_eq!(text.bytes(), b"new");
    }
}
