//! Metrics of all members, accumulated while an ensemble is stepped.

use std::path::Path;

use simhost_engine::{Clock, Period};
use simhost_record::{csv_number, csv_text};

use super::checked::{MetricError, Metrics};
use super::expression::{Expression, QuantityPlaces, Reducing};
use super::request::MetricRequest;
use crate::ensemble::{Ensemble, MemberEnd, Selected, check_length, last_step};
use crate::error::Error;
use crate::hooks::Time;
use crate::variation::VariedValue;

/// Metrics of all members of an ensemble, accumulated while it is stepped with [`Self::step`].
///
/// Samples are taken at the start, then once per period of simulated time, and at the end of a member. The metrics of a
/// member depend neither on other members nor on the number of threads.
///
/// ```
/// use simhost::{Ensemble, EnsembleOptions, seconds};
///
/// # fn main() -> Result<(), simhost::Error> {
/// # let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
/// let options = EnsembleOptions::members(8)
///     .vary("robot/friction/mu=uniform:0.3:1.0".parse()?)
///     .vary("robot/cmd_vel/vx=1".parse()?);
/// let mut ensemble = Ensemble::open(world, options)?;
/// let wanted = ["v=max(robot/twist[0])".parse()?, "final(robot/pose[0])".parse()?];
/// let metrics = ensemble.run_with(&wanted, 0.1, seconds(2.0))?;
/// assert_eq!(metrics.metrics().names(), ["v", "final(robot/pose[0])"]);
/// assert!(metrics.row(7)[0] > 0.9);
/// # Ok(())
/// # }
/// ```
pub struct MemberMetrics {
    metrics: Metrics,
    selected: Option<Selected>,
    /// For each expression, the places of its quantities in a row of the selection.
    places: Vec<QuantityPlaces>,
    /// Number of reductions of all expressions.
    width: usize,
    /// The reductions of all expressions, member by member.
    reducing: Vec<Reducing>,
    /// Numbers of observers, member by member, once they have been read.
    observed: Vec<Vec<f64>>,
    period: Period,
    /// Time since the start.
    clock: Clock,
    /// Number of completed steps of each member at its last sample.
    sampled: Vec<Option<u64>>,
    matrix: Vec<f64>,
}

/// What has been measured of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricResults {
    /// Values of the metrics, in their order.
    pub metrics: Vec<f64>,
    /// Values of the conditions.
    pub conditions: Vec<f64>,
    /// Why a number of an observer is missing.
    pub missing: Option<String>,
}

impl MemberMetrics {
    /// Checks what requests ask for, and takes the first sample of all members. `period` is the simulated time between
    /// samples, s; at least one step is.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a request names no quantity, and [`EnsembleError::Metric`](crate::EnsembleError::Metric) if it cannot
    /// be met or the period is not positive.
    pub fn new(
        ensemble: &mut Ensemble,
        requests: &[MetricRequest],
        period: f64,
    ) -> Result<Self, Error> {
        let mut metrics = Metrics::default();
        for request in requests {
            if !(period.is_finite() && period > 0.0) {
                let problem = format!("the period is {period} s; expected a positive number");
                return Err(request.refused(problem).into());
            }
            metrics.add(request, ensemble).map_err(|error| match error {
                MetricError::Refused(error) => error,
                of_text => request.refused(of_text.to_string()).into(),
            })?;
        }
        if metrics.are_observed() && ensemble.observer_folder(0).is_none() {
            let observed = requests.iter().find(|one| one.is_observed());
            let problem =
                "the ensemble has no folder for the files of observers; expected an output folder";
            return observed.map_or(Err(Error::Forgotten), |one| Err(one.refused(problem).into()));
        }
        Self::of(metrics, ensemble, period)
    }

    /// Takes the first sample of all members for metrics that have been checked.
    ///
    /// # Errors
    /// [`Error`] if a member cannot be read.
    pub fn of(metrics: Metrics, ensemble: &mut Ensemble, period: f64) -> Result<Self, Error> {
        let names = Some(metrics.quantities()).filter(|names| !names.is_empty());
        let selected = names.map(|names| ensemble.select(names)).transpose()?;
        let place = |one| selected.as_ref().map(|selected| QuantityPlaces::new(selected, one));
        let places = metrics.all().filter_map(place).collect();
        let new: Vec<Reducing> = metrics.all().flat_map(Expression::begin).collect();
        let mut made = Self {
            places,
            width: new.len(),
            reducing: (0..ensemble.members()).flat_map(|_| new.iter().cloned()).collect(),
            observed: Vec::new(),
            period: Period::new(period),
            clock: Clock { steps: 0, ..ensemble.session().simulation().clock() },
            sampled: vec![None; ensemble.members()],
            matrix: Vec::new(),
            selected,
            metrics,
        };
        made.period.is_due(made.clock);
        made.sample(ensemble)?;
        Ok(made)
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the metrics of a member at its last sample, and what its observers have written to `folder`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn results(&self, member: usize, folder: Option<&Path>) -> MetricResults {
        let mut missing = None;
        let mut reduced =
            self.reducing[member * self.width..][..self.width].iter().map(Reducing::result);
        let mut values = Vec::with_capacity(self.places.len());
        for (number, expression) in self.metrics.all().enumerate() {
            let own: Vec<f64> = reduced.by_ref().take(expression.begin().len()).collect();
            let observed = self.metrics.observed.get(number).and_then(Option::as_ref);
            values.push(match (observed, folder) {
                (None, _) => expression.value(&own, &values),
                (Some(_), None) => {
                    self.observed.get(member).map_or(f64::NAN, |known| known[number])
                }
                (Some(number), Some(folder)) => number.read(folder).unwrap_or_else(|text| {
                    missing.get_or_insert(text);
                    f64::NAN
                }),
            });
        }
        let conditions = values.split_off(self.metrics.names().len());
        MetricResults { metrics: values, conditions, missing }
    }

    /// Returns the metrics of a member at its last sample. Numbers of observers are not numbers before
    /// [`Self::read_observed`].
    ///
    /// # Panics
    /// If there is no such member.
    pub fn row(&self, member: usize) -> Vec<f64> {
        self.results(member, None).metrics
    }

    /// Reads the numbers of observers, after [`Ensemble::finish`] has completed their files. One that is missing is not a
    /// number.
    ///
    /// # Panics
    /// If the ensemble has another number of members.
    pub fn read_observed(&mut self, ensemble: &Ensemble) {
        if !self.metrics.are_observed() {
            return;
        }
        let folder = |member: usize| ensemble.observer_folder(member).unwrap_or_default();
        let members = 0..ensemble.members();
        self.observed =
            members.map(|member| self.results(member, Some(&folder(member))).metrics).collect();
    }

    /// Takes steps with all members that have not ended, as [`Ensemble::step`] does, with the samples that are due.
    ///
    /// # Errors
    /// As [`Ensemble::step`].
    pub fn step(&mut self, ensemble: &mut Ensemble, steps: u64) -> Result<(), Error> {
        self.advance(ensemble, steps, u64::MAX)
    }

    /// Takes steps with all members up to a number of completed ones.
    fn advance(&mut self, ensemble: &mut Ensemble, steps: u64, end: u64) -> Result<(), Error> {
        let last = self.clock.steps.saturating_add(steps);
        while self.clock.steps < last && !ensemble.has_ended() {
            let left = last - self.clock.steps;
            let steps = match &self.selected {
                None => left,
                Some(_) => self.period.steps_to_due(self.clock).min(left),
            };
            ensemble.advance_to(&|done| steps.min(end.saturating_sub(done)), None)?;
            self.clock.steps += steps;
            if self.period.is_due(self.clock) || ensemble.has_ended() {
                self.sample(ensemble)?;
            }
        }
        Ok(())
    }

    /// Takes the last sample of all members that have taken steps since their last sample. Until
    /// then, metrics contain the samples that were due.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`](crate::EnsembleError::Shape) if the ensemble has another number of members.
    pub fn finish(&mut self, ensemble: &mut Ensemble) -> Result<(), Error> {
        self.sample(ensemble)
    }

    /// Takes a sample of all members that have taken steps since their last one.
    fn sample(&mut self, ensemble: &mut Ensemble) -> Result<(), Error> {
        check_length(ensemble.members(), "the list of samples", self.sampled.len(), 1)?;
        let Some(selected) = &self.selected else { return Ok(()) };
        let columns = selected.width();
        self.matrix.resize(ensemble.members() * columns, 0.0);
        ensemble.read(selected, &mut self.matrix)?;
        let mut quantities = Vec::new();
        for (member, row) in self.matrix.chunks_exact(columns).enumerate() {
            let steps = ensemble.steps_of(member);
            if self.sampled[member].replace(steps) == Some(steps) {
                continue;
            }
            let time = Clock { steps, ..self.clock }.time();
            let mut own = &mut self.reducing[member * self.width..][..self.width];
            for (expression, places) in self.metrics.all().zip(&self.places) {
                quantities.clear();
                quantities.extend(places.values(row));
                let (first, rest) = own.split_at_mut(expression.begin().len());
                expression.add(time, &quantities, first);
                own = rest;
            }
        }
        Ok(())
    }

    /// Returns the columns of the table of [`Self::table_row`]: `member`, `seed`, one per variation
    /// except the variation of the seed, the metrics with their units, `end`, `time_s`, `steps` and
    /// `result_hash`.
    pub fn table_head(&self, ensemble: &Ensemble) -> String {
        let variations = ensemble.variations().filter(|name| *name != "seed").map(csv_text);
        let metrics = self.metrics().names().iter().zip(self.metrics().units());
        let metrics = metrics.map(|(name, unit)| csv_text(&format!("{name} [{unit}]")));
        let first = ["member", "seed"].map(str::to_owned).into_iter();
        let last = ["end", "time_s", "steps", "result_hash"].map(str::to_owned);
        first.chain(variations).chain(metrics).chain(last).collect::<Vec<_>>().join(",")
    }

    /// Returns the row of a member: numbers are the shortest that read back exactly. The end is
    /// [`MemberEnd::name`], or `running`.
    ///
    /// # Errors
    /// [`EnsembleError::Member`](crate::EnsembleError::Member) if there is no such member, and [`Error`] if its state cannot be looked at.
    pub fn table_row(&self, ensemble: &mut Ensemble, number: usize) -> Result<String, Error> {
        let values = ensemble.values(number)?;
        let names = ensemble.variations().map(|name| name != "seed").collect::<Vec<_>>();
        let varied = names.iter().zip(&values).filter(|(is_shown, _)| **is_shown);
        let varied = varied.map(|(_, value)| match value {
            VariedValue::Number(number) => csv_number(*number),
            VariedValue::Text(text) => csv_text(text),
        });
        let mut cells: Vec<String> = varied.collect();
        cells.extend(self.row(number).iter().map(|value| csv_number(*value)));
        let mut member = ensemble.member(number)?;
        let end = member.end().map_or("running", MemberEnd::name);
        let (Time(time), steps, seed) = (member.time(), member.steps(), member.seed());
        cells.extend([end.to_owned(), csv_number(time), steps.to_string()]);
        cells.push(format!("{:032x}", member.result_hash()?));
        Ok(format!("{number},{seed},{}", cells.join(",")))
    }
}

impl Ensemble {
    /// Runs all members until `time`, and returns their metrics; `period` is the simulated time between samples, s.
    ///
    /// # Errors
    /// As [`MemberMetrics::new`] and [`Self::run_until`].
    pub fn run_with(
        &mut self,
        requests: &[MetricRequest],
        period: f64,
        time: Time,
    ) -> Result<MemberMetrics, Error> {
        let end = last_step(self, time)?;
        let mut metrics = MemberMetrics::new(self, requests, period)?;
        metrics.advance(self, end - self.fewest_steps(), end)?;
        metrics.finish(self)?;
        Ok(metrics)
    }
}
