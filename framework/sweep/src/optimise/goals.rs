//! The goals of an optimisation, and what its points have reached.

use simhost::Expression;

use super::rank::Rank;
use crate::error::StudyError;
use crate::folder::StudyFolder;
use crate::plan::StudyPlan;
use crate::row::{Best, RunRow, RunStatus};

/// Goals that have been checked.
pub struct Goals {
    /// Expressions, and whether they are to be as large as possible.
    goals: Vec<(Expression, bool)>,
    subject_to: Vec<Expression>,
}

impl Goals {
    /// Reads the goals of a plan.
    pub fn of(plan: &StudyPlan) -> Result<Self, StudyError> {
        let objective = plan.study().objective.as_ref();
        let objective = objective.ok_or_else(|| {
            StudyError::plan("the plan has no [objective]; expected what to minimise")
        })?;
        let goals = objective.goals.iter();
        let goals = goals.map(|one| Ok((plan.over_metrics(&one.expression)?, one.is_maximised)));
        let subject_to = objective.subject_to.iter().map(|one| plan.over_metrics(one));
        Ok(Self {
            goals: goals.collect::<Result<_, StudyError>>()?,
            subject_to: subject_to.collect::<Result<_, _>>()?,
        })
    }

    /// Ranks the points of a generation. Each point has `repeat` rows, starting with the row of the
    /// run `first`.
    pub fn ranks(
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
    pub fn best(&self, rank: &Rank, run: u64) -> Option<Best> {
        let shown = |(value, (_, is_maximised)): (&f64, &(Expression, bool))| {
            if *is_maximised { -value } else { *value }
        };
        let values = rank.values.iter().zip(&self.goals).map(shown).collect();
        (rank.failed == 0).then_some(Best { run, values, is_feasible: rank.violation == 0.0 })
    }

    /// Ranks a point by the means over its runs.
    fn rank(&self, rows: &[RunRow], outside: f64) -> Rank {
        let (mut failed, mut violation) = (0, 0.0);
        let mut values = vec![0.0; self.goals.len()];
        for row in rows {
            let metrics: Vec<f64> = row.metrics.iter().map(|one| one.unwrap_or(f64::NAN)).collect();
            let found = self.goals.iter().map(|(goal, is_maximised)| {
                let value = goal.over_metrics(&metrics);
                if *is_maximised { -value } else { value }
            });
            let found: Vec<f64> = found.collect();
            if row.status != RunStatus::Ok || found.iter().any(|one| one.is_nan()) {
                failed += 1;
                continue;
            }
            values.iter_mut().zip(found).for_each(|(sum, value)| *sum += value);
            violation += self.subject_to.iter().map(|one| one.violation(&metrics)).sum::<f64>();
        }
        let count = rows.len().saturating_sub(failed).max(1) as f64;
        values.iter_mut().for_each(|value| *value /= count);
        Rank { failed, violation: violation / count, values, outside }
    }
}

/// Returns the squared distance of a point from the unit cube.
fn outside(point: &[f64]) -> f64 {
    point.iter().map(|part| (part - part.clamp(0.0, 1.0)).powi(2)).sum()
}
