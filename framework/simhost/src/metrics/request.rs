//! Requests for metrics, as texts have them.

use std::fmt;
use std::str::FromStr;

use simhost_model::nearest;

use super::observed::ObservedNumber;
use crate::ensemble::Ensemble;
use crate::error::EnsembleError;

/// Number of vehicles with metrics if none are requested.
const VEHICLES: usize = 8;

/// Reduction of the samples of a value to one number. Samples that are not a number, such as
/// readings before the first sample of a sensor, are ignored; without other samples, the result is
/// not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The last sample, also if it is not a number.
    Final,
    /// The least sample.
    Min,
    /// The greatest sample.
    Max,
    /// The mean of all samples.
    Mean,
    /// The greatest absolute value of a sample.
    AbsMax,
}

impl Reduction {
    /// All reductions.
    pub const ALL: [Self; 5] = [Self::Final, Self::Min, Self::Max, Self::Mean, Self::AbsMax];

    /// Returns the name: `final`, `min`, `max`, `mean` or `absmax`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::AbsMax => "absmax",
        }
    }
}

/// A request for a metric: an expression such as `max(abs(car/twist[0]))`, values of quantities that are reduced, such as
/// `max:car/twist`, or a number that an observer writes; with a name, or named by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricRequest {
    /// Name, if the request gives one.
    pub name: Option<String>,
    pub(super) wanted: Wanted,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The value of an expression.
    Expression(String),
    /// Values of quantities that a pattern selects.
    Values {
        /// Reduction of the samples.
        reduction: Reduction,
        /// Name of a quantity, or a pattern; each matching name gives a metric.
        quantity: String,
        /// Index of a value of an array; without one, each value gives a metric.
        index: Option<usize>,
    },
    /// A number that an observer writes.
    Observed(ObservedNumber),
}

impl MetricRequest {
    /// Reads a request without a name.
    ///
    /// # Errors
    /// As [`Self::from_str`].
    pub fn unnamed(text: &str) -> Result<Self, EnsembleError> {
        let text = text.trim();
        let wanted = match text.split_once(':') {
            Some(_) if ObservedNumber::is_meant(text) => Wanted::Observed(text.parse()?),
            Some((name, of)) if is_word(name.trim()) => values(text, name.trim(), of.trim())?,
            _ => Wanted::Expression(text.to_owned()),
        };
        Ok(Self { name: None, wanted })
    }

    /// Returns whether an observer writes the number.
    pub(super) fn is_observed(&self) -> bool {
        matches!(self.wanted, Wanted::Observed(_))
    }

    /// Returns the text without the name.
    pub fn text(&self) -> String {
        match &self.wanted {
            Wanted::Expression(text) => text.clone(),
            Wanted::Values { reduction, quantity, index } => {
                let index = index.map_or_else(String::new, |index| format!("[{index}]"));
                format!("{}:{quantity}{index}", reduction.name())
            }
            Wanted::Observed(number) => number.to_string(),
        }
    }

    /// Returns the error of a request that cannot be met.
    pub(super) fn refused(&self, problem: impl Into<String>) -> EnsembleError {
        wrong(&self.text(), problem)
    }
}

fn wrong(text: &str, problem: impl Into<String>) -> EnsembleError {
    EnsembleError::Metric { text: text.to_owned(), problem: problem.into() }
}

/// Returns whether a text is a name: letters, digits and `_`.
fn is_word(text: &str) -> bool {
    let is_of = |one: char| one.is_ascii_alphanumeric() || one == '_';
    text.chars().all(is_of) && text.starts_with(|one: char| one.is_ascii_alphabetic())
}

/// Reads `REDUCTION:QUANTITY`, or `REDUCTION:QUANTITY[INDEX]` for one value of an array.
fn values(text: &str, name: &str, of: &str) -> Result<Wanted, EnsembleError> {
    let known = Reduction::ALL.map(Reduction::name);
    let reduction = Reduction::ALL.into_iter().find(|one| one.name() == name);
    let reduction = reduction.ok_or_else(|| {
        let help = match nearest(name, known) {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        wrong(text, format!("unknown reduction '{name}'; {help}"))
    })?;
    let (quantity, index) = match of.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        None => (of, None),
        Some((quantity, index)) => match index.parse() {
            Ok(index) => (quantity, Some(index)),
            Err(_) => {
                let found = format!("found the index '{index}'");
                return Err(wrong(text, format!("{found}; expected a whole number from 0")));
            }
        },
    };
    if quantity.is_empty() || quantity.starts_with('!') {
        let problem = format!(
            "found the quantity '{quantity}'; expected REDUCTION:QUANTITY, such as max:robot/twist[0]"
        );
        return Err(wrong(text, problem));
    }
    Ok(Wanted::Values { reduction, quantity: quantity.to_owned(), index })
}

impl fmt::Display for MetricRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.as_ref().map_or(Ok(()), |name| write!(f, "{name}="))?;
        f.write_str(&self.text())
    }
}

impl FromStr for MetricRequest {
    type Err = EnsembleError;

    /// Reads an expression, `REDUCTION:QUANTITY` or an [`ObservedNumber`], after `NAME=` if it has a name. The expression is
    /// checked against a world later.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=').map(|(name, rest)| (name.trim(), rest)) {
            Some((name, rest)) if is_word(name) => {
                Ok(Self { name: Some(name.to_owned()), ..Self::unnamed(rest)? })
            }
            _ => Self::unnamed(text),
        }
    }
}

impl Ensemble {
    /// Returns the metrics of a study that requests none: x, y and yaw of the first vehicles, up to eight, at the end.
    pub fn usual_metrics(&self) -> Vec<MetricRequest> {
        let vehicles = self.session().simulation().vehicle_names().iter().take(VEHICLES);
        let of = |vehicle: &String| {
            [0, 1, 3].map(|index| MetricRequest {
                name: None,
                wanted: Wanted::Values {
                    reduction: Reduction::Final,
                    quantity: format!("{vehicle}/pose"),
                    index: Some(index),
                },
            })
        };
        vehicles.flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_written_alike() {
        for text in [
            "max:robot/twist[0]",
            "final:*/pose[3]",
            "absmax:robot/wheel/l/spin",
            "max(robot/twist[0]) >= 3",
            "v=max(robot/twist[0])",
            "peak=max:robot/twist[0]",
            "goal=observed:goal.csv:time_s",
        ] {
            assert_eq!(text.parse::<MetricRequest>().unwrap().to_string(), text);
        }
        for (wrong, part) in [
            ("maxx:robot/pose", "did you mean 'max'?"),
            ("median:robot/pose", "did you mean 'mean'?"),
            ("quantile:robot/pose", "one of final, min, max, mean, absmax"),
            ("max:", "found the quantity ''"),
            ("max:!robot/pose", "found the quantity '!robot/pose'"),
            ("max:robot/pose[x]", "index 'x'"),
            ("v=max:robot/pose[-1]", "index '-1'"),
        ] {
            let error = wrong.parse::<MetricRequest>().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
