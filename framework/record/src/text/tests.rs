//! Tests of `text`.

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
    let patterns = (1..100_000_u64).map(|k| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let patterns = patterns.filter(|value| value.is_finite());
    // numbers with few digits after the binary point, some of which lie between two shortest texts
    let coarse = (0..70).flat_map(|bits| {
        let pattern = move |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11 | 1;
        (1..200).flat_map(move |k| {
            (0..53).step_by(4).map(move |shift| (pattern(k) >> shift) as f64 * 0.5_f64.powi(bits))
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
