//! Rows of numbers in text files.

use crate::Problem;

const FORMAT: &str = "text";

/// Calls `row` with the number and the values of each line. Values are separated by white space or
/// commas. `#` and `%` start comments. Empty lines are skipped.
pub(crate) fn rows(
    text: &str,
    mut row: impl FnMut(usize, &[f64]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut numbers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.split(['#', '%']).next().unwrap_or_default();
        numbers.clear();
        for word in words(content) {
            numbers.push(number(word, index + 1)?);
        }
        if !numbers.is_empty() {
            row(index + 1, &numbers)?;
        }
    }
    Ok(())
}

/// Splits a text at white space and commas.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// Parses a finite number.
pub(crate) fn number(word: &str, line: usize) -> Result<f64, Problem> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let shown: String = word.chars().take(40).collect();
            Err(Problem::syntax(FORMAT, format!("line {line}: expected a number, found `{shown}`")))
        }
    }
}

/// Decodes UTF-8 without a byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Problem::syntax(FORMAT, format!("expected UTF-8: {error}")))?;
    Ok(text.trim_start_matches('\u{feff}'))
}
