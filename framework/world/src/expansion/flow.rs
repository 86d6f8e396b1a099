//! `<variable>`, `<for>` and `<if>`: their attributes and conditions.

use std::ops::RangeInclusive;

use compact_str::CompactString;

use super::evaluation::value_of;
use super::state::Expansion;
use super::variables::NameContext;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::sources::Span;
use crate::tree::{Element, Text};

/// Largest bound of a loop. Whole numbers up to here are exact.
const MAX_BOUND: f64 = 9_007_199_254_740_992.0;

/// Evaluates a `<variable>`: at the top level a variable of the world, otherwise a local one.
#[inline(never)]
pub(super) fn set_variable(expansion: &mut Expansion, element: &Element, context: &NameContext) {
    check_attributes(expansion, element, &["name", "value"]);
    check_content(expansion, element, false);
    let (name, value) = (element.attribute("name"), element.attribute("value"));
    let (Some(name), Some(value)) = (name, value) else {
        let error = Diagnostic::error("a variable without a name or a value")
            .help("write <variable name=\"…\" value=\"…\"/>");
        expansion.report.push(error.at(element.name_span));
        return;
    };
    let Some(name) = value_of(expansion, name, context) else { return };
    let given = expansion.given.get_mut(&name).filter(|_| context.in_world);
    let given = given.map(|(value, is_declared)| {
        *is_declared = true;
        value.clone()
    });
    let earlier = expansion.random_values.len();
    let Some(value) = given.or_else(|| value_of(expansion, value, context)) else {
        // uses of the variable need not be reported again
        expansion.failed.insert(name);
        return;
    };
    for drawn in &mut expansion.random_values[earlier..] {
        drawn.variable = Some(name.to_string());
    }
    let cost = expansion.budget.work(value.len());
    if expansion.within_limits(cost, element.name_span) {
        assign(expansion, name, value, context);
    }
}

/// Sets a variable of the world or a local one.
pub(super) fn assign(
    expansion: &mut Expansion,
    name: CompactString,
    value: CompactString,
    context: &NameContext,
) {
    match context.in_world {
        true => expansion.variables.set_world(name, value),
        false => expansion.variables.set_local(name, value),
    }
}

/// Evaluates the attributes of a `<for>`. Returns the loop variable and its range.
#[inline(never)]
pub(super) fn loop_range(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<(CompactString, RangeInclusive<i64>)> {
    check_attributes(expansion, element, &["var", "from", "to"]);
    check_content(expansion, element, true);
    let attributes = ["var", "from", "to"].map(|name| element.attribute(name));
    let [Some(variable), Some(from), Some(to)] = attributes else {
        let error = Diagnostic::error("a loop without a variable or a bound")
            .help("write <for var=\"i\" from=\"1\" to=\"3\">");
        expansion.report.push(error.at(element.name_span));
        return None;
    };
    let variable = value_of(expansion, variable, context);
    let (from, to) = (bound(expansion, from, context), bound(expansion, to, context));
    let (variable, from, to) = (variable?, from?, to?);
    let iterations = usize::try_from(to - from + 1).unwrap_or(0);
    // iterations of an empty loop count too
    let total = iterations.saturating_mul(element.children.len().max(1));
    let cost = expansion.budget.iterations(total);
    expansion.within_limits(cost, element.name_span).then_some((variable, from..=to))
}

/// Evaluates the bound of a loop. A fraction is truncated.
fn bound(expansion: &mut Expansion, text: &Text, context: &NameContext) -> Option<i64> {
    let value = value_of(expansion, text, context)?;
    let number = value.parse::<f64>().ok().filter(|number| number.abs() <= MAX_BOUND);
    if number.is_none() {
        let error = Diagnostic::error(format!("`{value}` is not a loop bound"))
            .at(text.span)
            .label("expected a whole number");
        expansion.report.push(error);
    }
    number.map(|number| number as i64)
}

/// Evaluates the condition of an `<if>`.
#[inline(never)]
pub(super) fn condition_holds(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> bool {
    check_attributes(expansion, element, &["condition"]);
    check_content(expansion, element, true);
    let Some(condition) = element.attribute("condition") else {
        let error =
            Diagnostic::error("an <if> without a condition").help("write <if condition=\"…\">");
        expansion.report.push(error.at(element.name_span));
        return false;
    };
    // conditions in a class use the variables at its declaration
    let declared_first = context.declared.is_some();
    let context = NameContext { declared_first, ..context.clone() };
    let value = value_of(expansion, condition, &context);
    value.is_some_and(|value| is_true(expansion, &value, condition.span))
}

/// Returns whether a value is a word for yes or a number whose integer part is not 0.
fn is_true(expansion: &mut Expansion, value: &str, span: Span) -> bool {
    match value {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return true;
        }
        "" => return false,
        _ => {}
    }
    if let Some(number) = has_integer_part(value) {
        return number;
    }
    let no = ["n", "no", "false", "off"];
    if !no.iter().any(|no| value.eq_ignore_ascii_case(no)) {
        let message = format!("`{value}` is neither true nor false");
        expansion.report.warning(span, message, "treated as false");
    }
    false
}

/// Returns whether the integer part of a number is not 0, or `None` for a text that does not start
/// with a number.
fn has_integer_part(value: &str) -> Option<bool> {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    (end > 0).then(|| digits[..end].bytes().any(|digit| digit != b'0'))
}

/// Reports attributes that an element of the language does not have.
fn check_attributes(expansion: &mut Expansion, element: &Element, known: &[&str]) {
    for attribute in &element.attributes {
        if !known.contains(&attribute.name.as_str()) {
            let (name, owner) = (&attribute.name, &element.name);
            let message = format!("unknown attribute `{name}` in `<{owner}>`");
            let diagnostic = Diagnostic::new(expansion.unknown_severity(), message)
                .at(attribute.name_span)
                .label(did_you_mean(name, known.iter().copied()))
                .help(format!("expected one of {}", known.join(", ")));
            expansion.report.push(diagnostic);
        }
    }
}

/// Warns of texts and children without an effect in an element of the language.
pub(super) fn check_content(expansion: &mut Expansion, element: &Element, has_children: bool) {
    let name = &element.name;
    if let Some(text) = &element.text {
        let message = format!("text in `<{name}>` has no effect");
        expansion.report.warning(text.span, message, "ignored");
    }
    if let Some(child) = element.children.first().filter(|_| !has_children) {
        let message = format!("child elements of `<{name}>` have no effect");
        expansion.report.warning(child.name_span, message, "ignored");
    }
}

#[cfg(test)]
mod tests {
    use super::has_integer_part;

    #[test]
    fn conditions_use_the_integer_part() {
        for (text, expected) in [
            ("0", Some(false)),
            ("0.5", Some(false)),
            ("2", Some(true)),
            ("-1", Some(true)),
            ("0x10", Some(true)),
            ("000", Some(false)),
            ("no", None),
            (".5", None),
        ] {
            assert_eq!(has_integer_part(text), expected, "{text}");
        }
    }
}
