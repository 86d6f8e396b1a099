//! Metrics that have been checked against a world.

use super::expression::{Expression, Problem, QuantityUse};
use super::observed::ObservedNumber;
use super::request::{MetricRequest, Reduction, Wanted};
use crate::ensemble::Ensemble;
use crate::error::{EnsembleError, Error};

/// A metric is not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Something is wrong with an expression.
    #[error("column {column}: {problem}")]
    Expression {
        /// Column in its text, counted from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// The request cannot be met.
    #[error(transparent)]
    Refused(#[from] Error),
}

impl From<Problem> for MetricError {
    fn from((column, problem): Problem) -> Self {
        Self::Expression { column, problem }
    }
}

impl From<EnsembleError> for MetricError {
    fn from(error: EnsembleError) -> Self {
        Self::Refused(error.into())
    }
}

/// Metrics that have been checked against a world.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    names: Vec<String>,
    units: Vec<String>,
    pub(super) expressions: Vec<Expression>,
    /// What an observer writes, in place of the expression.
    pub(super) observed: Vec<Option<ObservedNumber>>,
    /// Expressions over the metrics that have no name.
    pub(super) conditions: Vec<Expression>,
}

impl Metrics {
    /// Adds what a request asks for, in the world of an ensemble: a metric, or one per value that a pattern selects.
    ///
    /// # Errors
    /// [`MetricError`] if the expression is not one, a quantity does not exist, or a name is given twice.
    pub fn add(&mut self, request: &MetricRequest, ensemble: &Ensemble) -> Result<(), MetricError> {
        let named = || request.name.clone().unwrap_or_else(|| request.text());
        match &request.wanted {
            Wanted::Expression(text) => {
                let (expression, unit) = self.read(text, ensemble)?;
                self.push(named(), expression, unit, None)
            }
            Wanted::Observed(number) => {
                number.check(ensemble.session())?;
                let unit = number.unit().to_owned();
                self.push(named(), Expression::none(), unit, Some(number.clone()))
            }
            Wanted::Values { reduction, quantity, index } => {
                self.add_values(request, *reduction, quantity, *index, ensemble)
            }
        }
    }

    /// Adds a metric per value of the quantities that a pattern selects.
    fn add_values(
        &mut self,
        request: &MetricRequest,
        reduction: Reduction,
        pattern: &str,
        wanted: Option<usize>,
        ensemble: &Ensemble,
    ) -> Result<(), MetricError> {
        let selected = ensemble.select([pattern])?;
        let before = self.names.len();
        for info in selected.infos() {
            let (name, len) = (&info.name, info.len);
            let is_wanted = |index: &usize| wanted.is_none_or(|one| one == *index && len.is_some());
            for index in (0..info.count()).filter(is_wanted) {
                let index_text = len.map_or_else(String::new, |_| format!("[{index}]"));
                let text = format!("{}:{name}{index_text}", reduction.name());
                let expression = Expression::of_value(reduction, name, len.map(|_| index));
                let unit = info.units.of(index).to_owned();
                let own = request.name.clone().unwrap_or(text);
                self.push(own, expression, unit, None)?;
            }
        }
        match self.names.len() - before {
            0 => {
                let longest = selected.infos().iter().filter_map(|info| info.len).max();
                let problem = longest.map_or_else(
                    || "the quantity is not an array; expected no index".to_owned(),
                    |len| format!("the quantity has {len} values; expected an index below {len}"),
                );
                Err(request.refused(problem).into())
            }
            _ => Ok(()),
        }
    }

    fn push(
        &mut self,
        name: String,
        expression: Expression,
        unit: String,
        observed: Option<ObservedNumber>,
    ) -> Result<(), MetricError> {
        if self.names.contains(&name) {
            let problem = "the name is given twice; expected one value per name".to_owned();
            return Err(EnsembleError::Metric { text: name, problem }.into());
        }
        self.names.push(name);
        self.units.push(unit);
        self.expressions.push(expression);
        self.observed.push(observed);
        Ok(())
    }

    /// Reads an expression over quantities of the world of an ensemble and the metrics so far. Returns it with its unit;
    /// empty if that is not known.
    ///
    /// # Errors
    /// [`MetricError`] if it is not one, or a quantity does not exist.
    pub fn read(
        &self,
        text: &str,
        ensemble: &Ensemble,
    ) -> Result<(Expression, String), MetricError> {
        let expression = self.over_metrics(text)?;
        let mut units = Vec::new();
        for one in expression.quantities() {
            let at = |problem: String| MetricError::from((one.column, problem));
            let selected = ensemble.select([&one.name]).map_err(|error| match error {
                Error::Quantity { error, .. } => at(error.to_string()),
                other => other.into(),
            })?;
            let [info] = selected.infos() else {
                return Err(at(format!("'{}' matches several quantities; expected one", one.name)));
            };
            units.push(info.units.of(one.index.unwrap_or(0)).to_owned());
            check_index(one, info.len).map_err(at)?;
        }
        let unit = expression.unit(&units, &self.units);
        Ok((expression, unit))
    }

    /// Reads an expression over the metrics, whose quantities are not checked.
    ///
    /// # Errors
    /// [`MetricError`] if it is not one.
    pub fn over_metrics(&self, text: &str) -> Result<Expression, MetricError> {
        let metrics: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Ok(Expression::parse(text, &metrics)?)
    }

    /// Adds an expression without a name, whose values follow the values of the metrics.
    pub fn add_condition(&mut self, expression: Expression) {
        self.conditions.push(expression);
    }

    /// Returns the names: those that requests give, or their texts.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the units; empty for one that is not known.
    pub fn units(&self) -> &[String] {
        &self.units
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
    pub(super) fn quantities(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for one in self.all().flat_map(Expression::quantities) {
            if !names.contains(&&*one.name) {
                names.push(&one.name);
            }
        }
        names
    }

    /// Returns the expressions of the metrics, and then the conditions.
    pub(super) fn all(&self) -> impl Iterator<Item = &Expression> {
        self.expressions.iter().chain(&self.conditions)
    }
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
