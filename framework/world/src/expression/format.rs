//! Conversion of the value of an expression to text.

/// Returns the shortest text that parses to the same number.
pub(crate) fn exact(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-7..1e17).contains(&size) {
        return format!("{value:e}");
    }
    value.to_string()
}

/// Returns six significant digits, like `%g` in C.
pub(crate) fn six_digits(value: f64) -> String {
    let scientific = format!("{value:.5e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let Ok(exponent) = exponent.parse::<i32>() else { return scientific };
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    let decimals = (5 - exponent) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_match_printf() {
        for (value, expected) in [
            (1_234_567.0, "1.23457e+06"),
            (545_678.123_4, "545678"),
            (0.1, "0.1"),
            (100_000.0, "100000"),
            (999_999.5, "1e+06"),
            (0.000_012_345_67, "1.23457e-05"),
            (0.000_123_456_78, "0.000123457"),
            (-2.5, "-2.5"),
            (0.0, "0"),
            (1_808.449_074, "1808.45"),
        ] {
            assert_eq!(six_digits(value), expected);
        }
    }

    #[test]
    fn exact_texts_parse_to_the_same_number() {
        for value in [0.1 + 0.2, 1e300, -1.5e-12, 5e-324, 545_678.123_4, 0.0, -0.0] {
            assert_eq!(exact(value).parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }
}
