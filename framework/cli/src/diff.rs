//! `simhost diff`: compares two runs.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use simhost_model::Patterns;
use simhost_runs::{Comparison, Run, RunDifference, Unpaired};

use crate::arguments::pattern;
use crate::process::{Code, Failure};
use crate::terminal;

/// Arguments of `simhost diff`.
#[derive(Args, Clone, Debug)]
pub struct Diff {
    /// First run: an output directory or an MCAP file.
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// Second run: an output directory or an MCAP file.
    #[arg(value_name = "B")]
    pub second: PathBuf,

    /// Largest difference that counts as equal, in the unit of each value. A number alone applies to all
    /// quantities, PATTERN=X to those that match; the last one that matches counts; can be repeated.
    #[arg(long, value_name = "[PATTERN=]X", default_value = "0", value_parser = tolerance)]
    pub tolerance: Vec<Tolerance>,

    /// Compare quantities that match PATTERN; can be repeated. `*` does not cross `/`, `**` does, `!`
    /// excludes [default: all].
    #[arg(long = "of", value_name = "PATTERN", value_parser = pattern)]
    pub patterns: Vec<String>,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Largest difference that counts as equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Pattern of names; `None` for all quantities.
    pub pattern: Option<String>,
    /// Difference in the unit of the value.
    pub limit: f64,
}

fn tolerance(text: &str) -> Result<Tolerance, String> {
    let (pattern, limit) = match text.rsplit_once('=') {
        Some((pattern, limit)) => (Some(crate::arguments::pattern(pattern)?), limit),
        None => (None, text),
    };
    match limit.trim().parse::<f64>() {
        Ok(limit) if limit.is_finite() && limit >= 0.0 => Ok(Tolerance { pattern, limit }),
        _ => Err("expected a number of at least 0, or PATTERN=NUMBER".into()),
    }
}

/// Number of quantities that are listed in a line each.
const MOST: usize = 40;

/// Compares two runs. The exit code is [`Code::Negative`] if they differ.
pub fn diff(arguments: &Diff) -> Result<Code, Failure> {
    let patterns = Patterns::new(arguments.patterns.iter().map(String::as_str));
    let keep = |name: &str| arguments.patterns.is_empty() || patterns.select(name);
    let first = open(&arguments.first, &keep)?;
    let second = open(&arguments.second, &keep)?;
    let tolerances: Vec<(Option<Patterns>, f64)> = arguments
        .tolerance
        .iter()
        .map(|one| (one.pattern.as_deref().map(|pattern| Patterns::new([pattern])), one.limit))
        .collect();
    let tolerance = |name: &str| {
        let applies = |(pattern, _): &&(Option<Patterns>, f64)| {
            pattern.as_ref().is_none_or(|pattern| pattern.select(name))
        };
        tolerances.iter().rev().find(applies).map_or(0.0, |(_, limit)| *limit)
    };
    let comparison = Comparison::new(&first, &second, &tolerance);
    let is_equal = is_equal(&comparison, &first, &second);
    if comparison.quantities == 0 {
        let text = format!(
            "{} and {} have no quantity in common{}",
            first.path.display(),
            second.path.display(),
            if arguments.patterns.is_empty() { "" } else { " that `--of` selects" }
        );
        return Err(Failure::new(Code::BadInput, text));
    }
    match arguments.json {
        true => terminal::result(&as_json(&comparison, is_equal))?,
        false => show(&comparison, [&first, &second], is_equal)?,
    }
    Ok(if is_equal { Code::Done } else { Code::Negative })
}

/// Returns whether two runs are equal. A folder and an MCAP file need not hold the same quantities.
fn is_equal(comparison: &Comparison, first: &Run, second: &Run) -> bool {
    let has_all = comparison.only_first.is_empty() && comparison.only_second.is_empty();
    comparison.is_equal() && (has_all || first.path.is_dir() != second.path.is_dir())
}

fn open(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Run, Failure> {
    let run = Run::open(path, keep).map_err(|error| Failure::new(Code::BadInput, error))?;
    run.notes.iter().for_each(|note| terminal::warning(note));
    Ok(run)
}

fn show(comparison: &Comparison, runs: [&Run; 2], is_equal: bool) -> Result<(), Failure> {
    let Comparison { quantities, values, differing, first, largest, samples, .. } = comparison;
    let mut lines = Vec::new();
    if let Some(RunDifference { name, unit, time, values: [one, other], .. }) = first {
        lines.push(format!("first difference: {name} at {time} s: {one} and {other} {unit}"));
    }
    if !largest.is_empty() {
        lines.push("largest differences:".to_owned());
        lines.extend(table(largest));
    }
    for Unpaired { name, counts: [one, other], time } in samples.iter().take(MOST) {
        let counts = format!("{one} samples only in the first run, {other} only in the second");
        lines.push(format!("{name}: {counts}, from {time} s on"));
    }
    lines.extend(more(samples.len(), "quantities with missing samples"));
    for (run, names) in runs.iter().zip([&comparison.only_first, &comparison.only_second]) {
        if !names.is_empty() {
            let listed: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
            lines.push(format!("only in {}: {}", run.path.display(), listed.join(", ")));
            lines.extend(more(names.len(), "quantities"));
        }
    }
    let verdict = if is_equal { "equal" } else { "different" };
    let noun = if *quantities == 1 { "quantity" } else { "quantities" };
    lines.push(match differing {
        0 if is_equal => format!("{verdict}: {values} values of {quantities} {noun}"),
        0 => format!("{verdict}: {values} values of {quantities} {noun} are equal"),
        _ => format!("{verdict}: {differing} of {values} values of {quantities} {noun} differ"),
    });
    terminal::result(&lines.join("\n"))
}

/// Returns the note that a list was cut.
fn more(count: usize, things: &str) -> Option<String> {
    (count > MOST).then(|| format!("  and {} more {things}", count - MOST))
}

/// Returns the largest differences in columns, the quantities in their order.
fn table(largest: &[RunDifference]) -> Vec<String> {
    let rows = largest.iter().take(MOST).map(|one| {
        let amount = match one.amount.is_finite() {
            true => format!("{} {}", rounded(one.amount), one.unit),
            false => format!("{} and {} {}", one.values[0], one.values[1], one.unit),
        };
        (&one.name, amount, one.time)
    });
    let rows: Vec<(&String, String, f64)> = rows.collect();
    let name = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let amount = rows.iter().map(|(_, amount, _)| amount.chars().count()).max().unwrap_or(0);
    let lines = rows
        .iter()
        .map(|(one, difference, time)| format!("  {one:name$}  {difference:amount$}  at {time} s"));
    lines.chain(more(largest.len(), "quantities")).collect()
}

/// Returns a number with six digits.
fn rounded(number: f64) -> String {
    match (1e-4..1e6).contains(&number) {
        true => {
            let digits = 5 - number.log10().floor() as i32;
            format!("{number:.*}", digits.max(0) as usize)
        }
        false => format!("{number:.5e}"),
    }
}

fn as_json(comparison: &Comparison, is_equal: bool) -> String {
    let difference = |one: &RunDifference| {
        let RunDifference { name, unit, time, values, amount } = one;
        // JSON has no number that is not finite
        let number = |value: f64| match value.is_finite() {
            true => json!(value),
            false => json!(value.to_string()),
        };
        json!({
            "name": name,
            "unit": unit,
            "time_s": time,
            "first": number(values[0]),
            "second": number(values[1]),
            "difference": number(*amount),
        })
    };
    let samples = comparison.samples.iter().map(|one| {
        json!({
            "name": one.name,
            "only_in_first": one.counts[0],
            "only_in_second": one.counts[1],
            "from_s": one.time,
        })
    });
    let document = json!({
        "equal": is_equal,
        "quantities": comparison.quantities,
        "values": comparison.values,
        "differing": comparison.differing,
        "first_difference": comparison.first.as_ref().map(difference),
        "largest_differences": comparison.largest.iter().map(difference).collect::<Vec<_>>(),
        "samples": samples.collect::<Vec<_>>(),
        "only_in_first": comparison.only_first,
        "only_in_second": comparison.only_second,
    });
    format!("{document:#}")
}

#[cfg(test)]
mod tests {
    use super::{Tolerance, tolerance};

    #[test]
    fn tolerances_are_numbers_with_an_optional_pattern() {
        assert_eq!(tolerance("1e-9"), Ok(Tolerance { pattern: None, limit: 1e-9 }));
        let of_pose = Tolerance { pattern: Some("*/pose".to_owned()), limit: 0.01 };
        assert_eq!(tolerance("*/pose=0.01"), Ok(of_pose));
        for wrong in ["-1", "nan", "inf", "", "a=", "=1", "*/pose=-0.1"] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
