//! Values of options, read from their texts.

use std::time::Duration;

use simhost::{Distribution, EnsembleError, MetricRequest, Variation, VariationError};

/// Reads a number greater than 0.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("expected a number greater than 0".into()),
    }
}

/// Reads a number of bytes, such as `2G`.
pub fn size(text: &str) -> Result<u64, String> {
    let units = ["K", "M", "G", "T"].iter().zip(1..);
    let upper = text.to_uppercase();
    let upper = upper.trim_end_matches('B').trim_end_matches('I');
    let unit = units.clone().find_map(|(unit, power)| Some((upper.strip_suffix(unit)?, power)));
    let (digits, power) = unit.unwrap_or((upper, 0));
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e12 => Ok((number * 1024_f64.powi(power)) as u64),
        _ => Err("expected a size greater than 0, such as 500M or 2G".into()),
    }
}

/// Reads a number of at least 0.
pub fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("expected a number of at least 0".into()),
    }
}

/// Reads a pattern of names.
pub fn pattern(text: &str) -> Result<String, String> {
    match text.trim().trim_start_matches('!').trim() {
        "" => {
            Err("expected a pattern of names, such as `car/wheel/*/spin` or `!**/wheel/**`".into())
        }
        _ => Ok(text.trim().to_owned()),
    }
}

/// Reads a variation with one value.
pub fn fixed(text: &str) -> Result<Variation, String> {
    let variation: Variation = text.parse().map_err(|error: VariationError| error.to_string())?;
    match &variation.values {
        Distribution::Constant(_) => Ok(variation),
        other => Err(format!("found the distribution '{other}'; expected one value")),
    }
}

/// Reads a metric: an expression, with or without a name, or `REDUCTION:QUANTITY`.
pub fn metric(text: &str) -> Result<MetricRequest, String> {
    text.parse().map_err(|error: EnsembleError| error.to_string())
}

/// Reads a name and a value, such as a parameter of a model.
pub fn named_value(text: &str) -> Result<(String, String), String> {
    let split = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = split.ok_or("expected NAME=VALUE, such as mass=1200")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Reads an argument of an included file: its name, and its text.
pub fn argument(text: &str) -> Result<(String, String), String> {
    let (name, value) = named_value(text)?;
    match name.as_str() {
        "file" => Err("`file` is not an argument; give the file with --vehicle".into()),
        key if simhost_abi::is_key(key) => Ok((name, value)),
        key => Err(format!("found the name `{key}`; expected a name of XML")),
    }
}

/// Reads a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if (1..=1024).contains(&count) => Ok(count),
        _ => Err("expected a whole number from 1 to 1024".into()),
    }
}

/// Reads a time limit in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected seconds, from 0.01 to 3600".to_owned();
    let number: f64 = text.parse().map_err(|_| expected())?;
    if (0.01..=3600.0).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err(expected())
    }
}
