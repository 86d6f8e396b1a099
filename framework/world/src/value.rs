//! Values of texts: numbers, booleans, words, rows and colours. Errors say what was expected.

use crate::context::Context;
use crate::diagnostics::{Diagnostic, Severity, did_you_mean};
use crate::sources::Span;
use crate::spelling;
use crate::spelling::{parse_c_integer, parse_color, parse_number, split_unit};
use crate::tree::{Origin, Text};
use crate::vocabulary::{Entry, Quantity, Value};

/// Reads a number.
pub(crate) fn number(
    context: &mut Context<'_>,
    text: &Text,
    quantity: &Quantity<'_>,
) -> Option<f64> {
    in_range(context, text, text.value()?, quantity, "a number")
}

/// Parses `value`, a part of `text`, and checks its range. `noun` names what is expected.
pub(crate) fn in_range(
    context: &mut Context<'_>,
    text: &Text,
    value: &str,
    quantity: &Quantity<'_>,
    noun: &str,
) -> Option<f64> {
    let name = quantity.name;
    let Some(number) = parse_number(value) else {
        let mut error = Diagnostic::error(format!("`{name}` is not a number: `{value}`"));
        if let Some((number, unit)) = split_unit(value) {
            error = error.help(format!("write `{number}` without `{unit}`"));
        }
        context.report.push(error.at(text.span).label(quantity.expected(noun)));
        return None;
    };
    if !quantity.contains(number) {
        let message = format!("`{name}` is out of range: {number}");
        context.report.error(text.span, message, &quantity.expected(noun));
        return None;
    }
    Some(number)
}

/// Reads a whole number. The result of an expression is truncated, as existing world files expect.
pub(crate) fn integer(
    context: &mut Context<'_>,
    text: &Text,
    quantity: &Quantity<'_>,
) -> Option<f64> {
    const NOUN: &str = "a whole number";
    let mut value = text.value()?.to_owned();
    if let Some(read) = parse_c_integer(&value).filter(|_| context.profile.c_integers) {
        if parse_number(&value) != Some(read as f64) {
            let message = format!("`{}` is read as {read}", quantity.name);
            let label =
                "as in C, a leading 0 means octal and the number ends at the first non-digit";
            context.report.warning(text.span, message, label);
        }
        value = read.to_string();
    }
    let number = in_range(context, text, &value, quantity, NOUN)?;
    if number.fract() == 0.0 {
        return Some(number);
    }
    if text.origin != Origin::Computed {
        let message = format!("`{}` is not a whole number: `{value}`", quantity.name);
        context.report.error(text.span, message, &quantity.expected(NOUN));
        return None;
    }
    in_range(context, text, &number.trunc().to_string(), quantity, NOUN)
}

/// Reads the number, angle (in rad) or whole number of an entry.
pub(crate) fn entry_number(
    context: &mut Context<'_>,
    entry: &'static Entry,
    text: &Text,
) -> Option<f64> {
    let name = entry.name;
    match entry.value {
        Value::Number(quantity) => number(context, text, &Quantity { name, ..quantity }),
        Value::Angle(quantity) => {
            Some(number(context, text, &Quantity { name, ..quantity })?.to_radians())
        }
        Value::Integer(quantity) => integer(context, text, &Quantity { name, ..quantity }),
        _ => None,
    }
}

/// Reads a seed, whose form its entry describes, or another whole number.
pub(crate) fn seed(context: &mut Context<'_>, entry: &'static Entry, text: &Text) -> Option<u64> {
    let Value::Formatted(form) = entry.value else {
        return entry_number(context, entry, text).map(|number| number as u64);
    };
    let seed = text.value()?.parse().ok();
    if seed.is_none() {
        let message = format!("`{}` is not a seed: `{}`", entry.name, text.content);
        context.report.error(text.span, message, &format!("expected {form}"));
    }
    seed
}

/// Reads a boolean.
pub(crate) fn boolean(context: &mut Context<'_>, text: &Text, name: &str) -> Option<bool> {
    let value = text.value()?;
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => {
            let message = format!("`{name}` is not a boolean: `{value}`");
            context.report.error(text.span, message, "expected true, false, 1 or 0");
            None
        }
    }
}

/// Reads a row of numbers separated by white space. Each layout names its numbers, such as
/// `X Y YAW_DEG`; the row has as many numbers as one of them. Angles are returned in rad.
pub(crate) fn row(
    context: &mut Context<'_>,
    text: &Text,
    name: &str,
    layouts: &[&str],
) -> Option<Vec<f64>> {
    let value = text.value()?;
    let numbers: Option<Vec<f64>> = value.split_whitespace().map(parse_number).collect();
    let numbers = numbers.filter(|numbers| {
        layouts.iter().any(|layout| layout.split_whitespace().count() == numbers.len())
    });
    let mut numbers = numbers.or_else(|| spelling::pose(context, text, name, layouts));
    if let Some(numbers) = &mut numbers {
        to_radians(numbers, layouts);
    } else {
        let message = format!("cannot parse `{name}`: `{value}`");
        let label = format!("expected {}", layouts.join(" or "));
        context.report.error(text.span, message, &label);
    }
    numbers
}

/// Converts the angles of a row to rad: those that its layout calls `…_DEG`, or the last three if a pose in space has
/// the layout of one in the plane.
pub(crate) fn to_radians(numbers: &mut [f64], layouts: &[&str]) {
    let count = numbers.len();
    let names = |layout: &str| layout.split_whitespace().count();
    let Some(layout) = layouts.iter().find(|layout| names(layout) == count) else {
        let last = &mut numbers[count.saturating_sub(3)..];
        last.iter_mut().for_each(|angle| *angle = angle.to_radians());
        return;
    };
    for (number, name) in numbers.iter_mut().zip(layout.split_whitespace()) {
        if name.ends_with("_DEG") {
            *number = number.to_radians();
        }
    }
}

/// Reads one of several words. An unknown word is a warning in a lenient profile, which keeps the
/// default as MVSim does.
pub(crate) fn word(
    context: &mut Context<'_>,
    text: &Text,
    name: &str,
    words: &[&'static str],
) -> Option<&'static str> {
    let value = text.value()?;
    if let Some(word) = words.iter().find(|word| **word == value) {
        return Some(word);
    }
    let severity = if context.profile.lenient { Severity::Warning } else { Severity::Error };
    let diagnostic = Diagnostic::new(severity, format!("unknown value of `{name}`: `{value}`"))
        .at(text.span)
        .label(did_you_mean(value, words.iter().copied()))
        .help(format!("write one of {}", words.join(", ")));
    context.report.push(diagnostic);
    None
}

/// Reads a colour as red, green, blue and opacity.
pub(crate) fn color(context: &mut Context<'_>, text: &Text, name: &str) -> Option<[u8; 4]> {
    let value = text.value()?;
    let color = parse_color(value);
    if color.is_none() {
        let message = format!("`{name}` is not a colour: `{value}`");
        context.report.error(text.span, message, "expected #RRGGBB or #RRGGBBAA");
    }
    color
}

/// Reports a value that does not have the type of its entry.
pub(crate) fn check(context: &mut Context<'_>, entry: &'static Entry, text: &Text) {
    match entry.value {
        Value::Number(_) | Value::Angle(_) | Value::Integer(_) => {
            entry_number(context, entry, text);
        }
        Value::Bool => {
            boolean(context, text, entry.name);
        }
        Value::Choice(words) => {
            word(context, text, entry.name, words);
        }
        Value::Color => {
            color(context, text, entry.name);
        }
        Value::Row(layouts) => {
            row(context, text, entry.name, layouts);
        }
        _ => {}
    }
}

/// A value of a world file that `rand()` or `randn()` has drawn while the file was expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomValue {
    /// Name of the `<variable>` that has the value; `None` for a value of another element.
    pub variable: Option<String>,
    /// Position of the expression.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::to_radians;

    #[test]
    fn the_angles_of_a_row_are_converted() {
        const PLANE: &str = "X Y YAW_DEG";
        const KEY: &str = "T X Y Z YAW_DEG PITCH_DEG ROLL_DEG";
        for (layouts, row, angles) in [
            (&[PLANE][..], &[180.0; 3][..], 1),
            (&["X Y", PLANE], &[180.0; 2], 0),
            (&["X Y", PLANE], &[180.0; 3], 1),
            (&[KEY], &[180.0; 7], 3),
            // a pose in space where the layout is one in the plane
            (&[PLANE], &[180.0; 6], 3),
        ] {
            let mut numbers = row.to_vec();
            to_radians(&mut numbers, layouts);
            let expected = |index: usize| match index + angles >= row.len() {
                true => std::f64::consts::PI,
                false => 180.0,
            };
            let expected: Vec<f64> = (0..row.len()).map(expected).collect();
            assert_eq!(numbers, expected, "{layouts:?}");
        }
    }
}
