//! `<variable>`, `<for>` and `<if>`, at any depth.

use std::borrow::Cow;

use compact_str::{CompactString, ToCompactString};

use super::{Context, Expansion};
use crate::sources::Span;
use crate::xml::{Element, Text};

/// Largest bound of a loop: whole numbers up to here are exact.
const MAX_BOUND: f64 = 9_007_199_254_740_992.0;

impl Expansion {
    /// Sets a variable: of the world, also from loops and includes there; within something, for the
    /// rest of it.
    #[inline(never)]
    pub(super) fn variable(&mut self, element: &Element, context: &Context) {
        self.check_tag(element, &["name", "value"], false);
        let (name, value) = (element.attribute("name"), element.attribute("value"));
        let (Some(name), Some(value)) = (name, value) else {
            let help = "write <variable name=\"…\" value=\"…\"/>";
            let message = "a variable needs a name and a value";
            self.report.error(Some(element.name_span), message, help);
            return;
        };
        let Some(name) = self.value(name, context) else { return };
        let Some(value) = self.value(value, context) else {
            // what is wrong has been said; that it is missing wherever it is used need not be
            self.failed.insert(name);
            return;
        };
        let cost = self.budget.work(value.len());
        if self.within(cost, element.name_span) {
            self.set(name, value, context);
        }
    }

    fn set(&mut self, name: CompactString, value: CompactString, context: &Context) {
        match context.in_world {
            true => self.variables.set_world(name, value),
            false => self.variables.set_local(name, value),
        }
    }

    /// Appends the rounds of a loop. As in the peer, all rounds of the first child come first, then
    /// all of the second: automatic names depend on it. The variable keeps its last value.
    #[inline(never)]
    pub(super) fn repeat(&mut self, element: &Element, context: &Context, out: &mut Vec<Element>) {
        self.check_tag(element, &["var", "from", "to"], true);
        let needed = ["var", "from", "to"].map(|name| element.attribute(name));
        let [Some(variable), Some(from), Some(to)] = needed else {
            let help = "write <for var=\"i\" from=\"1\" to=\"3\">";
            let message = "a loop needs a variable and both bounds";
            self.report.error(Some(element.name_span), message, help);
            return;
        };
        let variable = self.value(variable, context);
        let (from, to) = (self.bound(from, context), self.bound(to, context));
        let (Some(variable), Some(from), Some(to)) = (variable, from, to) else { return };
        let rounds = usize::try_from(to - from + 1).unwrap_or(0);
        // rounds without anything in them count, too
        let all = rounds.saturating_mul(element.children.len().max(1));
        let cost = self.budget.rounds(all);
        if !self.within(cost, element.name_span) {
            return;
        }
        let path = context.path.with(self.place(element.name_span, context).0);
        let mut inner = Context { in_loop: true, ..context.clone() };
        for child in &element.children {
            for index in from..=to {
                let cost = self.budget.count(1);
                if !self.within(cost, element.name_span) {
                    return;
                }
                self.set(variable.clone(), index.to_compact_string(), context);
                inner.path = path.with(index as u64);
                self.element(Cow::Borrowed(child), &inner, out);
            }
        }
    }

    /// A bound of a loop: a whole number, or a number that is cut to one.
    fn bound(&mut self, text: &Text, context: &Context) -> Option<i64> {
        let value = self.value(text, context)?;
        let number = value.parse::<f64>().ok().filter(|number| number.abs() <= MAX_BOUND);
        if number.is_none() {
            let message = format!("a loop cannot begin or end at `{value}`");
            self.report.error(Some(text.span), message, "write a whole number");
        }
        number.map(|number| number as i64)
    }

    /// Appends the contents where the condition holds.
    #[inline(never)]
    pub(super) fn condition(
        &mut self,
        element: &Element,
        context: &Context,
        out: &mut Vec<Element>,
    ) {
        self.check_tag(element, &["condition"], true);
        let Some(condition) = element.attribute("condition") else {
            let help = "write <if condition=\"…\">";
            self.report.error(Some(element.name_span), "an if without a condition", help);
            return;
        };
        // a class decides once, where it is declared
        let declared_first = context.declared.is_some();
        let decided = Context { declared_first, ..context.clone() };
        let Some(value) = self.value(condition, &decided) else { return };
        if self.holds(&value, condition.span) {
            self.elements(&element.children, context, out);
        }
    }

    /// Whether a condition holds: a word for yes, or a number whose whole part is not 0.
    #[inline(never)]
    fn holds(&mut self, value: &str, span: Span) -> bool {
        match value {
            "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
                return true;
            }
            "" => return false,
            _ => {}
        }
        if let Some(number) = whole_part(value) {
            return number;
        }
        let no = ["n", "no", "false", "off"];
        if !no.iter().any(|no| value.eq_ignore_ascii_case(no)) {
            let message = format!("`{value}` is neither true nor false");
            self.report.warning(span, message, "taken as false");
        }
        false
    }
}

/// Whether the whole part of a number is not 0; none for what does not begin with a number.
fn whole_part(value: &str) -> Option<bool> {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    (end > 0).then(|| digits[..end].bytes().any(|digit| digit != b'0'))
}

#[cfg(test)]
mod tests {
    use super::whole_part;

    #[test]
    fn conditions_look_at_the_whole_part() {
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
            assert_eq!(whole_part(text), expected, "{text}");
        }
    }
}
