//! Quantities of runs over time, which are simulated again.

use std::collections::VecDeque;
use std::sync::Mutex;

use simhost::{Ensemble, EnsembleOptions, Expression, Metrics, QuantityPlaces};

use crate::error::StudyError;
use crate::hands::{Hands, locked, next_batch, on_threads};
use crate::plan::StudyPlan;
use crate::study::PlanValue;
use crate::{batch, plan};

/// Largest number of runs that are simulated together.
const BATCH: usize = 32;

/// Expressions over quantities of some runs, over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyCurves {
    /// The expressions.
    pub names: Vec<String>,
    /// Their units; empty for one that is not known.
    pub units: Vec<String>,
    /// Sampling period in simulated s, starting at t = 0.
    pub period: f64,
    /// Number of each run, in their order, with the samples of each expression until its end.
    pub runs: Vec<(u64, Vec<Vec<f64>>)>,
}

/// Simulates runs again, and returns expressions over quantities with about `samples` samples. Runs that are refused are
/// left out.
///
/// # Errors
/// [`StudyError::Plan`] if an expression is not one over quantities of the world.
pub fn curves(
    plan: &StudyPlan,
    runs: &[u64],
    of: &[String],
    samples: u64,
    hands: &Hands<'_>,
) -> Result<StudyCurves, StudyError> {
    let session = plan.first_world().session(plan.seed(), None)?;
    let ensemble = Ensemble::from_session(session, EnsembleOptions::members(1))?;
    let none = Metrics::default();
    let steps = plan.first_world().last_step.div_ceil(samples.max(1)).max(1);
    let mut all =
        StudyCurves { period: steps as f64 * plan.first_world().dt, ..StudyCurves::default() };
    let mut expressions = Vec::new();
    for text in of {
        // what is sampled of a reduction
        let (expression, unit) = plan::read_measure(
            &none,
            "--of",
            &PlanValue::from(format!("final({text})")),
            &ensemble,
        )?;
        all.names.push(text.clone());
        all.units.push(unit);
        expressions.push(expression);
    }
    all.runs = sampled(plan, runs, &expressions, steps, hands);
    Ok(all)
}

type Sampled = Vec<(u64, Vec<Vec<f64>>)>;

/// Samples expressions of runs, on several threads.
fn sampled(
    plan: &StudyPlan,
    runs: &[u64],
    expressions: &[Expression],
    steps: u64,
    hands: &Hands<'_>,
) -> Sampled {
    let queue = Mutex::new(VecDeque::from(runs.to_vec()));
    let found = Mutex::new(Vec::new());
    on_threads(hands.threads.max(1), &|| {
        while !(hands.is_stopped)() {
            let batch = next_batch(plan, &mut locked(&queue), BATCH, hands.threads.max(1));
            if batch.is_empty() {
                break;
            }
            // a run that cannot be repeated has no curve
            if let Ok(sampled) = sample(plan, &batch, expressions, steps) {
                locked(&found).extend(sampled);
            }
        }
    });
    let mut all = std::mem::take(&mut *locked(&found));
    all.sort_by_key(|one: &(u64, Vec<Vec<f64>>)| one.0);
    all
}

/// Simulates runs with the same variables, and samples expressions after each number of steps.
fn sample(
    plan: &StudyPlan,
    runs: &[u64],
    expressions: &[Expression],
    steps: u64,
) -> Result<Sampled, StudyError> {
    let world = plan.world_of(runs[0])?;
    let mut ensemble = batch::ensemble(plan, &world, runs, None)?;
    let used = expressions.iter().flat_map(Expression::quantities);
    let selected = ensemble.select(used.map(|one| &*one.name))?;
    let places: Vec<_> =
        expressions.iter().map(|one| QuantityPlaces::new(&selected, one)).collect();
    let mut all: Sampled =
        runs.iter().map(|run| (*run, vec![Vec::new(); expressions.len()])).collect();
    let mut matrix = vec![0.0; runs.len() * selected.width()];
    let mut completed = vec![None; runs.len()];
    loop {
        ensemble.read(&selected, &mut matrix)?;
        for (number, (_, curves)) in all.iter_mut().enumerate() {
            let row = &matrix[number * selected.width()..][..selected.width()];
            let member = ensemble.member(number)?;
            if completed[number].replace(member.steps()) != Some(member.steps()) {
                add(curves, row, member.time().0, expressions, &places);
            }
        }
        if ensemble.has_ended() {
            return Ok(all);
        }
        ensemble.step(steps)?;
    }
}

/// Adds the values of expressions for a row of quantities.
fn add(
    curves: &mut [Vec<f64>],
    row: &[f64],
    time: f64,
    expressions: &[Expression],
    places: &[QuantityPlaces],
) {
    for ((expression, places), curve) in expressions.iter().zip(places).zip(curves) {
        let quantities: Vec<f64> = places.values(row).collect();
        curve.extend(expression.sample(time, &quantities));
    }
}
