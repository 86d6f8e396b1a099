//! Texts of pictures.

/// Returns a number with four significant digits.
pub fn short(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let digits = number.abs().log10().floor() as i32;
    if !(-4..7).contains(&digits) {
        return format!("{number:.3e}");
    }
    let text = format!("{number:.*}", (3 - digits).max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Returns a unit as it follows a number; nothing for a pure number.
pub fn unit(unit: &str) -> String {
    match unit {
        "1" | "" => String::new(),
        unit => format!(" {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_have_four_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (12.3456, "12.35"),
            (-0.001_234_56, "-0.001235"),
            (123_456.0, "123456"),
            (1.5e-9, "1.500e-9"),
            (100.0, "100"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }
}
