//! The clocks that a run can follow.

use std::str::FromStr;

/// Accepted factors.
const FACTORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// Relation between simulated time and wall time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClockMode {
    /// As fast as possible.
    #[default]
    Fixed,
    /// In real time: the state at simulated time t is computed at wall time t / factor, one step after
    /// the other.
    Realtime {
        /// Simulated time per wall time, greater than 0.
        factor: f64,
    },
    /// As many frames as possible: each consists of the steps whose time has come since the frame before.
    Max,
}

/// A clock or a factor is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// The word is not a clock.
    #[error("unknown clock '{found}'; {help}")]
    Unknown {
        /// The word that was found.
        found: String,
        /// The nearest name, or all names.
        help: String,
    },
    /// The factor is not a number in the accepted range.
    #[error("the factor of the clock is '{0}'; expected a number from 0.000001 to 1000000")]
    Factor(String),
    /// The clock has no factor.
    #[error("the clock '{0}' has no factor; expected {0}, or realtime:FACTOR")]
    NoFactor(&'static str),
}

impl FromStr for ClockMode {
    type Err = ClockError;

    /// Parses `fixed`, `realtime`, `realtime:FACTOR` or `max`.
    fn from_str(text: &str) -> Result<Self, ClockError> {
        let (name, factor) = match text.split_once(':') {
            Some((name, factor)) => (name, Some(factor)),
            None => (text, None),
        };
        match (name, factor) {
            ("fixed", None) => Ok(Self::Fixed),
            ("max", None) => Ok(Self::Max),
            ("realtime", None) => Ok(Self::Realtime { factor: 1.0 }),
            ("realtime", Some(text)) => {
                let factor = text.trim().parse().map_err(|_| ClockError::Factor(text.into()))?;
                check_factor(factor).map(|()| Self::Realtime { factor })
            }
            ("fixed", Some(_)) => Err(ClockError::NoFactor("fixed")),
            ("max", Some(_)) => Err(ClockError::NoFactor("max")),
            (found, _) => {
                let names = ["fixed", "realtime", "max"];
                let help = match simhost_model::nearest(found, names) {
                    Some(name) => format!("did you mean '{name}'?"),
                    None => "expected fixed, realtime, realtime:FACTOR or max".to_owned(),
                };
                Err(ClockError::Unknown { found: found.to_owned(), help })
            }
        }
    }
}

impl std::fmt::Display for ClockMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed => f.write_str("fixed"),
            Self::Realtime { factor: 1.0 } => f.write_str("realtime"),
            Self::Realtime { factor } => write!(f, "realtime:{factor}"),
            Self::Max => f.write_str("max"),
        }
    }
}

/// Checks a factor between simulated time and wall time.
///
/// # Errors
/// [`ClockError::Factor`] if it is not finite or out of range.
pub fn check_factor(factor: f64) -> Result<(), ClockError> {
    match FACTORS.contains(&factor) {
        true => Ok(()),
        false => Err(ClockError::Factor(factor.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::ClockMode;

    #[test]
    fn clocks_are_parsed_and_written_alike() {
        for text in ["fixed", "realtime", "realtime:0.25", "max"] {
            assert_eq!(text.parse::<ClockMode>().unwrap().to_string(), text);
        }
        assert_eq!("realtime:1".parse(), Ok(ClockMode::Realtime { factor: 1.0 }));
    }

    #[test]
    fn wrong_clocks_are_explained() {
        let error = |text: &str| text.parse::<ClockMode>().unwrap_err().to_string();
        assert_eq!(error("realtme"), "unknown clock 'realtme'; did you mean 'realtime'?");
        for factor in ["0", "-1", "nan", "inf", "", "fast", "1e9"] {
            let found = error(&format!("realtime:{factor}"));
            assert!(found.starts_with("the factor of the clock is '"), "{found}");
        }
        assert!(error("max:2").contains("'max' has no factor"));
    }
}
