//! Optimisation: the best points that a study finds, generation after generation.
//!
//! Optimisers are deterministic, so the rows are their journal: a study that continues repeats its questions, and finds
//! the answers in the rows.

mod cma_es;
mod nsga;
mod rank;

use std::fs::File;
use std::io::Write;
use std::ops::Range;

use simhost::Expression;
use simhost_record::{csv_number, csv_text};

use crate::design::bounds;
use crate::error::StudyError;
use crate::folder::StudyFolder;
use crate::hands::{Hands, run_some};
use crate::plan::StudyPlan;
use crate::row::{Best, RunRow, RunStatus};
use nsga::Nsga;
use rank::Rank;

pub use cma_es::CmaEs;

/// Name of the file with the best points after each generation.
const JOURNAL: &str = "journal.csv";

/// Simulates the runs of an optimisation that have no rows, one generation after the other. Returns the best point, or of
/// several goals those that no other one surpasses in all of them, in the order of the first goal. `journal.csv` has them after
/// each generation.
///
/// # Errors
/// [`StudyError::Plan`] if the plan has no objective, and as [`run`](crate::run).
pub fn optimise(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    hands: &Hands<'_>,
) -> Result<Vec<Best>, StudyError> {
    let mut complete = |folder: &mut StudyFolder, runs: Range<u64>| {
        let missing: Vec<u64> = runs.filter(|run| !folder.has(*run)).collect();
        run_some(plan, folder, &missing, hands)
    };
    let path = folder.path().join(JOURNAL);
    let mut journal = simhost_files::create(&path).map_err(StudyError::write(&path))?;
    let write = |journal: &mut File, text: String| {
        journal.write_all(text.as_bytes()).map_err(StudyError::write(&path))
    };
    write(&mut journal, journal_head(plan))?;
    let mut known = Vec::new();
    follow(plan, folder, &mut complete, &mut |generation, found| {
        if *found != known {
            (hands.on_best)(found);
            found.clone_into(&mut known);
        }
        write(&mut journal, found.iter().map(|best| journal_line(generation, best)).collect())
    })
}

/// Returns the best points of an optimisation so far, and gives the plan the values of its runs.
///
/// # Errors
/// As [`optimise`].
pub fn optimised(plan: &StudyPlan, folder: &mut StudyFolder) -> Result<Vec<Best>, StudyError> {
    let mut complete =
        |folder: &mut StudyFolder, mut runs: Range<u64>| Ok(runs.all(|run| folder.has(run)));
    follow(plan, folder, &mut complete, &mut |_, _| Ok(()))
}

fn journal_head(plan: &StudyPlan) -> String {
    let goals = plan.study().objective.iter().flat_map(|objective| &objective.goals);
    let goals = goals.map(|goal| format!(",{}", csv_text(&goal.expression.value)));
    format!("generation,run,is_feasible{}\n", goals.collect::<String>())
}

fn journal_line(generation: u64, Best { run, values, is_feasible }: &Best) -> String {
    let values = values.iter().map(|value| format!(",{}", csv_number(*value)));
    format!("{generation},{run},{is_feasible}{}\n", values.collect::<String>())
}

/// Simulates runs, or checks whether they have rows. Returns whether all have rows.
type Complete<'c> = &'c mut dyn FnMut(&mut StudyFolder, Range<u64>) -> Result<bool, StudyError>;

/// Takes the number of a generation, and the best points after it.
type OnGeneration<'g> = &'g mut dyn FnMut(u64, &[Best]) -> Result<(), StudyError>;

/// Follows an optimisation as long as `complete` returns that the runs of a generation have rows.
fn follow(
    plan: &StudyPlan,
    folder: &mut StudyFolder,
    complete: Complete<'_>,
    on_generation: OnGeneration<'_>,
) -> Result<Vec<Best>, StudyError> {
    let goals = Goals::of(plan)?;
    let study = plan.study();
    let Some(objective) = &study.objective else { return Ok(Vec::new()) };
    let ends: Vec<[f64; 2]> =
        study.vary.iter().filter_map(|one| bounds(&one.value.values)).collect();
    let population = objective.population_for(ends.len());
    let mut strategy = Strategy::new(objective.goals.len(), ends.len(), population, plan.seed());
    let (mut points, mut front, mut found): (Vec<Vec<f64>>, Front, Vec<Best>) = Default::default();
    let repeat = study.repeat.value;
    for generation in 0..objective.generations {
        if strategy.has_converged() {
            break;
        }
        let asked = strategy.ask();
        let first = points.len() as u64;
        points.extend(asked.iter().map(|point| scaled(point, &ends)));
        plan.set_points(points.clone());
        let runs = first * repeat..points.len() as u64 * repeat;
        if !complete(folder, runs.clone())? {
            break;
        }
        let ranks = goals.ranks(folder, &asked, runs.start, repeat)?;
        for (rank, start) in ranks.iter().zip(runs.step_by(repeat as usize)) {
            front.add(rank, start);
        }
        found = front.0.iter().filter_map(|(rank, run)| goals.best(rank, *run)).collect();
        on_generation(generation, &found)?;
        strategy.tell(asked, &ranks);
    }
    Ok(found)
}

/// Returns a point of the unit cube between the ends of what varies.
fn scaled(point: &[f64], ends: &[[f64; 2]]) -> Vec<f64> {
    let parts = point.iter().zip(ends);
    parts.map(|(part, [low, high])| low + (high - low) * part.clamp(0.0, 1.0)).collect()
}

/// Step size of CMA-ES at the start, as a part of each range.
const START: f64 = 0.3;

/// What asks for points: CMA-ES for one goal, NSGA-II for several.
enum Strategy {
    One(CmaEs),
    Several(Nsga),
}

impl Strategy {
    fn new(goals: usize, dimensions: usize, population: usize, seed: u64) -> Self {
        match goals {
            1 => Self::One(CmaEs::new(vec![0.5; dimensions], START, population, seed)),
            _ => Self::Several(Nsga::new(dimensions, population, seed)),
        }
    }

    fn has_converged(&self) -> bool {
        matches!(self, Self::One(strategy) if strategy.has_converged())
    }

    fn ask(&mut self) -> Vec<Vec<f64>> {
        match self {
            Self::One(strategy) => strategy.ask(),
            Self::Several(strategy) => strategy.ask(),
        }
    }

    fn tell(&mut self, points: Vec<Vec<f64>>, ranks: &[Rank]) {
        match self {
            Self::One(strategy) => {
                let mut order: Vec<usize> = (0..ranks.len()).collect();
                order.sort_by(|one, other| ranks[*one].compare(&ranks[*other]));
                strategy.tell(&points, &order);
            }
            Self::Several(strategy) => strategy.tell(points, ranks),
        }
    }
}

/// The points that no other one surpasses, with their first runs, in the order of the first goal.
#[derive(Default)]
struct Front(Vec<(Rank, u64)>);

impl Front {
    fn add(&mut self, rank: &Rank, run: u64) {
        // a point outside of the bounds has been moved to them
        let seen = Rank { outside: 0.0, ..rank.clone() };
        if self.0.iter().any(|(known, _)| seen.is_covered_by(known)) {
            return;
        }
        self.0.retain(|(known, _)| !seen.dominates(known));
        let at = self.0.partition_point(|(known, _)| known.compare(&seen).is_le());
        self.0.insert(at, (seen, run));
    }
}

/// Goals that have been checked.
struct Goals {
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
