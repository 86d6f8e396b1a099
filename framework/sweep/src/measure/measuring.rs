//! Samples of all members of an ensemble, which are reduced to metrics.

use std::path::Path;

use simhost::{Ensemble, Error, Selected};
use simhost_engine::{Clock, Period, QuantityInfo};

use super::Metrics;
use crate::expression::{Expression, QuantityUse, Reducing, Values};

/// Returns the places of the quantities of an expression in a row of a selection; `None` for a value that the world does
/// not have, because variables have changed the length of an array.
pub fn places(selected: &Selected, expression: &Expression) -> Vec<Option<usize>> {
    let infos = selected.infos();
    let place = |one: &QuantityUse| {
        let (at, index) =
            (infos.iter().position(|info| info.name == one.name)?, one.index.unwrap_or(0));
        let first: usize = infos[..at].iter().map(QuantityInfo::count).sum();
        (index < infos[at].count()).then_some(first + index)
    };
    expression.quantities().iter().map(place).collect()
}

/// Returns the values at some places of a row.
pub fn values_at(places: &[Option<usize>], row: &[f64]) -> impl Iterator<Item = f64> {
    places.iter().map(|at| at.map_or(f64::NAN, |at| row[at]))
}

/// What has been measured of a run.
pub struct Results {
    /// Metrics in the order of the plan.
    pub metrics: Vec<f64>,
    /// Whether the run counts as failed.
    pub has_failed: bool,
    /// Why a number of an observer is missing.
    pub missing: Option<String>,
}

/// Metrics of all members, accumulated while an ensemble is stepped.
pub struct Measuring<'m> {
    metrics: &'m Metrics,
    selected: Option<Selected>,
    /// For each expression, the places of its quantities in a row of the selection.
    places: Vec<Vec<Option<usize>>>,
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
        let of = |one| selected.as_ref().map_or_else(Vec::new, |selected| places(selected, one));
        let places = metrics.all().map(of).collect();
        let reductions = metrics.all().flat_map(Expression::reductions);
        let new: Vec<Reducing> = reductions.map(|one| Reducing::new(one.kind)).collect();
        let clock = Clock { steps: 0, ..ensemble.session().simulation().clock() };
        let mut measuring = Self {
            places,
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
                self.quantities.extend(values_at(places, row));
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

    /// Returns the metrics of a member, whose observers write to `folder`.
    pub fn results(&self, member: usize, folder: Option<&Path>) -> Results {
        let mut missing = None;
        let mut reduced = self.reducing[member].iter().map(Reducing::result);
        let mut metrics = Vec::with_capacity(self.metrics.names.len() + 1);
        for (number, expression) in self.metrics.all().enumerate() {
            let own: Vec<f64> = reduced.by_ref().take(expression.reductions().len()).collect();
            let observed = self.metrics.observed.get(number).and_then(Option::as_ref);
            metrics.push(match observed {
                None => expression.value(&own, &metrics),
                Some(number) => {
                    number.read(folder.unwrap_or(Path::new(""))).unwrap_or_else(|text| {
                        missing.get_or_insert(text);
                        f64::NAN
                    })
                }
            });
        }
        let failed = self.metrics.failed.is_some();
        let has_failed =
            failed && metrics.pop().is_some_and(|value| value != 0.0 && !value.is_nan());
        Results { metrics, has_failed, missing }
    }
}
