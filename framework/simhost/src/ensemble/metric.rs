//! Metrics: one number of a run.

use std::fmt;
use std::str::FromStr;

use simhost_model::nearest;

use super::Ensemble;
use super::observed::ObservedNumber;
use crate::error::EnsembleError;

/// Number of vehicles of which there are metrics without a request.
const VEHICLES: usize = 8;

/// Reduction of the samples of a value to one number. Samples that are not a number are left out, as those of a sensor
/// before its first reading are; without any other, the result is not a number.
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
    /// No samples: a number that an observer has written, see [`ObservedNumber`](super::ObservedNumber).
    Observed,
}

impl Reduction {
    /// All that reduce samples.
    pub const ALL: [Self; 5] = [Self::Final, Self::Min, Self::Max, Self::Mean, Self::AbsMax];

    /// Returns the name: `final`, `min`, `max`, `mean`, `absmax` or `observed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::AbsMax => "absmax",
            Self::Observed => "observed",
        }
    }

    /// Adds sample number `count` of those that are numbers, counted from 1, to what the earlier ones have given.
    pub(super) fn add(self, earlier: f64, sample: f64, count: u64) -> f64 {
        match self {
            Self::Final | Self::Observed => sample,
            Self::Min => earlier.min(sample),
            Self::Max => earlier.max(sample),
            Self::AbsMax => earlier.max(sample.abs()),
            Self::Mean if count == 1 => sample,
            Self::Mean => earlier + (sample - earlier) / count as f64,
        }
    }
}

/// One number of a run, such as `max:robot/twist[0]`: what reduces the samples, and the quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberMetric {
    /// Reduction of the samples.
    pub reduction: Reduction,
    /// Name of a quantity, or a pattern of names, each of which gives a metric; file and keys of an observed number.
    pub quantity: String,
    /// Index of a value of an array; without one, each value gives a metric.
    pub index: Option<usize>,
}

impl MemberMetric {
    fn wrong(text: &str, problem: String) -> EnsembleError {
        EnsembleError::Metric { text: text.to_owned(), problem }
    }

    /// Returns the error of a metric that no value has.
    pub(super) fn refused(&self, problem: String) -> EnsembleError {
        Self::wrong(&self.to_string(), problem)
    }
}

impl fmt::Display for MemberMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.reduction.name(), self.quantity)?;
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

impl From<ObservedNumber> for MemberMetric {
    fn from(number: ObservedNumber) -> Self {
        let text = number.to_string();
        let quantity = text.split_once(':').map_or(&*text, |(_, rest)| rest).to_owned();
        Self { reduction: Reduction::Observed, quantity, index: None }
    }
}

impl FromStr for MemberMetric {
    type Err = EnsembleError;

    /// Reads `REDUCTION:QUANTITY`, `REDUCTION:QUANTITY[INDEX]` for one value of an array, or an
    /// [`ObservedNumber`](super::ObservedNumber).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if ObservedNumber::is_meant(text) {
            let number: ObservedNumber = text.parse()?;
            return Ok(number.into());
        }
        const EXPECTED: &str = "expected REDUCTION:QUANTITY, such as max:robot/twist[0]";
        let wrong = |problem: String| Self::wrong(text, problem);
        let (name, of) =
            text.split_once(':').ok_or_else(|| wrong(format!("found no ':'; {EXPECTED}")))?;
        let known = Reduction::ALL.map(Reduction::name);
        let reduction = Reduction::ALL.into_iter().find(|one| one.name() == name.trim());
        let reduction = reduction.ok_or_else(|| {
            let help = match nearest(name.trim(), known) {
                Some(nearest) => format!("did you mean '{nearest}'?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            wrong(format!("unknown reduction '{name}'; {help}"))
        })?;
        let of = of.trim();
        let (quantity, index) = match of.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            None => (of, None),
            Some((quantity, index)) => match index.parse() {
                Ok(index) => (quantity, Some(index)),
                Err(_) => {
                    let found = format!("found the index '{index}'");
                    return Err(wrong(format!("{found}; expected a whole number from 0")));
                }
            },
        };
        if quantity.is_empty() || quantity.starts_with('!') {
            return Err(wrong(format!("found the quantity '{quantity}'; {EXPECTED}")));
        }
        Ok(Self { reduction, quantity: quantity.to_owned(), index })
    }
}

impl Ensemble {
    /// Returns the metrics of a study that requests none: x, y and yaw of the first vehicles, up to eight, at the end.
    pub fn usual_metrics(&self) -> Vec<MemberMetric> {
        let vehicles = self.session().simulation().vehicle_names().iter().take(VEHICLES);
        let of = |vehicle: &String| {
            [0, 1, 3].map(|index| MemberMetric {
                reduction: Reduction::Final,
                quantity: format!("{vehicle}/pose"),
                index: Some(index),
            })
        };
        vehicles.flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_read_and_written_alike() {
        for text in ["max:robot/twist[0]", "final:*/pose[3]", "absmax:robot/wheel/l/spin"] {
            assert_eq!(text.parse::<MemberMetric>().unwrap().to_string(), text);
        }
        for (wrong, part) in [
            ("robot/pose", "REDUCTION:QUANTITY"),
            ("maxx:robot/pose", "did you mean 'max'?"),
            ("median:robot/pose", "did you mean 'mean'?"),
            ("quantile:robot/pose", "one of final, min, max, mean, absmax"),
            ("max:", "found the quantity ''"),
            ("max:!robot/pose", "found the quantity '!robot/pose'"),
            ("max:robot/pose[x]", "index 'x'"),
            ("max:robot/pose[-1]", "index '-1'"),
        ] {
            let error = wrong.parse::<MemberMetric>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn samples_are_reduced() {
        let reduced = |reduction: Reduction| {
            let samples = [3.0, -5.0, 1.0, 1.0].into_iter().zip(1..);
            samples.fold(f64::NAN, |earlier, (sample, count)| reduction.add(earlier, sample, count))
        };
        assert_eq!(Reduction::ALL.map(reduced), [1.0, -5.0, 3.0, 0.0, 5.0]);
    }
}
