//! Files with the parameters of a submodel: lines of the form `name = value`.

use simhost_sdk::prelude::*;

/// Reads a file in which each line is `name = value`, empty, or a comment that starts with `#`, and sets
/// the parameters that it names.
///
/// # Errors
///
/// A message with file and line if a line has another form, a name is unknown or repeated, or a value is
/// not a finite number.
pub fn read(file: &BinaryFile, parameters: &mut [(&str, &mut f64)]) -> Result<(), String> {
    let text = std::str::from_utf8(&file.bytes)
        .map_err(|error| format!("{}: byte {}: not UTF-8", file.path, error.valid_up_to()))?;
    let mut seen = vec![false; parameters.len()];
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let at = |what: String| format!("{}:{}: {what}", file.path, number + 1);
        let names = || parameters.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let (name, value) = content
            .split_once('=')
            .ok_or_else(|| at(format!("found `{content}`, expected `name = value`")))?;
        let (name, value) = (name.trim(), value.trim());
        let place = parameters.iter().position(|(known, _)| *known == name).ok_or_else(|| {
            at(format!("unknown parameter: `{name}`; expected one of: {}", names()))
        })?;
        if std::mem::replace(&mut seen[place], true) {
            return Err(at(format!("`{name}` is given twice")));
        }
        let number = value.parse().ok().filter(|value: &f64| value.is_finite());
        *parameters[place].1 =
            number.ok_or_else(|| at(format!("`{name}` is {value}, expected a finite number")))?;
    }
    Ok(())
}
