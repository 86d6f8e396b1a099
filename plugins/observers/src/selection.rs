//! Parameters that several observers share.

/// Returns the patterns of a text, which are separated by commas or line breaks.
pub(crate) fn patterns(text: &str) -> Vec<String> {
    let parts = text.split([',', '\n']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Returns a number as a field of a CSV file: the shortest decimal that reads back as the same number,
/// `nan`, `inf` or `-inf`.
pub(crate) fn csv_number(value: f64) -> String {
    // negative zero is written as 0
    let value = if value == 0.0 { 0.0 } else { value };
    match value.abs() {
        size if size.is_nan() => "nan".to_owned(),
        size if size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) => {
            format!("{value:e}")
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_separated_by_commas_or_lines() {
        assert_eq!(patterns(" a/b, !c/** \n d\n\n"), ["a/b", "!c/**", "d"]);
        assert!(patterns("  ").is_empty());
    }

    #[test]
    fn numbers_are_short_decimals() {
        let numbers = [-0.0, f64::NAN, f64::NEG_INFINITY, 0.1, 1e-7, -2.5e20].map(csv_number);
        assert_eq!(numbers, ["0", "nan", "-inf", "0.1", "1e-7", "-2.5e20"]);
    }
}
