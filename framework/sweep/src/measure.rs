//! The metrics of the members of an ensemble.

use simhost::{Ensemble, Error, Selected, Session};
use simhost_engine::{Clock, Period};

use crate::error::StudyError;
use crate::expression::{Expression, Problem, QuantityUse, Reducing, Values};
use crate::study::PlanValue;

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
        let mut made = Self { names, units, expressions: Vec::new(), failed: None, period };
        for (name, text) in wanted {
            if made.names.contains(name) {
                return Err(text.wrong(format!("the metric '{name}' is given twice")));
            }
            let (expression, unit) = made.read(name, text, ensemble)?;
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

/// Metrics of all members, accumulated while an ensemble is stepped.
pub struct Measuring<'m> {
    metrics: &'m Metrics,
    selected: Option<Selected>,
    /// For each expression, the places of its quantities in a row of the selection.
    places: Vec<Vec<usize>>,
    /// For each member, the reductions of all expressions.
    reducing: Vec<Vec<Reducing>>,
    /// Number of steps and end at the last sample of each member.
    sampled: Vec<Option<(u64, bool)>>,
    period: Period,
    clock: Clock,
    matrix: Vec<f64>,
    quantities: Vec<f64>,
}

impl<'m> Measuring<'m> {
    /// Selects the quantities, and takes the first sample.
    pub fn begin(metrics: &'m Metrics, ensemble: &mut Ensemble) -> Result<Self, Error> {
        let names = Some(metrics.quantities()).filter(|names| !names.is_empty());
        let selected = names.map(|names| ensemble.select(names)).transpose()?;
        let infos = selected.as_ref().map_or(&[][..], Selected::infos);
        let place = |name: &str| {
            let at = infos.iter().position(|info| info.name == name).unwrap_or(0);
            infos[..at].iter().map(|info| info.count()).sum::<usize>()
        };
        let places = metrics.all().map(|one| {
            let all = one.quantities().iter();
            all.map(|one| place(&one.name) + one.index.unwrap_or(0)).collect()
        });
        let reductions = metrics.all().flat_map(Expression::reductions);
        let new: Vec<Reducing> = reductions.map(|one| Reducing::new(one.kind)).collect();
        let clock = Clock { steps: 0, ..ensemble.session().simulation().clock() };
        let mut measuring = Self {
            places: places.collect(),
            reducing: vec![new; ensemble.members()],
            sampled: vec![None; ensemble.members()],
            period: Period::new(metrics.period),
            clock,
            matrix: Vec::new(),
            quantities: Vec::new(),
            selected,
            metrics,
        };
        measuring.period.is_due(clock);
        measuring.sample(ensemble)?;
        Ok(measuring)
    }

    /// Takes up to `most` steps with all members, to the next sample at most. Returns whether all have ended.
    pub fn step(&mut self, ensemble: &mut Ensemble, most: u64) -> Result<bool, Error> {
        let steps = match &self.selected {
            None => most,
            Some(_) => self.period.steps_to_due(self.clock).min(most),
        };
        ensemble.step(steps)?;
        self.clock.steps += steps;
        let has_ended = ensemble.has_ended();
        if self.period.is_due(self.clock) || has_ended {
            self.sample(ensemble)?;
        }
        Ok(has_ended)
    }

    fn sample(&mut self, ensemble: &mut Ensemble) -> Result<(), Error> {
        let Some(selected) = &self.selected else { return Ok(()) };
        let width = selected.width();
        self.matrix.resize(ensemble.members() * width, 0.0);
        ensemble.read(selected, &mut self.matrix)?;
        for (number, row) in self.matrix.chunks_exact(width).enumerate() {
            let member = ensemble.member(number)?;
            let now = Some((member.steps(), member.end().is_some()));
            let earlier = std::mem::replace(&mut self.sampled[number], now);
            // a member that has ended between two samples has its last one at its end
            if earlier.map(|one| one.0) == now.map(|one| one.0) {
                continue;
            }
            let time = Clock { steps: member.steps(), ..self.clock }.time();
            let mut own = self.reducing[number].iter_mut();
            for (expression, places) in self.metrics.all().zip(&self.places) {
                self.quantities.clear();
                self.quantities.extend(places.iter().map(|at| row[*at]));
                let values =
                    Values { time, quantities: &self.quantities, metrics: &[], reduced: &[] };
                for one in expression.reductions() {
                    if let Some(reducing) = own.next() {
                        reducing.add(time, one.series.value(&values));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the metrics of a member, and whether it counts as failed.
    pub fn results(&self, member: usize) -> (Vec<f64>, bool) {
        let mut reduced = self.reducing[member].iter().map(Reducing::result);
        let mut metrics = Vec::with_capacity(self.metrics.names.len() + 1);
        for expression in self.metrics.all() {
            let own: Vec<f64> = reduced.by_ref().take(expression.reductions().len()).collect();
            let value = expression.value(&own, &metrics);
            metrics.push(value);
        }
        let failed = self.metrics.failed.is_some();
        let has_failed =
            failed && metrics.pop().is_some_and(|value| value != 0.0 && !value.is_nan());
        (metrics, has_failed)
    }
}
