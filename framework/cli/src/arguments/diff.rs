//! Arguments of `simhost diff`.

use std::path::PathBuf;

use clap::Args;

use super::pattern;

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
        Some((pattern, limit)) => (Some(super::pattern(pattern)?), limit),
        None => (None, text),
    };
    match limit.trim().parse::<f64>() {
        Ok(limit) if limit.is_finite() && limit >= 0.0 => Ok(Tolerance { pattern, limit }),
        _ => Err("expected a number of at least 0, or PATTERN=NUMBER".into()),
    }
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
