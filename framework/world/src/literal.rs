//! Literals of the world file: numbers, colours and lists.

/// Parses a finite number, decimal or hexadecimal (`0x…`). Surrounding white space is ignored.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).ok().map(f64::from);
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses an integer the way `%i` of C's `scanf` does: decimal, hexadecimal after `0x`, octal after
/// a leading 0, up to the first character that is not a digit.
pub(crate) fn parse_c_integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    i64::from_str_radix(&digits[..end], radix).ok().map(|number| sign * number)
}

/// Parses a colour, `#RRGGBB` or `#RRGGBBAA`, into red, green, blue and opacity.
pub(crate) fn parse_color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !matches!(digits.len(), 6 | 8) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |index: usize| {
        digits
            .get(2 * index..2 * index + 2)
            .map_or(Some(255), |part| u8::from_str_radix(part, 16).ok())
    };
    Some([channel(0)?, channel(1)?, channel(2)?, channel(3)?])
}

/// Returns the items of a list, which are separated by white space or commas.
pub(crate) fn list_items(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|item| !item.is_empty())
}

/// Splits a number with a unit, such as `15kg`, into both parts.
pub(crate) fn split_unit(text: &str) -> Option<(&str, &str)> {
    let at = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+'))?;
    let (number, unit) = text.split_at(at);
    let is_unit =
        unit.len() < 10 && unit.chars().all(|c| c.is_alphabetic() || "/²³·°%".contains(c));
    (is_unit && parse_number(number).is_some()).then_some((number, unit))
}

#[cfg(test)]
mod tests {
    use super::{parse_c_integer, split_unit};

    #[test]
    fn integers_are_parsed_as_in_c() {
        for (text, expected) in [
            ("010", Some(8)),
            ("0x1F", Some(31)),
            ("1808.45", Some(1808)),
            ("1.23e+06", Some(1)),
            ("-7", Some(-7)),
            ("08", Some(0)),
            ("0", Some(0)),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(parse_c_integer(text), expected, "{text}");
        }
    }

    #[test]
    fn units_are_split_from_numbers() {
        assert_eq!(split_unit("15kg"), Some(("15", "kg")));
        assert_eq!(split_unit("-2.5m/s²"), Some(("-2.5", "m/s²")));
        assert_eq!(split_unit("kg"), None);
        assert_eq!(split_unit("15"), None);
    }
}
