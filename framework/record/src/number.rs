//! Numbers as text.

use std::io::Write;

/// Appends the shortest text that reads back as the same number: decimals from 1e-5 up to 1e16, and
/// an exponent outside of that range.
pub(crate) fn push_number(row: &mut Vec<u8>, number: f64) {
    if number == 0.0 {
        row.push(b'0');
    } else if number.is_finite() {
        push_finite(row, number);
    } else if number.is_nan() {
        row.extend_from_slice(b"nan");
    } else {
        row.extend_from_slice(if number > 0.0 { b"inf" } else { b"-inf" });
    }
}

/// Digits that a number between two shortest texts has at least.
const LONG: usize = 16;
/// Binary digits after the point that such a number has at most, if it is below 1e16. It has 18
/// significant decimal digits, and one decimal digit after the point for each binary one.
const COARSE: i32 = 25;

fn push_finite(row: &mut Vec<u8>, number: f64) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number).as_bytes();
    let is_decimal = (1e-5..1e16).contains(&number.abs());
    if text.len() >= LONG && fraction_bits(number) <= COARSE {
        push_by_standard_library(row, number, is_decimal);
    } else if is_decimal {
        // integers have a fraction of `.0`
        row.extend_from_slice(text.strip_suffix(b".0").unwrap_or(text));
    } else {
        // positive exponents have a sign
        row.extend(text.iter().filter(|byte| **byte != b'+'));
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

/// Appends a number whose neighbours among the shortest texts can be equally near. The standard library
/// takes the larger one, zmij the even one.
#[cold]
fn push_by_standard_library(row: &mut Vec<u8>, number: f64, is_decimal: bool) {
    let written = if is_decimal { write!(row, "{number}") } else { write!(row, "{number:e}") };
    written.expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::push_number;

    fn number(number: f64) -> String {
        let mut row = Vec::new();
        push_number(&mut row, number);
        String::from_utf8_lossy(&row).into_owned()
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
}
