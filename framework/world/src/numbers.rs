//! Numbers, booleans and names in values, with what was expected in the error.

use crate::diagnostics::Severity;
use crate::reader::Reader;
use crate::tag::did_you_mean;
use crate::xml::Text;

/// What a number has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity<'a> {
    pub name: &'a str,
    pub unit: &'a str,
    pub min: f64,
    pub max: f64,
    pub above_min: bool,
    pub below_max: bool,
}

impl<'a> Quantity<'a> {
    /// Any number.
    pub(crate) const fn any(name: &'a str, unit: &'a str) -> Self {
        let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { name, unit, min, max, above_min: false, below_max: false }
    }

    pub(crate) const fn positive(name: &'a str, unit: &'a str) -> Self {
        Self { min: 0.0, above_min: true, ..Self::any(name, unit) }
    }

    pub(crate) fn allows(&self, value: f64) -> bool {
        let low = if self.above_min { value > self.min } else { value >= self.min };
        let high = if self.below_max { value < self.max } else { value <= self.max };
        low && high
    }

    /// `a number in kg, greater than 0`.
    pub(crate) fn expected(&self, noun: &str) -> String {
        let mut text = format!("expected {noun}");
        if !matches!(self.unit, "" | "1") {
            text += &format!(" in {}", self.unit);
        }
        if self.min.is_finite() {
            let word = if self.above_min { "greater than" } else { "at least" };
            text += &format!(", {word} {}", self.min);
        }
        if self.max.is_finite() {
            let word = if self.below_max { "less than" } else { "at most" };
            text += &format!(", {word} {}", self.max);
        }
        text
    }
}

/// A finite number, decimal or hexadecimal.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).ok().map(f64::from);
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// What C's `%i` makes of a text: decimal, `0x` hexadecimal, octal after a leading 0, up to the first
/// character that is no digit.
fn c_integer(text: &str) -> Option<i64> {
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

fn is_unit(text: &str) -> bool {
    text.len() < 10 && text.chars().all(|c| c.is_alphabetic() || "/²³·°%".contains(c))
}

/// The items of a list.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

impl Reader<'_> {
    pub(crate) fn number(&mut self, text: &Text, quantity: &Quantity<'_>) -> Option<f64> {
        let value = self.value(text)?;
        self.checked(text, &value, quantity, "a number")
    }

    /// A number whose text is known already.
    pub(crate) fn checked(
        &mut self,
        text: &Text,
        value: &str,
        quantity: &Quantity<'_>,
        noun: &str,
    ) -> Option<f64> {
        let name = quantity.name;
        let Some(number) = parse_number(value) else {
            let digits = value.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+'));
            let mut notes = Vec::new();
            if let Some(at) =
                digits.filter(|at| is_unit(&value[*at..]) && parse_number(&value[..*at]).is_some())
            {
                notes.push(format!("help: write `{}` without `{}`", &value[..at], &value[at..]));
            }
            let message = format!("`{name}` is not a number: `{value}`");
            self.error(text.span, message, quantity.expected(noun), notes);
            return None;
        };
        if !quantity.allows(number) {
            let message = format!("`{name}` is out of range: {number}");
            self.error(text.span, message, quantity.expected(noun), Vec::new());
            return None;
        }
        Some(number)
    }

    /// A whole number. What `$f{…}` gives is cut to one, as files that exist expect.
    pub(crate) fn integer(&mut self, text: &Text, quantity: &Quantity<'_>) -> Option<f64> {
        let mut value = self.value(text)?;
        if let Some(read) = c_integer(&value).filter(|_| self.profile().c_integers) {
            if parse_number(&value) != Some(read as f64) {
                let message = format!("`{}` is read as {read}", quantity.name);
                let label = "as in C: a leading 0 means octal, and only digits count";
                self.warning(text.span, message, label);
            }
            value = read.to_string();
        }
        let number = self.checked(text, &value, quantity, "a whole number")?;
        if number.fract() == 0.0 {
            return Some(number);
        }
        if text.origin != crate::xml::Origin::Computed {
            let message = format!("`{}` is not a whole number: `{value}`", quantity.name);
            self.error(text.span, message, quantity.expected("a whole number"), Vec::new());
            return None;
        }
        self.checked(text, &number.trunc().to_string(), quantity, "a whole number")
    }

    pub(crate) fn boolean(&mut self, text: &Text, name: &str) -> Option<bool> {
        let value = self.value(text)?;
        match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                let message = format!("`{name}` is not a boolean: `{value}`");
                self.error(text.span, message, "expected true, false, 1 or 0", Vec::new());
                None
            }
        }
    }

    /// Numbers separated by white space, as many as `layouts` has names in one of its entries.
    pub(crate) fn row(&mut self, text: &Text, name: &str, layouts: &[&str]) -> Option<Vec<f64>> {
        let value = self.value(text)?;
        let numbers: Option<Vec<f64>> = value.split_whitespace().map(parse_number).collect();
        let numbers = numbers.filter(|numbers| {
            layouts.iter().any(|layout| layout.split_whitespace().count() == numbers.len())
        });
        if numbers.is_none() {
            let message = format!("`{name}` is not understood: `{value}`");
            let label = format!("expected {}", layouts.join(" or "));
            self.error(text.span, message, label, Vec::new());
        }
        numbers
    }

    /// One of a few words.
    pub(crate) fn word(&mut self, text: &Text, name: &str, words: &[&str]) -> Option<String> {
        let value = self.value(text)?;
        if words.contains(&value.as_str()) {
            return Some(value);
        }
        let message = format!("`{name}` cannot be `{value}`");
        let label = did_you_mean(&value, words.iter().copied());
        let notes = vec![format!("help: one of {}", words.join(", "))];
        // the peer keeps the default
        let lenient = self.profile().lenient;
        let severity = if lenient { Severity::Warning } else { Severity::Error };
        self.say(severity, text.span, message, label, notes);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::c_integer;

    #[test]
    fn whole_numbers_as_c_reads_them() {
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
            assert_eq!(c_integer(text), expected, "{text}");
        }
    }
}
