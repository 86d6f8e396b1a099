//! Checks of the values of variations before anything runs.

use std::collections::BTreeSet;

use super::column::ValueColumn;
use super::distribution::{Distribution, VariedValue};
use super::target::Target;
use crate::error::Error;
use crate::session::Session;

/// Number of values up to which all numbers of a list are checked; of longer ones, the least and the greatest are.
const CHECKED: usize = 64;

/// Checks the number of values of a list.
pub fn length(values: &Distribution, members: usize) -> Result<(), String> {
    let (count, exact) = match values {
        Distribution::List(values) => (values.len() as u64, false),
        Distribution::Range { count, .. } => (*count, false),
        Distribution::Column(values) => (values.len() as u64, true),
        _ => return Ok(()),
    };
    if count > members as u64 || (exact && count != members as u64) {
        let most = if exact { "" } else { "at most " };
        return Err(format!(
            "it has {count} values; expected {most}{members}, the number of members"
        ));
    }
    Ok(())
}

/// Returns the numbers of the values of a list, one value after the other; none for a text.
pub fn numbers_of(values: &Distribution, target: &Target) -> Result<Vec<f64>, String> {
    let Some(width) = target.width() else { return Ok(Vec::new()) };
    let items = values.items();
    if items.is_empty() && width != 1 {
        return Err(format!(
            "the distribution '{}' gives one number; expected texts of {width} numbers, or a variation of a component",
            values.kind()
        ));
    }
    let mut all = Vec::with_capacity(items.len() * width);
    for item in items {
        match item.numbers() {
            Some(numbers) if numbers.len() == width => all.extend(numbers),
            _ => {
                let numbers = if width == 1 { "a finite number" } else { "finite numbers" };
                let count = if width == 1 { String::new() } else { format!("{width} ") };
                return Err(format!("a value is '{item}'; expected {count}{numbers}"));
            }
        }
    }
    Ok(all)
}

/// Returns the seeds from which members have one; none of a range.
pub fn seeds(values: &ValueColumn) -> Result<Vec<u64>, String> {
    let wrong =
        |found: String| format!("{found}; expected whole numbers from 0 to 18446744073709551615");
    let whole = |number: f64| number.fract() == 0.0 && (0.0..2_f64.powi(53)).contains(&number);
    if let Distribution::Range { count, .. } = *values.distribution() {
        let mut numbers = (0..count as usize).map(|member| values.number(member));
        let odd = numbers.find(|number| !whole(*number));
        return odd.map_or(Ok(Vec::new()), |odd| Err(wrong(format!("a value is {odd}"))));
    }
    let items = values.distribution().items();
    if items.is_empty() {
        return Err(wrong(format!("the distribution is '{}'", values.distribution().kind())));
    }
    let seed = |item: &VariedValue| match item {
        VariedValue::Number(number) => whole(*number).then_some(*number as u64),
        VariedValue::Text(text) => text.parse().ok(),
    };
    let checked = |item| seed(item).ok_or_else(|| wrong(format!("a value is '{item}'")));
    items.iter().map(checked).collect()
}

/// Checks the values of `members` members for a parameter, whose text is `text_of` a value. Unless others of its model vary, they are checked together
/// with the values that those have.
pub fn parameter(
    name: &str,
    is_alone: bool,
    text_of: impl Fn(String) -> String,
    values: &ValueColumn,
    members: usize,
    session: &Session,
) -> Result<(), String> {
    for value in values_to_check(values, members) {
        let (world, value) = (session.world(), text_of(value.to_string()));
        let checked = match is_alone {
            true => world.check_parameters(&[(name, &value)]),
            false => world.check_parameter(name, &value),
        };
        checked.map_err(|error| {
            format!("{} is not accepted: {}", values.distribution(), reason(&error))
        })?;
    }
    Ok(())
}

/// Returns values that a parameter must accept: texts, ends of ranges, and a number that is not whole if there is
/// one.
fn values_to_check(values: &ValueColumn, members: usize) -> Vec<VariedValue> {
    let distribution = values.distribution();
    let mut numbers: Vec<f64> = match (distribution, distribution.ends()) {
        (_, Some(ends)) => ends.into_iter().chain([values.number(0)]).collect(),
        (Distribution::Normal { .. }, None) => {
            (0..members).map(|member| values.number(member)).collect()
        }
        _ => {
            let mut texts = BTreeSet::new();
            let items = distribution.items().iter();
            let distinct: Vec<_> = items.filter(|item| texts.insert(item.to_string())).collect();
            let single = |item: &&VariedValue| match item.numbers().as_deref() {
                Some([number]) => Some(*number),
                _ => None,
            };
            match distinct.iter().map(single).collect::<Option<Vec<f64>>>() {
                Some(numbers) if numbers.len() > CHECKED => numbers,
                _ => return distinct.into_iter().cloned().collect(),
            }
        }
    };
    let part = numbers.iter().copied().find(|number| number.fract() != 0.0);
    numbers.sort_by(f64::total_cmp);
    let ends = [numbers[0], numbers[numbers.len() - 1]];
    ends.into_iter().chain(part).map(VariedValue::Number).collect()
}

/// Returns the reason why a value is not accepted, in one line.
pub fn reason(error: &Error) -> String {
    match error {
        Error::Load(load) => load.diagnostics.first().map_or_else(String::new, |one| {
            let parts = [&*one.message, &*one.label].into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("; ")
        }),
        other => other.to_string(),
    }
}
