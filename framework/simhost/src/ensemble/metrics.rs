//! Metrics of all members, accumulated while an ensemble is stepped.

mod observed;

use simhost_engine::{Clock, Period, QuantityInfo};

use super::Ensemble;
use super::metric::{MemberMetric, Reduction};
use super::observed::ObservedNumber;
use super::selection::Selected;
use crate::error::{EnsembleError, Error};
use crate::time::Time;

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
/// let wanted = ["max:robot/twist[0]".parse()?, "final:robot/pose[0]".parse()?];
/// let metrics = ensemble.run_with(&wanted, 0.1, seconds(2.0))?;
/// assert_eq!(metrics.names()[0], "max:robot/twist[0]");
/// assert!(metrics.row(7)[0] > 0.9);
/// # Ok(())
/// # }
/// ```
pub struct MemberMetrics {
    columns: Vec<MetricColumn>,
    names: Vec<String>,
    /// Numbers of observers, by the index of their column.
    observed: Vec<(usize, ObservedNumber)>,
    selected: Vec<Selected>,
    period: Period,
    /// Time since the start.
    clock: Clock,
    /// Number of completed steps of each member at its last sample, and whether it had ended.
    sampled: Vec<Option<(u64, bool)>>,
    /// What the samples have given so far, member by member, and how many of them are numbers.
    values: Vec<f64>,
    counts: Vec<u64>,
    matrix: Vec<f64>,
}

/// One value that is reduced.
struct MetricColumn {
    reduction: Reduction,
    unit: String,
    /// Index of the selection.
    selection: usize,
    /// Index of the value in a row of the selection.
    at: usize,
}

impl MemberMetrics {
    /// Selects the quantities of metrics, and takes the first sample of all members. `period` is the simulated time
    /// between samples, s; at least one step is.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a metric names no quantity, and [`EnsembleError::Metric`] if there
    /// is no value with its index or the period is not positive.
    pub fn new(
        ensemble: &mut Ensemble,
        metrics: &[MemberMetric],
        period: f64,
    ) -> Result<Self, Error> {
        let mut made = Self {
            columns: Vec::new(),
            names: Vec::new(),
            observed: Vec::new(),
            selected: Vec::new(),
            period: Period::new(period),
            clock: Clock { steps: 0, ..ensemble.session().simulation().clock() },
            sampled: vec![None; ensemble.members()],
            values: Vec::new(),
            counts: Vec::new(),
            matrix: Vec::new(),
        };
        let mut selections: Vec<String> = Vec::new();
        for metric in metrics {
            if !(period.is_finite() && period > 0.0) {
                let problem = format!("the period is {period} s; expected a positive number");
                return Err(metric.refused(problem).into());
            }
            if metric.reduction == Reduction::Observed {
                made.add_observed(metric, ensemble)?;
                continue;
            }
            let earlier = selections.iter().position(|one| *one == metric.quantity);
            if earlier.is_none() {
                made.selected.push(ensemble.select([&metric.quantity])?);
                selections.push(metric.quantity.clone());
            }
            made.add(metric, earlier.unwrap_or(selections.len() - 1))?;
        }
        let cells = made.columns.len() * ensemble.members();
        made.values = vec![f64::NAN; cells];
        made.counts = vec![0; cells];
        made.period.is_due(made.clock);
        made.sample(ensemble)?;
        Ok(made)
    }

    /// Adds the columns of a metric.
    fn add(&mut self, metric: &MemberMetric, selection: usize) -> Result<(), EnsembleError> {
        let selected = &self.selected[selection];
        let (before, mut at) = (self.columns.len(), 0);
        for info in selected.infos() {
            let QuantityInfo { name, units, len, .. } = info;
            for index in 0..info.count() {
                let is_wanted = match (metric.index, len) {
                    (Some(wanted), Some(_)) => wanted == index,
                    (Some(_), None) => false,
                    (None, _) => true,
                };
                if is_wanted {
                    let index_text = len.map_or_else(String::new, |_| format!("[{index}]"));
                    self.names.push(format!("{}:{name}{index_text}", metric.reduction.name()));
                    self.columns.push(MetricColumn {
                        reduction: metric.reduction,
                        unit: units.of(index).to_owned(),
                        selection,
                        at: at + index,
                    });
                }
            }
            at += info.count();
        }
        if self.columns.len() == before {
            let longest = selected.infos().iter().filter_map(|info| info.len).max();
            return Err(metric.refused(match longest {
                None => "the quantity is not an array; expected no index".to_owned(),
                Some(len) => {
                    format!("the quantity has {len} values; expected an index below {len}")
                }
            }));
        }
        Ok(())
    }

    /// Returns the names of the metrics, as `REDUCTION:QUANTITY`, with the index of a value of an array.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the units of the metrics.
    pub(super) fn units(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| &*column.unit)
    }

    /// Returns the metrics of a member at its last sample.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn row(&self, member: usize) -> &[f64] {
        let width = self.columns.len();
        &self.values[member * width..][..width]
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
            let steps = match self.columns.is_empty() {
                true => left,
                false => self.period.steps_to_due(self.clock).min(left),
            };
            ensemble.advance_to(&|done| steps.min(end.saturating_sub(done)), None)?;
            self.clock.steps += steps;
            if self.period.is_due(self.clock) || ensemble.has_ended() {
                self.sample(ensemble)?;
            }
        }
        Ok(())
    }

    /// Takes the last sample of all members that have made steps since theirs. Until then, metrics are those of the
    /// samples that were due.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`] if the ensemble has another number of members.
    pub fn finish(&mut self, ensemble: &mut Ensemble) -> Result<(), Error> {
        self.sample(ensemble)
    }

    /// Takes a sample of all members that have changed since their last one.
    fn sample(&mut self, ensemble: &mut Ensemble) -> Result<(), Error> {
        ensemble.check_length("the list of samples", self.sampled.len(), 1)?;
        let now = |member: usize| {
            let has_ended = ensemble.ends.has(member);
            Some((ensemble.steps_of(member), has_ended))
        };
        let now: Vec<_> = (0..ensemble.members()).map(now).collect();
        let width = self.columns.len();
        for (number, selected) in self.selected.iter().enumerate() {
            self.matrix.resize(ensemble.members() * selected.width(), 0.0);
            ensemble.read(selected, &mut self.matrix)?;
            let rows = self.matrix.chunks_exact(selected.width().max(1));
            for (member, row) in rows.enumerate() {
                if self.sampled[member] == now[member] {
                    continue;
                }
                let columns = self.columns.iter().enumerate();
                for (index, column) in columns.filter(|(_, one)| one.selection == number) {
                    let (sample, cell) = (row[column.at], member * width + index);
                    if !sample.is_nan() || column.reduction == Reduction::Final {
                        self.counts[cell] += 1;
                        let (value, count) = (self.values[cell], self.counts[cell]);
                        self.values[cell] = column.reduction.add(value, sample, count);
                    }
                }
            }
        }
        self.sampled = now;
        Ok(())
    }
}

impl Ensemble {
    /// Runs all members until `time`, and returns their metrics; `period` is the simulated time between samples, s.
    ///
    /// # Errors
    /// As [`MemberMetrics::new`] and [`Self::run_until`].
    pub fn run_with(
        &mut self,
        metrics: &[MemberMetric],
        period: f64,
        time: Time,
    ) -> Result<MemberMetrics, Error> {
        let end = self.last_step(time)?;
        let mut metrics = MemberMetrics::new(self, metrics, period)?;
        metrics.advance(self, end - self.fewest_steps(), end)?;
        metrics.finish(self)?;
        Ok(metrics)
    }
}
