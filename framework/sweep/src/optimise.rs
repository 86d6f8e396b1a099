//! Optimisation: the best point that a study finds, generation after generation.
//!
//! The optimiser is deterministic, so the rows are its journal: a study that continues repeats its questions, and finds
//! the answers in the rows.

mod cma_es;

use std::ops::Range;

use crate::design::bounds;
use crate::error::StudyError;
use crate::expression::Expression;
use crate::folder::StudyFolder;
use crate::hands::{Hands, run_some};
use crate::plan::StudyPlan;
use crate::row::{Best, RunRow, RunStatus};

use cma_es::CmaEs;

/// Simulates the runs of an optimisation that have no rows, one generation after the other. Returns the best point.
///
/// # Errors
/// [`StudyError::Plan`] if the plan has no objective, and as [`run`](crate::run).
pub fn optimise(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    hands: &Hands<'_>,
) -> Result<Option<Best>, StudyError> {
    let mut complete = |folder: &mut StudyFolder, runs: Range<u64>| {
        let missing: Vec<u64> = runs.filter(|run| !folder.has(*run)).collect();
        run_some(plan, folder, &missing, hands)
    };
    follow(plan, folder, &mut complete, hands.on_best)
}

/// Returns the best point of an optimisation so far, and gives the plan the values of its runs.
///
/// # Errors
/// As [`optimise`].
pub fn optimised(plan: &StudyPlan, folder: &mut StudyFolder) -> Result<Option<Best>, StudyError> {
    let mut complete =
        |folder: &mut StudyFolder, mut runs: Range<u64>| Ok(runs.all(|run| folder.has(run)));
    follow(plan, folder, &mut complete, &|_| {})
}

/// Simulates runs, or looks whether they have rows. Returns whether all have.
type Complete<'c> = &'c mut dyn FnMut(&mut StudyFolder, Range<u64>) -> Result<bool, StudyError>;

/// Follows an optimisation as long as `complete` returns that the runs of a generation have rows. `on_best` is called
/// after each generation that has a better point than those before.
fn follow(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    complete: Complete<'_>,
    on_best: &dyn Fn(&Best),
) -> Result<Option<Best>, StudyError> {
    let goal = Goal::of(plan)?;
    let study = plan.study();
    let Some(objective) = &study.objective else { return Ok(None) };
    let ends: Vec<[f64; 2]> =
        study.vary.iter().filter_map(|one| bounds(&one.value.values)).collect();
    let population = objective.population_for(ends.len());
    let mut optimiser = CmaEs::new(ends.len(), population, plan.seed());
    let (mut points, mut best): (Vec<Vec<f64>>, Option<(Rank, u64)>) = (Vec::new(), None);
    let mut found = None;
    let repeat = study.repeat.value;
    for _ in 0..objective.generations {
        if optimiser.has_converged() {
            break;
        }
        let asked = optimiser.ask();
        let first = points.len() as u64;
        let scaled = asked.iter().map(|point| {
            let scaled = point.iter().zip(&ends);
            scaled.map(|(part, [low, high])| low + (high - low) * part.clamp(0.0, 1.0)).collect()
        });
        points.extend(scaled);
        plan.set_points(points.clone());
        let runs = first * repeat..points.len() as u64 * repeat;
        if !complete(folder, runs.clone())? {
            break;
        }
        let ranks = goal.ranks(folder, &asked, runs.start, repeat)?;
        let starts = runs.step_by(repeat as usize);
        for (rank, start) in ranks.iter().zip(starts) {
            // a point outside of the bounds has been moved to them
            let seen = Rank { outside: 0.0, ..*rank };
            if best.as_ref().is_none_or(|(best, _)| seen.is_before(best)) {
                best = Some((seen, start));
            }
        }
        let now = best.and_then(|(rank, run)| goal.best(rank, run));
        if now != found {
            now.iter().for_each(on_best);
            found = now;
        }
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|one, other| ranks[*one].compare(&ranks[*other]));
        optimiser.tell(&asked, &order);
    }
    Ok(found)
}

/// Returns the squared distance of a point from the unit cube.
fn outside(point: &[f64]) -> f64 {
    point.iter().map(|part| (part - part.clamp(0.0, 1.0)).powi(2)).sum()
}

/// What is looked for, checked.
struct Goal {
    minimise: Expression,
    is_negated: bool,
    subject_to: Vec<Expression>,
}

/// What decides which of two points is better, the most important first.
#[derive(Clone, Copy, Debug)]
struct Rank {
    /// Number of runs that have no result.
    failed: usize,
    /// By how much conditions are missed.
    violation: f64,
    /// Value of the objective to make small.
    value: f64,
    /// Squared distance from the bounds.
    outside: f64,
}

impl Goal {
    fn of(plan: &StudyPlan) -> Result<Self, StudyError> {
        let objective = plan.study().objective.as_ref();
        let objective = objective.ok_or_else(|| {
            StudyError::plan("the plan has no [objective]; expected what to minimise")
        })?;
        let subject_to = objective.subject_to.iter().map(|one| plan.over_metrics(one));
        Ok(Self {
            minimise: plan.over_metrics(&objective.minimise)?,
            is_negated: objective.is_negated,
            subject_to: subject_to.collect::<Result<_, _>>()?,
        })
    }

    /// Ranks the points of a generation, of which each has `repeat` rows from that of the run `first` on.
    fn ranks(
        &self,
        folder: &mut StudyFolder,
        points: &[Vec<f64>],
        first: u64,
        repeat: u64,
    ) -> Result<Vec<Rank>, StudyError> {
        let starts = (first..).step_by(repeat as usize);
        let rank = |(point, start): (&Vec<f64>, u64)| {
            let mut rows = Vec::new();
            for run in start..start + repeat {
                rows.extend(folder.row(run)?);
            }
            Ok(self.rank(&rows, outside(point)))
        };
        points.iter().zip(starts).map(rank).collect()
    }

    /// Returns a point as it is shown, if all its runs have results.
    fn best(&self, rank: Rank, run: u64) -> Option<Best> {
        let value = if self.is_negated { -rank.value } else { rank.value };
        (rank.failed == 0).then_some(Best { run, value, is_feasible: rank.violation == 0.0 })
    }

    /// Ranks a point by the means over its runs.
    fn rank(&self, rows: &[RunRow], outside: f64) -> Rank {
        let (mut failed, mut violation, mut value) = (0, 0.0, 0.0);
        for row in rows {
            let metrics: Vec<f64> = row.metrics.iter().map(|one| one.unwrap_or(f64::NAN)).collect();
            let found = self.minimise.value(&[], &metrics);
            if row.status != RunStatus::Ok || found.is_nan() {
                failed += 1;
                continue;
            }
            value += if self.is_negated { -found } else { found };
            violation += self.subject_to.iter().map(|one| one.violation(&metrics)).sum::<f64>();
        }
        let count = rows.len().saturating_sub(failed).max(1) as f64;
        Rank { failed, violation: violation / count, value: value / count, outside }
    }
}

impl Rank {
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        // the penalty for leaving the bounds counts like a missed condition
        let missed = |rank: &Self| rank.violation + rank.outside;
        let failed = self.failed.cmp(&other.failed);
        let missed = missed(self).total_cmp(&missed(other));
        failed.then(missed).then(self.value.total_cmp(&other.value))
    }

    fn is_before(&self, other: &Self) -> bool {
        self.compare(other).is_lt()
    }
}
