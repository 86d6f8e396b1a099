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
use crate::row::{RunRow, RunStatus};

use cma_es::CmaEs;

/// The best point of an optimisation so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Number of the first run of the point.
    pub run: u64,
    /// Value of the objective, as the plan asks for it.
    pub value: f64,
    /// Whether all conditions hold.
    pub is_feasible: bool,
}

/// Simulates the runs of an optimisation that have no rows, one generation after the other. Returns the best point.
///
/// # Errors
/// [`StudyError::Plan`] if the plan has no objective, and as [`run`](crate::run).
pub fn optimise(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    hands: &Hands<'_>,
) -> Result<Option<Best>, StudyError> {
    follow(plan, folder, &mut |folder, runs| {
        let missing: Vec<u64> = runs.filter(|run| !folder.has(*run)).collect();
        run_some(plan, folder, &missing, hands)
    })
}

/// Returns the best point of an optimisation so far, and tells the plan the values of its runs.
///
/// # Errors
/// As [`optimise`].
pub fn optimised(plan: &StudyPlan, folder: &mut StudyFolder) -> Result<Option<Best>, StudyError> {
    follow(plan, folder, &mut |folder, mut runs| Ok(runs.all(|run| folder.has(run))))
}

/// Simulates runs, or looks whether they have rows. Returns whether all have.
type Complete<'c> = &'c mut dyn FnMut(&mut StudyFolder, Range<u64>) -> Result<bool, StudyError>;

/// Follows an optimisation as long as `complete` returns that the runs of a generation have rows.
fn follow(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    complete: Complete<'_>,
) -> Result<Option<Best>, StudyError> {
    let goal = Goal::of(plan)?;
    let study = plan.study();
    let Some(objective) = &study.objective else { return Ok(None) };
    let ends: Vec<[f64; 2]> =
        study.vary.iter().filter_map(|one| bounds(&one.value.values)).collect();
    let population = objective.population_for(ends.len());
    let mut optimiser = CmaEs::new(ends.len(), population, plan.seed());
    let (mut points, mut best): (Vec<Vec<f64>>, Option<(Rank, u64)>) = (Vec::new(), None);
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
        if !complete(folder, runs)? {
            break;
        }
        let mut ranks = Vec::with_capacity(asked.len());
        for (number, point) in asked.iter().enumerate() {
            let start = (first + number as u64) * repeat;
            let mut rows = Vec::new();
            for run in start..start + repeat {
                rows.extend(folder.row(run)?);
            }
            let rank = goal.rank(&rows, outside(point));
            // a point outside of the bounds has been moved to them
            let seen = Rank { outside: 0.0, ..rank };
            if best.as_ref().is_none_or(|(best, _)| seen.is_before(best)) {
                best = Some((seen, start));
            }
            ranks.push(rank);
        }
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|one, other| ranks[*one].compare(&ranks[*other]));
        optimiser.tell(&asked, &order);
    }
    Ok(best.filter(|(rank, _)| rank.failed == 0).map(|(rank, run)| Best {
        run,
        value: if objective.is_negated { -rank.value } else { rank.value },
        is_feasible: rank.violation == 0.0,
    }))
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
