//! The metrics of the members of an ensemble.

mod measuring;

use simhost::{Ensemble, EnsembleError, Error, ObservedNumber, Session};

use crate::error::StudyError;
use crate::expression::{Expression, Problem, QuantityUse};
use crate::study::PlanValue;

pub use measuring::{Measuring, Results, places, values_at};

/// Number of vehicles of which there are metrics without a request.
const VEHICLES: usize = 8;

/// Returns the metrics of a study that has none: x, y and yaw of the first vehicles at the end.
pub fn usual_metrics(session: &Session) -> Vec<(String, PlanValue<String>)> {
    let vehicles = session.simulation().vehicle_names().iter().take(VEHICLES);
    let of = |vehicle: &String| {
        let name = vehicle.replace(|one: char| !one.is_ascii_alphanumeric(), "_");
        [("x", 0), ("y", 1), ("yaw", 3)].map(|(part, index)| {
            (format!("{name}_{part}"), format!("final({vehicle}/pose[{index}])").into())
        })
    };
    vehicles.flat_map(of).collect()
}

/// The metrics of a study, checked.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// Names in the order of the plan.
    pub names: Vec<String>,
    /// Units; empty for one that is not known.
    pub units: Vec<String>,
    expressions: Vec<Expression>,
    /// What an observer writes, in place of the expression.
    observed: Vec<Option<ObservedNumber>>,
    /// Condition under which a run counts as failed.
    failed: Option<Expression>,
    /// Simulated time between samples, s.
    period: f64,
}

impl Metrics {
    /// Checks expressions against the quantities of a world, of which `ensemble` has a member.
    pub fn new(
        wanted: &[(String, PlanValue<String>)],
        failed: Option<&PlanValue<String>>,
        period: f64,
        ensemble: &Ensemble,
    ) -> Result<Self, StudyError> {
        let (names, units) = (Vec::new(), Vec::new());
        let (expressions, observed) = (Vec::new(), Vec::new());
        let mut made = Self { names, units, expressions, observed, failed: None, period };
        for (name, text) in wanted {
            if made.names.contains(name) {
                return Err(text.wrong(format!("the metric '{name}' is given twice")));
            }
            let observed =
                ObservedNumber::is_meant(&text.value).then(|| read_observed(text, ensemble));
            let observed = observed.transpose()?;
            let (expression, unit) = match &observed {
                Some(number) => (Expression::none(), number.unit().to_owned()),
                None => made.read(name, text, ensemble)?,
            };
            made.observed.push(observed);
            made.expressions.push(expression);
            made.names.push(name.clone());
            made.units.push(unit);
        }
        if let Some(text) = failed {
            made.failed = Some(made.read("failed", text, ensemble)?.0);
        }
        Ok(made)
    }

    /// Reads an expression over quantities and the metrics so far. Returns it with its unit.
    pub fn read(
        &self,
        name: &str,
        text: &PlanValue<String>,
        ensemble: &Ensemble,
    ) -> Result<(Expression, String), StudyError> {
        let wrong = |(column, problem): Problem| {
            text.wrong(format!("'{name}' = {}: column {column}: {problem}", text.value))
        };
        let metrics: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let expression = Expression::parse(&text.value, &metrics).map_err(wrong)?;
        let mut units = Vec::new();
        for one in expression.quantities() {
            let at = |problem: String| wrong((one.column, problem));
            let selected = ensemble.select([&one.name]).map_err(|error| match error {
                Error::Quantity { error, .. } => at(error.to_string()),
                other => other.into(),
            })?;
            let [info] = selected.infos() else {
                return Err(at(format!(
                    "'{}' stands for several quantities; expected one",
                    one.name
                )));
            };
            units.push(info.units.of(one.index.unwrap_or(0)).to_owned());
            check_index(one, info.len).map_err(at)?;
        }
        let unit = expression.unit(&units, &self.units);
        Ok((expression, unit))
    }

    /// Returns whether an observer writes a metric.
    pub fn are_observed(&self) -> bool {
        self.observed.iter().any(Option::is_some)
    }

    /// Returns the values that the metrics use, each once, as expressions.
    pub fn values(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for QuantityUse { name, index, .. } in self.all().flat_map(Expression::quantities) {
            let text = index.map_or_else(|| name.clone(), |index| format!("{name}[{index}]"));
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all
    }

    /// Returns the names of all quantities, each once.
    fn quantities(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for one in self.all().flat_map(Expression::quantities) {
            if !names.contains(&&*one.name) {
                names.push(&one.name);
            }
        }
        names
    }

    fn all(&self) -> impl Iterator<Item = &Expression> {
        self.expressions.iter().chain(&self.failed)
    }
}

/// Reads the text of a number that an observer writes.
fn read_observed(
    text: &PlanValue<String>,
    ensemble: &Ensemble,
) -> Result<ObservedNumber, StudyError> {
    let number: Result<ObservedNumber, EnsembleError> = text.value.parse();
    let checked = number.and_then(|number| number.check(ensemble.session()).map(|()| number));
    checked.map_err(|error| text.wrong(error.to_string()))
}

/// Checks that what an expression takes of a quantity with `len` values is a number. Fails with what is wrong.
fn check_index(used: &QuantityUse, len: Option<usize>) -> Result<(), String> {
    let name = &used.name;
    match (used.index, len) {
        (Some(index), Some(len)) if index >= len => {
            Err(format!("'{name}' has {len} values; expected an index below {len}"))
        }
        (Some(_), None) => Err(format!("'{name}' is not an array; expected no index")),
        (None, Some(len)) if len > 1 => {
            Err(format!("'{name}' has {len} values; expected an index, as in {name}[0]"))
        }
        _ => Ok(()),
    }
}
